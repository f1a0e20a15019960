"""What else of the kernel the roles set: sysctls, queues' priorities, type of service, interrupts, governors, modules."""

import re
from pathlib import Path

from gradwire_host import files, ports
from gradwire_host.system import read_text, run, run_json, write_text

TREES = ("net/core", "net/ipv4", "net/ipv6/conf/all", "vm", "kernel")
ASSIGNMENT = re.compile(r"^\s*-?([A-Za-z0-9_./*-]+)\s*=")
# Files of /sys and configfs with one value each, that the roles write.
VALUES = (
    "sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor",
    "sys/devices/system/cpu/cpu[0-9]*/cpuidle/state[0-9]*/disable",
    "proc/irq/[0-9]*/smp_affinity_list",
    "sys/class/net/*/ecn/roce_*/enable/[0-7]",
    "sys/class/net/*/ecn/roce_np/cnp_dscp",
    "sys/class/infiniband/*/tc/*/traffic_class",
    "sys/kernel/config/rdma_cm/*/ports/*/default_roce_tos",
)
RDMA_CM = "sys/kernel/config/rdma_cm"
DCBX_WORDS = ("host", "lld_managed", "cee", "ieee", "static")


def capture(interfaces, root=Path("/")):
    return {
        "sysctls": sysctls(root),
        "values": {f"/{path.relative_to(root)}": text for pattern in VALUES for path in sorted(root.glob(pattern))
                   if (text := read_text(path)) is not None},
        "dcb": {name: dcb_state(name) for name in interfaces if name},
        "modules": sorted(line.split()[0] for line in (read_text(root / "proc/modules") or "").splitlines()),
        "rdma_links": rdma_links(),
    }


def sysctls(root):
    """{"net/ipv4/ip_forward": "0"}; those of single interfaces are the network's."""
    found = {}
    for tree in TREES:
        for path in sorted((root / "proc/sys" / tree).rglob("*")):
            key = str(path.relative_to(root / "proc/sys"))
            one_interface = re.match(r"net/ipv[46]/(conf|neigh)/(?!all/|default/)", key)
            if one_interface or not path.is_file() or not path.stat().st_mode & 0o200:
                continue
            value = read_text(path)
            if value is not None and len(value) < 200:
                found[key] = value
    return found


def assigned(contents):
    """Keys that files of /etc/sysctl.d set, with slashes."""
    found = set()
    for text in contents:
        for line in text.splitlines():
            match = ASSIGNMENT.match(line)
            if match and not line.lstrip().startswith(("#", ";")):
                key = match.group(1)
                found.add(key if "/" in key else key.replace(".", "/"))
    return found


def assigned_now(root=Path("/")):
    """Keys that our files of /etc/sysctl.d set."""
    return assigned(read_text(path) or "" for path in files.managed(root) if "/etc/sysctl.d/" in path)


def dcb_state(interface):
    """What `dcb` says of an interface, in a form that it takes back; {} where the driver has none of it."""
    parts = {part: run_json("dcb", "-j", part, "show", "dev", interface) for part in ("app", "pfc", "ets", "dcbx")}
    if parts["ets"]:
        parts["ets"] = with_own_shares(parts["ets"])
    return {part: state for part, state in parts.items() if state}


def with_own_shares(ets):
    """Without shares of classes that are not ETS: mlx5 says 100 for each of these, which `dcb ets set` does not take."""
    return {**ets, "tc_bw": [share if tsa == "ets" else 0 for share, tsa in zip(ets["tc_bw"], ets["tc_tsa"])]}


def rdma_links():
    """Software RDMA devices: {device: interface}."""
    return {link["ifname"]: link.get("netdev") for link in run_json("rdma", "-j", "link", "show")
            if not Path(f"/sys/class/infiniband/{link['ifname']}/device").exists()}


def restore(was, keys, interfaces, same_boot, root=Path("/")):
    """`keys`: the sysctls that our files set, before these went. `same_boot`: whether the host has not booted since the
    snapshot. Returns what was done."""
    done = []
    for key in sorted(keys & was["sysctls"].keys()):
        path = root / "proc/sys" / key
        if read_text(path) != was["sysctls"][key]:
            done.append(f"{key} = {was['sysctls'][key]}" if write_text(path, was["sysctls"][key])
                        else f"{key} could not be set to {was['sysctls'][key]}")
    done += restore_values(was["values"], same_boot, root) + restore_tos(was["values"], interfaces, root)
    for interface in filter(None, interfaces):
        done += restore_dcb(interface, was["dcb"].get(interface, {}))
    return done + restore_rdma(was)


