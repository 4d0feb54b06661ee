"""The seat terminal."""

from typing import Final

SOFTWARE: Final = "paizhuo-terminal 0.1.0"
"""What a seat tells the authority of itself."""
