"""What all tests share: Hypothesis without deadlines, which on a busy machine say nothing.

``pytest --hypothesis-profile long`` looks at ten times as many examples.
"""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("paizhuo", deadline=None)
settings.register_profile("long", deadline=None, max_examples=1000)
settings.load_profile("paizhuo")
