"""The tests that every game must pass, those of its secrets included."""

from sealed_auction import GAME

from companion.testing.suite import *
