"""Where a lab is: namespaces of its own, and everything that is made in them goes with them."""

import ctypes
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path


def why_no_lab():
    """Why no networks of hosts can be made here; nothing where they can. Root in a container may lack the rights."""
    if "GRADWIRE_LAB" in os.environ:
        return None
    probe = "ip link add probe type bridge && mount -t tmpfs probe /run"
    words = ["unshare", "--net", "--mount", "--pid", "--fork", "--mount-proc", "sh", "-c", probe]
    tried = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    if tried.returncode == 0:
        return None
    return f"hosts need root with CAP_NET_ADMIN and CAP_SYS_ADMIN: {tried.stderr.strip()}"


# Control groups outlive the processes in them, and cannot go before the last of these has. Those of the lab have names that
# begin with that of its scratch folder.
REMOVE_CGROUPS = r"""
mount -t cgroup2 none "$1" && cd "$1" || exit
for ((tries = 0; tries < 50; ++tries)); do
  find . -depth -type d -path "*/$(basename "$1")-*" -exec rmdir {} + 2>/dev/null && exit
  sleep 0.1
done
"""


def enter(cache):
    """Goes on in namespaces of its own, by running this program again; everything in them ends with it. Returns a folder of
    its own in `cache`, which is empty again once it has ended."""
    if "GRADWIRE_LAB" in os.environ:
        return Path(os.environ["GRADWIRE_LAB"])
    scratch = Path(tempfile.mkdtemp(prefix="run-", dir=cache))
    words = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable, *sys.argv]
    inside = subprocess.Popen(words, env={**os.environ, "GRADWIRE_LAB": str(scratch)}, preexec_fn=die_with_parent)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: inside.kill())
    ended = inside.wait()
    subprocess.run(["unshare", "--mount", "bash", "-c", REMOVE_CGROUPS, "remove", str(scratch)], check=False)
    scratch.rmdir()
    sys.exit(ended if ended >= 0 else 1)


def run(*words, seconds=60, **more):
    return subprocess.run([str(word) for word in words], check=True, timeout=seconds, capture_output=True, text=True, **more)


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"