def restore_values(values, same_boot, root):
    """A boot gives interrupts new numbers, and new places: those of an earlier one are of other devices."""
    done = []
    for path, text in values.items():
        if path.startswith("/proc/irq/") and not same_boot:
            continue
        now = read_text(root / path.lstrip("/"))
        told = words_for(path, text)
        if now is not None and now != text:
            done.append(f"{path} = {told}" if write_text(root / path.lstrip("/"), told)
                        else f"{path} could not be set to {told}")
    return done


def words_for(path, text):
    """What a file is told so that it shows `text` again. A forced traffic class shows "Global tclass=106" when told 106, and
    nothing when told -1."""
    if not path.endswith("/traffic_class"):
        return text
    match = re.match(r"Global tclass=(\d+)", text)
    return match.group(1) if match else "-1"


def restore_tos(values, interfaces, root):
    """Takes away the folders of rdma_cm that were not there, which hold its module. The type of service is the device's and
    outlives them: it is 0 again, the kernel's own, by way of a folder of the name that the device has now."""
    home = root / RDMA_CM
    had = {path.split("/")[5] for path in values if path.startswith(f"/{RDMA_CM}/")}
    fresh = {folder for folder in home.glob("*") if folder.is_dir() and folder.name not in had}
    if not fresh:
        return []
    devices = [ports.rdma_device(interface, root / "sys/class/infiniband") for interface in filter(None, interfaces)]
    for name, _ in filter(None, devices):
        if name not in had and make_folder(home / name):
            fresh.add(home / name)
    return [line for folder in sorted(fresh) for line in take_away(folder)]


def make_folder(folder):
    """False where the kernel refuses."""
    try:
        folder.mkdir(exist_ok=True)
    except OSError:
        return False
    return True


def take_away(folder):
    """A folder of rdma_cm. Returns what was done."""
    done = [f"type of service of {folder.name} = 0" for path in sorted(folder.glob("ports/*/default_roce_tos"))
            if read_text(path) not in (None, "0") and write_text(path, "0")]
    try:
        folder.rmdir()
    except OSError as error:
        return [*done, f"{folder} could not be removed: {error.strerror}"]
    return [*done, f"removed {folder}"]


def restore_dcb(interface, wanted):
    """Puts back trust by DSCP, PFC and ETS, and last who says so: where that was the firmware, nothing can be set afterwards.
    Returns what was done, and what the driver refused."""
    now = dcb_state(interface)
    changes = [(("app", "del", "dev", interface, "dscp-prio", entry), f"no DSCP {entry}", f"DSCP {entry} could not be removed")
               for entry in sorted(set(dscp_entries(now)) - set(dscp_entries(wanted)))]
    changes += [(("app", "add", "dev", interface, "dscp-prio", entry), f"DSCP {entry}", f"DSCP {entry} could not be restored")
                for entry in sorted(set(dscp_entries(wanted)) - set(dscp_entries(now)))]
    changes += [((part, "set", "dev", interface, *words), f"{part} as before", f"{part} could not be restored")
                for part in ("pfc", "ets", "dcbx")
                if (words := dcb_words(part, wanted.get(part))) and words != dcb_words(part, now.get(part))]
    return [f"{interface}: {done if run('dcb', *words).returncode == 0 else failed}" for words, done, failed in changes]


def dscp_entries(state):
    """["26:3", ...]"""
    app = state.get("app") or {}
    return [f"{dscp}:{priority}" for dscp, priority in app.get("dscp_prio", [])] if isinstance(app, dict) else []


def dcb_words(part, state):
    """What `dcb PART set` is told to make it so; [] for a state that is not known."""
    if not state:
        return []
    if part == "dcbx":
        return [word.replace("_", "-") for word in DCBX_WORDS if state.get(word)]
    if part == "pfc":
        return ["prio-pfc", *(f"{priority}:{'on' if on else 'off'}" for priority, on in enumerate(state["prio_pfc"]))]
    return ["tc-tsa", *(f"{tc}:{tsa}" for tc, tsa in enumerate(state["tc_tsa"])),
            "prio-tc", *(f"{priority}:{tc}" for priority, tc in enumerate(state["prio_tc"])),
            "tc-bw", *(f"{tc}:{share}" for tc, share in enumerate(state["tc_bw"]))]


def restore_rdma(was):
    """Takes away software RDMA devices and modules that were not there. A module in use stays, and is named."""
    done = []
    for device in sorted(set(rdma_links()) - set(was["rdma_links"])):
        run("rdma", "link", "delete", device)
        done.append(f"removed RDMA device {device}")
    loaded = {line.split()[0] for line in (read_text("/proc/modules") or "").splitlines()}
    for module in sorted((loaded - set(was["modules"])) & {"rdma_rxe", "rdma_ucm", "rdma_cm", "ib_uverbs", "mlx5_ib"}):
        gone = run("modprobe", "-r", module).returncode == 0
        done.append(f"unloaded {module}" if gone else f"module {module} is in use and stays until the next boot")
    return done
