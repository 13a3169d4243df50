"""companion demo: a table that plays itself, with invented people.

`forms.py` reads the forms of a screen, `player.py` chooses the next tap from them, `tastes.py` says what makes each
game worth watching, and `pages.py` is the window. It needs nothing that a host has not installed.
"""
