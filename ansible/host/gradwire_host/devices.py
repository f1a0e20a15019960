"""The NIC behind a data port: its firmware, its PCIe link, and what its RDMA device makes of the interface's MTU."""

import re

from gradwire_host import ports
from gradwire_host.system import read_text, run

PCIE = ("current_link_speed", "max_link_speed", "current_link_width", "max_link_width")
RDMA_MTUS = (256, 512, 1024, 2048, 4096)
# Headers of RoCE v2: those of a plain message, and all that drivers make room for.
LEAST_HEADERS, MOST_HEADERS = 58, 96


def identities(plan):
    """Of each port, for verification.json; None is what the device does not say."""
    return [identity(number, port["device"]) for number, port in enumerate(plan["ports"])]


def identity(number, interface):
    root = ports.NET.parent / "infiniband"
    device = ports.rdma_device(interface, root)
    return {"port": number, "device": interface, "rdma": device and device[0],
            "firmware": (read_text(root / device[0] / "fw_ver") or None) if device else None,
            **{f"pcie_{name}": read_text(ports.NET / interface / "device" / name) for name in PCIE}}


def pcie_link(interface):
    """("x16 at 16 GT/s", what it carries in Gbit/s) of the device's PCIe link as it is now; None where that is not said."""
    folder = ports.NET / interface / "device"
    speed, width = (leading_number(read_text(folder / f"current_link_{name}")) for name in ("speed", "width"))
    if not speed or not width:
        return None
    return f"x{width:g} at {speed:g} GT/s", speed * width * (128 / 130 if speed >= 8 else 8 / 10)


def leading_number(text):
    """16.0 of "16.0 GT/s PCIe"; 0 of "Unknown" and of nothing."""
    match = re.match(r"\d+(\.\d+)?", text or "")
    return float(match.group()) if match else 0.0


def active_mtu(device):
    """That of an RDMA device's port in bytes; None where ibv_devinfo is not there, or does not say."""
    shown = run("ibv_devinfo", "-d", device[0], "-i", str(device[1]))
    match = re.search(r"active_mtu:\s+(\d+)", shown.stdout)
    return int(match.group(1)) if shown.returncode == 0 and match else None


def possible_mtus(mtu):
    """Of RDMA, at an interface's MTU: near a limit a driver may take the size below, to have room for rarer headers."""
    return {max((size for size in RDMA_MTUS if size <= mtu - headers), default=0)
            for headers in (LEAST_HEADERS, MOST_HEADERS)}
