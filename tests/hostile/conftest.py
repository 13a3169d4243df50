"""A hostile neighbour in the same Wi-Fi: `make test-hostile`."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def seed() -> int:
    """Printed, so that a run can be repeated: COMPANION_SEED=… make test-hostile."""
    seed = int(os.environ.get("COMPANION_SEED") or random.SystemRandom().getrandbits(32))
    print(f"COMPANION_SEED={seed}")
    return seed
