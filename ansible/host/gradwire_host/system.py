"""Programs that are run, and files that are read and written."""

import json
import os
import subprocess
from pathlib import Path

PROGRAM_SECONDS = 60
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Refused(Exception):
    """Something that the operator can mend; the text says what."""


def environment():
    """That of a program whose output is read: a full path, and no translations."""
    return {**os.environ, "PATH": PATH, "LC_ALL": "C"}


def run(*words, seconds=PROGRAM_SECONDS):
    """Runs a program to its end, or kills it after so many seconds. Never throws: what failed has a returncode."""
    try:
        return subprocess.run(words, capture_output=True, text=True, timeout=seconds, check=False, env=environment(),
                              stdin=subprocess.DEVNULL)
    except FileNotFoundError:
        return subprocess.CompletedProcess(words, 127, "", f"{words[0]} is not installed")
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 124, "", f"{words[0]} took longer than {seconds} s")


def run_json(*words):
    """What a program printed as JSON; an empty list when it failed or printed nothing."""
    done = run(*words)
    try:
        return json.loads(done.stdout) if done.returncode == 0 and done.stdout.strip() else []
    except ValueError:
        return []


def read_text(path):
    """A file of /proc or /sys without its last newline; None where it cannot be read."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").rstrip("\n")
    except (OSError, ValueError):
        return None


def write_text(path, text):
    """Writes a file of /proc or /sys. False where the kernel refuses."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError:
        return False
    return True


def write_durable(path, text, mode=0o600):
    """Replaces a file as a whole; it is on the disk when this returns."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.new")
    with open(fresh, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fchmod(file.fileno(), mode)
        os.fsync(file.fileno())
    os.replace(fresh, path)
    sync_folder(path.parent)


def sync_folder(path):
    """What the folder lists is on the disk when this returns."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
