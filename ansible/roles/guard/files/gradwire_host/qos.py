"""Trust by DSCP, PFC, ETS, ECN and the type of service of RDMA on a data port: what a host forgets when it boots.

`settings` is host-qos.json, which the role qos writes: provider, lossless, dscp, priority, tos, cnp_dscp, share.
"""

import json
from pathlib import Path

from gradwire_host import kernel, ports
from gradwire_host.system import Refused, read_text, run, write_text

SETTINGS = Path("/usr/local/lib/gradwire/host-qos.json")
PRIORITIES = 8


def read_settings():
    return json.loads(read_text(SETTINGS) or '{"provider": "none"}')


def apply(interface, settings):
    """Returns what was changed, a line each. Throws Refused where the interface or its driver cannot do it."""
    if settings["provider"] == "none":
        return []
    change = {"dcb": apply_dcb, "mlnx_qos": apply_mlnx_qos}[settings["provider"]]
    return (change(interface, settings) + set_ecn(interface, settings)
            + set_type_of_service(interface, settings))


def require(interface, *words):
    done = run(*words)
    if done.returncode != 0:
        raise Refused(f"{interface}: {' '.join(words)}: {(done.stderr or done.stdout).strip()}")


def wanted_pfc(settings):
    return [settings["lossless"] and number == settings["priority"] for number in range(PRIORITIES)]


def wanted_ets(settings):
    """Priority `priority` has a traffic class of its own with its share, all others the class 0 with the rest."""
    own = settings["priority"]
    share = settings["share"]
    return {"tc_tsa": ["ets" if tc in (0, own) else "strict" for tc in range(PRIORITIES)],
            "prio_tc": [own if priority == own else 0 for priority in range(PRIORITIES)],
            "tc_bw": [100 - share if tc == 0 else share if tc == own else 0 for tc in range(PRIORITIES)]}


def differs(interface, settings):
    """What of DCB is not as wanted, as [(what, words of dcb)]."""
    now = kernel.dcb_state(interface)
    if not now:
        raise Refused(f"{interface}: its driver knows no DCB; qos_provider: none, or mlnx_qos, goes without")
    found = []
    entry = f"{settings['dscp']}:{settings['priority']}"
    old = [one for one in kernel.dscp_entries(now) if one.split(":")[0] == str(settings["dscp"]) and one != entry]
    found += [(f"no DSCP {one}", ("app", "del", "dev", interface, "dscp-prio", one)) for one in old]
    if entry not in kernel.dscp_entries(now):
        found.append((f"DSCP {entry}", ("app", "add", "dev", interface, "dscp-prio", entry)))
    for part, wanted in (("pfc", {"prio_pfc": wanted_pfc(settings)}), ("ets", wanted_ets(settings))):
        if any((now.get(part) or {}).get(key) != value for key, value in wanted.items()):
            found.append((part, (part, "set", "dev", interface, *kernel.dcb_words(part, wanted))))
    return found


def apply_dcb(interface, settings):
    done = []
    for what, words in differs(interface, settings):
        require(interface, "dcb", *words)
        done.append(f"{interface}: {what}")
    return done


def apply_mlnx_qos(interface, settings):
    """mlnx_qos cannot be asked in a form for programs: set again every time, and said not to have changed anything. It takes
    trust and the priority of a DSCP only one after the other; trust puts every DSCP at a priority of its own choice."""
    pfc = ",".join("1" if on else "0" for on in wanted_pfc(settings))
    ets = wanted_ets(settings)
    require(interface, "mlnx_qos", "-i", interface, "--trust", "dscp", "--pfc", pfc,
            "--prio_tc", ",".join(map(str, ets["prio_tc"])), "--tsa", ",".join(ets["tc_tsa"]),
            "--tcbw", ",".join(map(str, ets["tc_bw"])))
    require(interface, "mlnx_qos", "-i", interface, "--dscp2prio", f"set,{settings['dscp']},{settings['priority']}")
    return []


def set_ecn(interface, settings, root=Path("/sys/class/net")):
    """DCQCN's two ends, where the driver has them (mlx5): marks are answered, and answers heeded."""
    folder = root / interface / "ecn"
    done = []
    for path, wanted in ((folder / f"roce_np/enable/{settings['priority']}", "1"),
                         (folder / f"roce_rp/enable/{settings['priority']}", "1"),
                         (folder / "roce_np/cnp_dscp", str(settings["cnp_dscp"]))):
        done += set_value(path, wanted)
    return done


def set_type_of_service(interface, settings):
    """Of connections by rdma_cm, and of all others where the driver can force it."""
    found = ports.rdma_device(interface)
    if not found:
        return []
    device, port = found
    cm = Path("/sys/kernel/config/rdma_cm")
    done = []
    if cm.is_dir():
        (cm / device).mkdir(exist_ok=True)
        done += set_value(cm / device / f"ports/{port}/default_roce_tos", str(settings["tos"]))
    return done + set_value(Path(f"/sys/class/infiniband/{device}/tc/{port}/traffic_class"), str(settings["tos"]))


def set_value(path, wanted):
    now = read_text(path)
    if now is None or now.split()[-1:] == [wanted]:
        return []
    return [f"{path} = {wanted}"] if write_text(path, wanted) else []
