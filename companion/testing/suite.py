"""All that every game must do, for a test file of your own: `from companion.testing.suite import *`.

The games it tries are those that pytest's `--game` names, or `GAME` or `GAMES` in that file, or all that are not ours.
"""

from companion.testing.test_accessible import *  # noqa: F403
from companion.testing.test_every_game import *  # noqa: F403
from companion.testing.test_secrecy import *  # noqa: F403
