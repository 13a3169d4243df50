"""Benchmarks: `make bench` checks our budgets, `make bench-peers` compares us with boardgame.io and Colyseus."""
