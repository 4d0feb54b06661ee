"""Screens of the seat terminal: which parts are shown where. What they show is in ``picture``."""
