"""The tests that every game must pass, for your own test file: `from companion.testing.suite import *`.

It tests the games named by `--game`, or by `GAME` or `GAMES` in that file, or all that are not ours.
"""

from companion.testing.test_accessible import *  # noqa: F403
from companion.testing.test_every_game import *  # noqa: F403
from companion.testing.test_secrecy import *  # noqa: F403
