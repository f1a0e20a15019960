"""Makes the programs of Ansible's roles importable: gradwire_host of the role guard, and wiring of the role verify."""

import sys
from pathlib import Path

ROLES = Path(__file__).resolve().parents[3] / "ansible/roles"
JUDGE = ROLES / "verify/files/judge"

sys.path[:0] = [str(ROLES / "guard/files"), str(ROLES / "verify/files")]
