"""Which interface a port of the plan is. A port names it by PCI address, by MAC address, or outright."""

import os
import re
from pathlib import Path

from gradwire_host.system import Refused, read_text, run

NET = Path("/sys/class/net")
PCI = re.compile(r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")


def pci_address(interface, net=NET):
    """Of the PCI function that an interface sits on; None for one without."""
    path = os.path.realpath(net / interface / "device")
    found = [part for part in path.split("/") if PCI.fullmatch(part)]
    return found[-1] if found else None


def mac_address(interface, net=NET):
    return read_text(net / interface / "address")


def is_stacked(interface, net=NET):
    """Whether it is made of other interfaces (VLAN, bond, bridge) and so may have their MAC address."""
    folder = net / interface
    return any(folder.glob("lower_*")) or (folder / "bridge").exists() or (folder / "bonding").exists()


def describe(port):
    """How the plan names the port's interface: "PCI address 0000:3b:00.0"."""
    for key, words in (("pci", "PCI address"), ("mac", "MAC address"), ("interface", "name")):
        if port.get(key):
            return f"{words} {port[key]}"
    raise Refused(f"port {port.get('device')}: neither pci nor mac nor interface")


def matches(port, interface, net=NET):
    if port.get("pci"):
        return pci_address(interface, net) == full_pci(port["pci"])
    if port.get("mac"):
        return mac_address(interface, net) == port["mac"].lower() and not is_stacked(interface, net)
    return interface == port["interface"]


def full_pci(text):
    """3b:00.0 is 0000:3b:00.0."""
    text = text.lower()
    return text if text.count(":") == 2 else f"0000:{text}"


def find_interface(port, net=NET):
    """The port's interface as it is called now. Throws Refused when there is none, or more than one."""
    found = sorted(name.name for name in net.iterdir() if matches(port, name.name, net))
    if not found:
        raise Refused(f"there is no interface with {describe(port)}")
    if len(found) > 1:
        raise Refused(f"{describe(port)} is of {', '.join(found)}: name the port by its interface")
    return found[0]


def found_interfaces(plan, net=NET):
    """By port: the interface, or None."""
    found = []
    for port in plan["ports"]:
        try:
            found.append(find_interface(port, net))
        except Refused:
            found.append(None)
    return found


def give_names(plan):
    """Gives each port's interface the name that the plan has for it. Returns what was done."""
    renamed = [(found, port["device"]) for port, found in zip(plan["ports"], found_interfaces(plan))
               if found and found != port["device"]]
    for number, (found, _) in enumerate(renamed):  # by way of other names: two may have each other's
        run("ip", "link", "set", "dev", found, "down")
        run("ip", "link", "set", "dev", found, "name", f"gradwire{number}")
    for number, (found, device) in enumerate(renamed):
        if run("ip", "link", "set", "dev", f"gradwire{number}", "name", device).returncode != 0:
            run("ip", "link", "set", "dev", f"gradwire{number}", "name", found)
            raise Refused(f"{found} could not be called {device}")
    return [f"{found} is {device}" for found, device in renamed]


def give_rdma_names(plan):
    """Gives the RDMA device of each port the name that the plan has for it. Returns what was done. Throws Refused when one
    keeps another name, after the others have theirs."""
    wanted = {}
    for port, found in zip(plan["ports"], found_interfaces(plan)):
        device = port.get("rdma") and found and rdma_device(found)
        if device:
            wanted[device[0]] = port["rdma"]
    done, failed = rename_rdma(wanted)
    if failed:
        raise Refused("; ".join(failed))
    return done


def rename_rdma(wanted):
    """Renames RDMA devices, {name: other name}. Returns what was done and what was not, a line each."""
    by_way, failed, done = {}, [], []
    for now, then in wanted.items():  # by way of other names: two may have each other's
        if now == then:
            continue
        why = set_rdma_name(now, f"gradwire-{now}")
        if why is None:
            by_way[now] = then
        else:
            failed.append(f"RDMA device {now} could not be called {then}: {why}")
    for now, then in by_way.items():
        why = set_rdma_name(f"gradwire-{now}", then)
        if why is None:
            done.append(f"RDMA device {now} is {then}")
            continue
        failed.append(f"RDMA device {now} could not be called {then}: {why}")
        if set_rdma_name(f"gradwire-{now}", now) is not None:
            failed[-1] += f"; it is called gradwire-{now} now"
    return done, failed


def set_rdma_name(now, then):
    """None, or why not."""
    done = run("rdma", "dev", "set", now, "name", then)
    return None if done.returncode == 0 else done.stderr.strip() or f"rdma ended with {done.returncode}"


def rdma_device(interface, root=Path("/sys/class/infiniband")):
    """The RDMA device whose GIDs are of the interface: (device, port of the device), or None. Nearly always its first GID is;
    to read all of a thousand takes seconds."""
    tables = [((port.parents[1].name, int(port.name)), port / "gid_attrs/ndevs") for port in sorted(root.glob("*/ports/*"))]
    first = (found for found, owners in tables if read_text(owners / "0") == interface)
    any_of_it = (found for found, owners in tables if any(read_text(path) == interface for path in owners.glob("*")))
    return next(first, None) or next(any_of_it, None)
