"""Clock frequency, idle states and interrupts: what a host forgets when it boots."""

import json
from pathlib import Path

from gradwire_host import ports
from gradwire_host.system import Refused, read_text, write_text

SETTINGS = Path("/usr/local/lib/gradwire/host-tuning.json")


def apply(plan, settings, root=Path("/")):
    """Returns what was changed, a line each. Throws Refused when the kernel takes a setting not at all."""
    return (set_governor(settings.get("governor"), root) + limit_idle(settings.get("idle_latency_us", -1), root)
            + (pin_interrupts(plan, root) if settings.get("irq_affinity") else []))


def read_settings():
    return json.loads(read_text(SETTINGS) or "{}")


def set_governor(wanted, root):
    """Of the CPUs that are on: nobody can ask one that is off (SMT) for its governors, or set one."""
    done = []
    for path in sorted(root.glob("sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor")) if wanted else []:
        if read_text(path.parents[1] / "online") == "0":
            continue
        if wanted not in (read_text(path.with_name("scaling_available_governors")) or "").split():
            raise Refused(f"{path.parent.parent.name} has no governor {wanted}")
        done += set_value(path, wanted)
    return done


def limit_idle(longest_us, root):
    """Disables idle states that take longer to leave; -1 leaves them as they are."""
    done = []
    for state in sorted(root.glob("sys/devices/system/cpu/cpu[0-9]*/cpuidle/state[0-9]*")) if longest_us >= 0 else []:
        slow = int(read_text(state / "latency") or 0) > longest_us
        done += set_value(state / "disable", "1" if slow else "0")
    return done


def pin_interrupts(plan, root):
    """Interrupts of each data port go to the CPUs of its NUMA node, one after the other."""
    done = []
    for interface in filter(None, ports.found_interfaces(plan)):
        device = root / "sys/class/net" / interface / "device"
        cpus = cpu_list(read_text(device / "local_cpulist") or "")
        interrupts = sorted((path.name for path in device.glob("msi_irqs/*")), key=int)
        for number, interrupt in enumerate(interrupts if cpus else []):
            done += set_value(root / "proc/irq" / interrupt / "smp_affinity_list", str(cpus[number % len(cpus)]))
    return done


def cpu_list(text):
    """"0-2,8" is [0, 1, 2, 8]."""
    found = []
    for part in filter(None, text.strip().split(",")):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def set_value(path, wanted):
    if read_text(path) == wanted:
        return []
    if not write_text(path, wanted):
        return []  # an interrupt that the kernel keeps where it is
    return [f"{path} = {wanted}"]
