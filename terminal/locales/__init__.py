"""Words of the seat screen, one gettext catalogue a language."""
