"""Widgets of the seat terminal."""
