"""Guandan (竞技掼蛋)."""
