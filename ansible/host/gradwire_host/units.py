"""Units of systemd that the roles enable, disable, start and stop."""

from gradwire_host.system import Refused, run

OTHERS = ("systemd-networkd.socket", "systemd-networkd.service", "systemd-networkd-wait-online.service",
          "irqbalance.service", "lldpd.service", "lldpad.service", "lldpad.socket")


def states(units):
    """{unit: {"enabled": as systemctl is-enabled says or "absent", "active": as systemctl is-active says}}"""
    shown = run("systemctl", "show", "--property=UnitFileState,ActiveState", *units)
    if shown.returncode != 0:
        raise Refused(f"systemd does not say what its units do: {shown.stderr.strip()}")
    found = [dict(line.split("=", 1) for line in block.splitlines()) for block in shown.stdout.strip().split("\n\n")]
    return {unit: {"enabled": one["UnitFileState"] or "absent", "active": one["ActiveState"]}
            for unit, one in zip(units, found, strict=True)}


def ours():
    """Our own units that are loaded, instances of templates included."""
    listed = run("systemctl", "list-units", "--all", "--plain", "--no-legend", "gradwire-*").stdout
    names = [line.split()[0] for line in listed.splitlines() if line.split()]
    return [name for name in names if not name.startswith("gradwire-rollback.")]


def capture():
    return states([*OTHERS, *ours()])


def stop_ours(wanted):
    """Stops those of our units that did not run, while their files are still there: stopping is what undoes them."""
    done = []
    for unit in ours():
        if wanted.get(unit, {}).get("active") != "active" and states([unit])[unit]["active"] != "inactive":
            run("systemctl", "disable", "--now", unit)
            done.append(f"stopped {unit}")
    return done


def restore(wanted):
    """Enables, disables, starts and stops what differs. Returns what was done."""
    done = []
    for unit, was in wanted.items():
        now = states([unit])[unit]
        if was["enabled"] != now["enabled"] and was["enabled"] in ("enabled", "disabled", "masked"):
            if now["enabled"] == "masked":
                run("systemctl", "unmask", unit)
            run("systemctl", {"enabled": "enable", "disabled": "disable", "masked": "mask"}[was["enabled"]], unit)
            done.append(f"{unit} is {was['enabled']} again")
        if was["active"] == "inactive" and now["active"] in ("active", "activating", "failed"):
            run("systemctl", "stop", unit)
            run("systemctl", "reset-failed", unit)
            done.append(f"stopped {unit}")
        if was["active"] == "active" and now["active"] != "active":
            run("systemctl", "start", unit)
            done.append(f"started {unit}")
    return done
