"""Trust by DSCP, PFC, ETS, ECN and the type of service of RDMA on a data port: what a host forgets when it boots.

`settings` is host-qos.json, which the role qos writes: provider, lossless, dscp, priority, tos, cnp_dscp, share.
"""

import json
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from gradwire_host import checks, kernel, ports
from gradwire_host.checks import Outcome
from gradwire_host.system import Refused, read_text, run, write_text

SETTINGS = Path("/usr/local/lib/gradwire/host-qos.json")
PRIORITIES = 8
DCBX = "DCBX by"
# Ethernet drivers that have an RDMA driver beside them. udev loads it some time after the interface is there.
RDMA_DRIVERS = ("bnxt_en", "cxgb4", "hns3", "i40e", "ice", "idpf", "mana", "mlx4_core", "mlx5_core", "qede")
RDMA_SECONDS = 30
CARRIER_SECONDS = 20
TOGGLE_SECONDS = 1  # a changed link may take so long to go down


class Difference(NamedTuple):
    """A setting that is not as wanted, and the dcb commands, each a tuple of words, that mend it."""

    what: str
    wanted: str
    found: str
    commands: tuple = ()


class Value(NamedTuple):
    """A file of the kernel and what it should hold. A file that every driver has is there always."""

    name: str
    path: Path
    wanted: str
    always: bool = False


def read_settings():
    return json.loads(read_text(SETTINGS) or '{"provider": "none"}')


def apply(interface, settings, rdma_seconds=0):
    """Returns what was changed, a line each. Throws Refused where the interface or its driver cannot do it.

    `rdma_seconds`: how long to wait for the interface's RDMA device, if it is to have one.
    """
    if settings["provider"] == "none":
        return []
    done = {"dcb": apply_dcb, "mlnx_qos": apply_mlnx_qos}[settings["provider"]](interface, settings)
    if rdma_seconds and not wait_for_rdma(interface, rdma_seconds):
        print(f"{interface}: no RDMA device within {rdma_seconds} s, whose type of service could be set", file=sys.stderr)
    return done + set_values(interface, settings)


def require(interface, *words):
    done = run(*words)
    if done.returncode != 0:
        raise Refused(f"{interface}: {' '.join(words)}: {(done.stderr or done.stdout).strip()}")


