"""Measures Companion: `make bench` alone, against its budgets; `make bench-peers` beside boardgame.io and Colyseus."""
