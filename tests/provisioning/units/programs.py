"""Makes Ansible's programs importable: gradwire_host, which runs on hosts, and wiring of the role verify."""

import sys
from pathlib import Path

ANSIBLE = Path(__file__).resolve().parents[3] / "ansible"
VERIFY = ANSIBLE / "roles/verify/files"
JUDGE = VERIFY / "judge"

sys.path[:0] = [str(ANSIBLE / "host"), str(VERIFY)]