def wait_until(holds, seconds):
    """Waits until holds() is true, and returns whether it was within so many seconds."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.2)
    return True


def wait_for_rdma(interface, seconds, root=Path("/")):
    """Waits until the interface's RDMA device is there under its final name, and returns whether it is.

    Returns True at once for an interface whose driver makes no RDMA device.
    """
    if (root / "sys/class/net" / interface / "device/driver").resolve().name not in RDMA_DRIVERS:
        return True
    there = wait_until(lambda: ports.rdma_device(interface, root / "sys/class/infiniband"), seconds)
    run("udevadm", "settle", "--timeout=10")  # udev gives it the plan's name
    return there


@contextmanager
def carrier_kept(interface):
    """Waits after a change until a link that was up is up again, since mlx5 takes it down to change PFC or trust."""
    def has_carrier():
        return read_text(ports.NET / interface / "carrier") == "1"

    had = has_carrier()
    yield
    if had:
        time.sleep(TOGGLE_SECONDS)
        wait_until(has_carrier, CARRIER_SECONDS)


def wanted_pfc(settings):
    return [settings["lossless"] and number == settings["priority"] for number in range(PRIORITIES)]


def wanted_ets(settings):
    """The priority of RDMA has a traffic class of its own with its share. All others have class 0 with the rest."""
    own = settings["priority"]
    share = settings["share"]
    return {"tc_tsa": ["ets" if tc in (0, own) else "strict" for tc in range(PRIORITIES)],
            "prio_tc": [own if priority == own else 0 for priority in range(PRIORITIES)],
            "tc_bw": [100 - share if tc == 0 else share if tc == own else 0 for tc in range(PRIORITIES)]}


def compare_dcb(interface, settings):
    """The Differences of trust, PFC and ETS from the settings, or None where dcb cannot say."""
    now = kernel.dcb_state(interface)
    if not now:
        return None
    found = compare_dcbx(interface, now) + compare_trust(interface, settings, now)
    for part, name, wanted in (("pfc", "PFC", {"prio_pfc": wanted_pfc(settings)}), ("ets", "ETS", wanted_ets(settings))):
        words = kernel.dcb_words(part, wanted)
        state = kernel.dcb_words(part, now.get(part))
        if words != state:
            found.append(Difference(name, told(part, words), told(part, state), ((part, "set", "dev", interface, *words),)))
    return found


def told(part, words):
    """What messages say of the words of dcb. Of PFC they name only the priorities that are paused."""
    if part == "ets" or not words:
        return " ".join(words) or "unknown"
    return "on " + (" ".join(word.split(":")[0] for word in words if word.endswith(":on")) or "nothing")


def compare_dcbx(interface, now):
    """The Difference of a port whose firmware negotiates priorities, since it overrules what the host sets."""
    state = now.get("dcbx")
    if not state or (not state.get("lld_managed") and (state.get("host") or state.get("static"))):
        return []
    words = " ".join(kernel.dcb_words("dcbx", state))
    return [Difference(DCBX, "the host", f"the firmware ({words})", (("dcbx", "set", "dev", interface, "host", "ieee"),))]


def compare_trust(interface, settings, now):
    """The Difference of a port on which the DSCP of RDMA has another priority or none, and so is not trusted."""
    wanted, dscp = str(settings["priority"]), settings["dscp"]
    found = [entry.split(":")[1] for entry in kernel.dscp_entries(now) if entry.split(":")[0] == str(dscp)]
    if found == [wanted]:
        return []
    commands = [("app", "del", "dev", interface, "dscp-prio", f"{dscp}:{one}") for one in found if one != wanted]
    if wanted not in found:
        commands.append(("app", "add", "dev", interface, "dscp-prio", f"{dscp}:{wanted}"))
    return [Difference(f"priority of DSCP {dscp}", wanted, " ".join(found) or "none", tuple(commands))]


def apply_dcb(interface, settings):
    found = compare_dcb(interface, settings)
    if found is None:
        raise Refused(f"{interface}: its driver knows no DCB; qos_provider: none, or mlnx_qos, goes without")
    if found:
        with carrier_kept(interface):
            for words in (words for one in found for words in one.commands):
                require(interface, "dcb", *words)
    return [f"{interface}: {one.what} = {one.wanted}" for one in found]


def apply_mlnx_qos(interface, settings):
    """Sets trust, PFC and ETS with mlnx_qos, and returns what was changed.

    Where dcb cannot say what is set, all of it is set again every time and none of it returned. mlnx_qos takes the
    priority of a DSCP after trust, in a call of its own, since trust changes the priorities of all DSCPs.
    """
    found = compare_dcb(interface, settings)
    if found == []:
        return []
    pfc = ",".join("1" if on else "0" for on in wanted_pfc(settings))
    ets = wanted_ets(settings)
    with carrier_kept(interface):
        for words in (words for one in found or [] if one.what == DCBX for words in one.commands):
            require(interface, "dcb", *words)
        require(interface, "mlnx_qos", "-i", interface, "--trust", "dscp", "--pfc", pfc,
                "--prio_tc", ",".join(map(str, ets["prio_tc"])), "--tsa", ",".join(ets["tc_tsa"]),
                "--tcbw", ",".join(map(str, ets["tc_bw"])))
        require(interface, "mlnx_qos", "-i", interface, "--dscp2prio", f"set,{settings['dscp']},{settings['priority']}")
    return [f"{interface}: {one.what} = {one.wanted}" for one in found or []]


def wanted_values(interface, settings, device, root):
    """The files of the kernel that the settings concern. Not every driver has all of them."""
    ecn, tos = root / "sys/class/net" / interface / "ecn", str(settings["tos"])
    found = [Value("answers to marks", ecn / f"roce_np/enable/{settings['priority']}", "1"),
             Value("heed of answers", ecn / f"roce_rp/enable/{settings['priority']}", "1"),
             Value("DSCP of CNP", ecn / "roce_np/cnp_dscp", str(settings["cnp_dscp"]))]
    if device:
        name, port = device
        by_rdma_cm = tos_folder(device, root) / f"ports/{port}/default_roce_tos"
        found += [Value("type of service by rdma_cm", by_rdma_cm, tos, always=True),
                  Value("forced traffic class", root / f"sys/class/infiniband/{name}/tc/{port}/traffic_class", tos)]
    return found


def compare_values(interface, settings, root=Path("/")):
    """(differences, names of the values that are as wanted, names of the values that this driver has no file for)"""
    device = ports.rdma_device(interface, root / "sys/class/infiniband")
    odd = [] if device else [Difference("type of service of RDMA", str(settings["tos"]), "unknown (no RDMA device)")]
    right, absent = [], []
    for value in wanted_values(interface, settings, device, root):
        now = read_value(value.path)
        if now == value.wanted:
            right.append(value.name)
        elif now is not None:
            odd.append(Difference(str(value.path), value.wanted, now))
        elif value.always:
            odd.append(Difference(value.name, value.wanted, "none"))
        else:
            absent.append(value.name)
    return odd, right, absent


def not_settable(names):
    return f"not settable by this driver: {', '.join(names)}"


def tos_folder(device, root):
    return root / "sys/kernel/config/rdma_cm" / device[0]


def read_value(path):
    """What a file of the kernel holds: "106" of "Global tclass=106", None where there is no file."""
    lines = (text.splitlines() or [""]) if (text := read_text(path)) is not None else None
    return lines and lines[0].rpartition("=")[2].strip()


def set_values(interface, settings, root=Path("/")):
    """Sets the answers to marks and the types of service of RDMA, and returns what was changed."""
    device = ports.rdma_device(interface, root / "sys/class/infiniband")
    if device and (root / "sys/kernel/config/rdma_cm").is_dir():
        tos_folder(device, root).mkdir(exist_ok=True)
    odd, _, absent = compare_values(interface, settings, root)
    if absent:
        print(f"{interface}: {not_settable(absent)}", file=sys.stderr)
    return [f"{one.what} = {one.wanted}" for one in odd
            if Path(one.what).is_file() and write_text(one.what, one.wanted)]


def finding(plan, outcome, number=None):
    """A line of verification.json about the priorities of a host, or of one of its ports."""
    return checks.finding(plan, "qos", outcome, number)


def check_qos(plan, root=Path("/")):
    """Checks that the data ports are as host-qos.json says, and that this file says what the plan does."""
    settings = read_settings()
    planned = plan.get("qos", settings)
    if settings["provider"] == planned["provider"] == "none":
        return [finding(plan, Outcome(True, "none", "none", "priorities are left as they are"))]
    odd = [name for name in planned if settings.get(name) != planned[name]]
    if odd:
        wanted, found = (", ".join(f"{name} {one.get(name)}" for name in odd) for one in (planned, settings))
        return [finding(plan, Outcome(False, wanted, found, f"{SETTINGS} says {found}, plan says {wanted}"))]
    return rival_findings(plan) + [one for number, port in checks.present(plan)
                                   for one in port_findings(plan, number, port["device"], settings, root)]


def rival_findings(plan):
    """Reports a running lldpad, which overwrites the priorities with those that it negotiates."""
    if run("systemctl", "is-active", "lldpad").stdout.strip() != "active":
        return []
    return [finding(plan, Outcome(False, "no lldpad", "lldpad", "lldpad is active, which overwrites these priorities"))]


def port_findings(plan, number, interface, settings, root):
    of_dcb = compare_dcb(interface, settings)
    odd, right, absent = compare_values(interface, settings, root)
    found = [Outcome(False, one.wanted, one.found, f"{one.what} {one.found}, wanted {one.wanted}")
             for one in (of_dcb or []) + odd]
    if of_dcb is None:
        found.insert(0, Outcome(False, "an answer of dcb", "none",
                                "dcb cannot say what its priorities are: its driver knows no DCB"))
    words = "lossless" if settings["lossless"] else "lossy"
    text = f"{', '.join(['trust', 'PFC', 'ETS', *right])} as wanted: {words}"
    text += f"; {not_settable(absent)}" if absent else ""
    return [finding(plan, outcome, number) for outcome in found or [Outcome(True, words, words, text)]]
