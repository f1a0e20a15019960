"""The files that the roles manage: every one has "gradwire" in its name, so nothing of anyone else is ever touched."""

import base64
import glob
import os
import shutil
import stat
from pathlib import Path

from gradwire_host.system import run

PATTERNS = (
    "/etc/systemd/network/*gradwire*",
    "/etc/NetworkManager/conf.d/*gradwire*",
    "/etc/systemd/networkd.conf.d/*gradwire*",
    "/etc/systemd/system/*gradwire*",
    "/etc/systemd/system/*/*gradwire*",
    "/etc/systemd/system.conf.d/*gradwire*",
    "/etc/sysctl.d/*gradwire*",
    "/etc/modules-load.d/*gradwire*",
    "/etc/modprobe.d/*gradwire*",
    "/etc/security/limits.d/*gradwire*",
    "/etc/udev/rules.d/*gradwire*",
    "/usr/local/bin/gradwire*",
    "/usr/local/lib/gradwire/host-*",
)
FOLDERS = ("/etc/systemd/*.conf.d", "/etc/systemd/system/*.service.d")
OWN = ("gradwire-rollback.service", "gradwire-rollback.timer")  # the guard's; arm and disarm look after them


def managed(root=Path("/")):
    """Paths of the managed files that there are, sorted."""
    found = {path for pattern in PATTERNS for path in glob.glob(str(root).rstrip("/") + pattern)}
    return sorted(path for path in found if Path(path).name not in OWN and not Path(path).is_dir())


def folders(root=Path("/")):
    """Folders of drop-ins that there are."""
    return sorted(path for pattern in FOLDERS for path in glob.glob(str(root).rstrip("/") + pattern))


def capture(store, root=Path("/")):
    """Every managed file with its mode, owner and content; large ones are copied into the folder `store`."""
    return {path: capture_one(Path(path), store) for path in managed(root)}


def capture_one(path, store):
    status = path.lstat()
    entry = {"mode": stat.S_IMODE(status.st_mode), "uid": status.st_uid, "gid": status.st_gid}
    if path.is_symlink():
        return {**entry, "link": os.readlink(path)}
    if status.st_size <= 65536:
        return {**entry, "content": base64.b64encode(path.read_bytes()).decode()}
    store.mkdir(parents=True, exist_ok=True)
    copy = str(path).strip("/").replace("/", "%")
    shutil.copyfile(path, store / copy)
    return {**entry, "copy": copy}


def decoded(entry):
    """A captured file's text."""
    return base64.b64decode(entry["content"]).decode("utf-8", "replace")


def restore(wanted, store, root=Path("/")):
    """Puts the managed files back as they were: what differs is replaced, what was not there goes. Returns what was done."""
    done = []
    for path in managed(root):
        if path not in wanted:
            Path(path).unlink()
            done.append(f"removed {path}")
    for path, entry in wanted.items():
        if restore_one(Path(path), entry, store):
            done.append(f"restored {path}")
    return done


def remove_folders(wanted, root=Path("/")):
    """Folders of drop-ins that were not there go, if nobody else has put anything into them. Returns what was done."""
    done = []
    for path in set(folders(root)) - set(wanted):
        if not any(Path(path).iterdir()):
            Path(path).rmdir()
            done.append(f"removed {path}")
    return done


def restore_one(path, entry, store):
    """Whether it differed."""
    if "link" in entry:
        if path.is_symlink() and os.readlink(path) == entry["link"]:
            return False
        path.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(entry["link"])
        return True
    content = (store / entry["copy"]).read_bytes() if "copy" in entry else base64.b64decode(entry["content"])
    if path.is_file() and not path.is_symlink():
        status = path.stat()
        same = (stat.S_IMODE(status.st_mode), status.st_uid, status.st_gid) == (entry["mode"], entry["uid"], entry["gid"])
        if same and path.read_bytes() == content:
            return False
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.restored")
    fresh.write_bytes(content)
    os.chmod(fresh, entry["mode"])
    os.chown(fresh, entry["uid"], entry["gid"])
    os.replace(fresh, path)
    return True


def reread(done):
    """Tells the daemons that their files have changed."""
    if any("/etc/systemd/" in line for line in done):
        run("systemctl", "daemon-reload")
    if any("/etc/udev/" in line or line.endswith(".link") for line in done):
        run("udevadm", "control", "--reload")
    if any("/etc/NetworkManager/" in line for line in done):
        run("nmcli", "general", "reload", "conf")
    if any(line.endswith(".link") for line in done):
        run("update-initramfs", "-u", seconds=600)  # Debian copies .link files into it
