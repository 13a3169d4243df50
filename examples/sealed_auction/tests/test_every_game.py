"""What every game must do; and nobody can tell what they must not know."""

from sealed_auction import GAME

from companion.testing.suite import *
