"""Which servers this host's disks and file systems are on, so that the way to them is not touched."""

import ipaddress
import re
from pathlib import Path

from gradwire_host.system import read_text, run_json

NETWORK_FILE_SYSTEMS = ("9p", "afs", "ceph", "cifs", "fuse.ceph", "fuse.glusterfs", "fuse.sshfs", "lustre", "nfs", "nfs4", "smb3")
NBD_PORT = 10809
ESTABLISHED = "01"
ADDRESS = re.compile(r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}|[0-9a-fA-F]*:[0-9a-fA-F:.]+")


def servers(root=Path("/")):
    """{address: what is on that server}. `root`: where proc and sys are."""
    found = {}
    for address, what in [*mounted(root), *iscsi(root), *nvme(root), *nbd(root)]:
        found.setdefault(address, what)
    return found


def addresses_in(text):
    """The IP addresses that a text has, in the order of the text."""
    found = []
    for word in ADDRESS.findall(text):
        try:
            found.append(str(ipaddress.ip_address(word.strip(":"))))
        except ValueError:
            pass
    return found


def mounted(root):
    """Of mounted file systems: the kernel says the server's address among the options, or in the source."""
    for line in (read_text(root / "proc/self/mountinfo") or "").splitlines():
        words = line.split()
        if "-" not in words[6:]:
            continue
        kind, source, *options = words[words.index("-", 6) + 1:]
        if kind not in NETWORK_FILE_SYSTEMS:
            continue
        said = [option.split("=", 1)[1] for option in ",".join(options).split(",") if option.startswith(("addr=", "mountaddr="))]
        for address in addresses_in(" ".join(said) or source):
            yield address, f"{kind} of {words[4]}"


def iscsi(root):
    for path in sorted((root / "sys/class/iscsi_connection").glob("*/address")):
        for address in addresses_in(read_text(path) or ""):
            yield address, f"iSCSI {path.parent.name}"


def nvme(root):
    for path in sorted((root / "sys/class/nvme").glob("*/address")):
        for part in (read_text(path) or "").split(","):
            if part.startswith("traddr="):
                for address in addresses_in(part):
                    yield address, f"NVMe {path.parent.name}"


def nbd(root):
    """A connected device does not say with whom: its connections are those to the port of NBD servers."""
    if not list((root / "sys/block").glob("nbd*/pid")):
        return
    for line in (read_text(root / "proc/net/tcp") or "").splitlines()[1:]:
        words = line.split()
        address, port = words[2].split(":")
        if words[3] == ESTABLISHED and int(port, 16) == NBD_PORT:
            yield str(ipaddress.ip_address(bytes.fromhex(address)[::-1])), "a network block device"


def interfaces(root=Path("/")):
    """{interface: what storage is reached through it}."""
    found = {}
    for address, what in servers(root).items():
        for route in run_json("ip", "-j", "route", "get", address):
            if "dev" in route:
                found.setdefault(route["dev"], f"{what} ({address})")
    return found
