"""Snapshots on the disk: taken, listed, restored; and the timer that restores one by itself."""

import datetime
import fcntl
import json
import os
from contextlib import contextmanager
from pathlib import Path

from gradwire_host import files, kernel, network, ports, units
from gradwire_host.protect import read_boot_id
from gradwire_host.system import Refused, read_text, run, run_json, sync_folder, write_durable

HOME = Path("/var/lib/gradwire")
SNAPSHOTS = HOME / "snapshots"
PLAN = HOME / "plan.json"
ARMED = HOME / "armed.json"
ROLLED_BACK = HOME / "rolled-back.json"  # since it was armed last
UNITS = Path("/etc/systemd/system")
TIMER = "gradwire-rollback.timer"
SERVICE = "gradwire-rollback.service"
KEPT = 20  # snapshots, besides those of a host without any file of ours


def utc_now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


@contextmanager
def only_one():
    """Of a timer's rollback and an operator's, the second waits."""
    HOME.mkdir(parents=True, exist_ok=True)
    with open(HOME / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def read_plan():
    text = read_text(PLAN)
    if text is None:
        raise Refused(f"there is no {PLAN}: site.yml writes it")
    return json.loads(text)


def names():
    """Of complete snapshots, oldest first."""
    return sorted(path.parent.name for path in SNAPSHOTS.glob("*/snapshot.json"))


def load(name):
    text = read_text(SNAPSHOTS / name / "snapshot.json")
    if text is None:
        raise Refused(f"there is no snapshot {name}; there are: {', '.join(names()) or 'none'}")
    return json.loads(text)


def original():
    """What this host was before Gradwire: the newest snapshot without any file of ours, or, where there has always been one (a
    gradwire that somebody put there by hand), the first snapshot."""
    known = names()
    if not known:
        raise Refused("there is no snapshot of this host from before its first change")
    return next((name for name in reversed(known) if load(name)["bare"]), known[0])


def capture(plan, store):
    captured_network = network.capture(plan)
    held = files.capture(store)
    return {
        "gradwire-snapshot": 1, "host": plan["host"], "taken": utc_now(), "boot_id": read_boot_id(), "bare": not held,
        "files": held, "folders": files.folders(), "network": captured_network, "units": units.capture(),
        "kernel": kernel.capture([port["found"] for port in captured_network["ports"]]), "packages": package_list(),
    }


def package_list():
    listed = run("dpkg-query", "-W", "-f", "${binary:Package} ${Version}\n")
    return listed.stdout.splitlines() if listed.returncode == 0 else []


def take(plan):
    """Keeps the plan, takes a snapshot and returns its name: the newest one's when nothing has changed since."""
    write_durable(PLAN, json.dumps(plan, indent=1), 0o644)
    stem = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%S.%fZ")
    folder = SNAPSHOTS / stem
    folder.mkdir(parents=True, mode=0o700)
    state = capture(plan, folder / "files")
    last = names()[-1:]
    if last and same(load(last[0]), state):
        remove(folder)
        return last[0]
    for path in (folder / "files").glob("*"):
        with open(path, "rb") as file:
            os.fsync(file.fileno())
    write_durable(folder / "snapshot.json", json.dumps(state, indent=1))
    sync_folder(SNAPSHOTS)
    prune()
    return stem


def same(one, other):
    """Whether two snapshots would restore the same."""
    def restored(state):
        links = {name: (link["mtu"], "UP" in link["flags"], network.own_addresses(link))
                 for name, link in state["network"]["links"].items()}
        routes = {name: network.own_routes(state["network"]["routes"], name) for name in links}
        our_units = {unit: was for unit, was in state["units"].items() if unit in units.OTHERS}
        return (state["files"], links, routes, state["network"]["sysctls"], state["network"]["ports"], our_units,
                state["packages"], state["kernel"]["values"], state["kernel"]["dcb"])
    return json.dumps(restored(one)) == json.dumps(restored(other))


def prune():
    other = [name for name in names()[1:] if not load(name)["bare"]]
    armed = read_armed().get("snapshot")
    for name in other[:-KEPT]:
        if name != armed:
            remove(SNAPSHOTS / name)


def remove(folder):
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    folder.rmdir()


def keys_ever_set():
    """Sysctls that our files set now, or did when a snapshot was taken."""
    keys = kernel.assigned_now()
    for name in names():
        for path, entry in load(name)["files"].items():
            if "/etc/sysctl.d/" in path and "content" in entry:
                keys |= kernel.assigned([files.decoded(entry)])
    return keys


def roll_back(name):
    """Restores a snapshot. Returns what was done, a line each; it is also kept beside the snapshot."""
    state = load(name)
    keys = keys_ever_set()
    done = units.stop_ours(state["units"])
    changed = files.restore(state["files"], SNAPSHOTS / name / "files") + files.remove_folders(state["folders"])
    files.reread(changed)
    done += changed + units.restore(state["units"]) + network.restore(state["network"])
    done += kernel.restore(state["kernel"], keys, [port["found"] for port in state["network"]["ports"]],
                           same_boot=state["boot_id"] == read_boot_id())
    write_durable(ROLLED_BACK, json.dumps({"snapshot": name, "at": utc_now(), "done": done}, indent=1))
    disarm()
    return done


def read_armed():
    text = read_text(ARMED)
    return json.loads(text) if text else {}


def read_rolled_back():
    return json.loads(read_text(ROLLED_BACK) or "{}")


def armed_snapshot():
    """The one that a play may have to go back to. When the time is up in mid-play, what the play did afterwards is to be
    undone, too."""
    found = read_armed() or read_rolled_back()
    if not found:
        raise Refused("this host is not armed")
    return found["snapshot"]


def way_back():
    """The snapshot that a play goes back to: the newest. When an earlier play neither confirmed nor went back, that one's:
    what it left behind is nothing to keep."""
    return read_armed().get("snapshot") or names()[-1]


def arm(name, seconds):
    """Rolls back by itself after so many seconds from now, or from the next boot, unless disarmed."""
    load(name)
    ROLLED_BACK.unlink(missing_ok=True)
    write_durable(ARMED, json.dumps({"snapshot": name, "seconds": seconds, "at": utc_now(), "boot_id": read_boot_id()}))
    write_durable(UNITS / SERVICE, SERVICE_TEXT, 0o644)
    write_durable(UNITS / TIMER, TIMER_TEXT.format(seconds=seconds), 0o644)
    for words in (("enable", TIMER), ("restart", TIMER)):  # enabling rereads all units
        done = run("systemctl", *words)
        if done.returncode != 0:
            disarm()
            raise Refused(f"systemctl {' '.join(words)}: {done.stderr.strip()}")
    os.sync()


def disarm():
    run("systemctl", "disable", "--no-reload", TIMER)
    for name in (TIMER, SERVICE):
        (UNITS / name).unlink(missing_ok=True)
    ARMED.unlink(missing_ok=True)
    run("systemctl", "stop", TIMER)
    run("systemctl", "daemon-reload")
    os.sync()


def confirm():
    """Disarms. Throws Refused when the time was up: the host is as it was before the play, then."""
    armed = read_armed()
    if not armed:
        last = read_rolled_back()
        raise Refused(f"nothing to confirm: this host was rolled back to {last['snapshot']} at {last['at']}"
                      if last else "nothing to confirm: this host was never armed")
    disarm()
    return armed["snapshot"]


def report():
    """What `guard show` prints."""
    armed = read_armed()
    return {"snapshots": [{"name": name, **{key: load(name)[key] for key in ("taken", "bare", "boot_id")}}
                          for name in names()],
            "armed": armed, "rolled_back": read_rolled_back(),
            "ports": [{"port": number, "device": port["device"], "found": found, "rdma": found and ports.rdma_device(found)}
                      for number, (port, found) in
                      enumerate(zip(read_plan()["ports"], ports.found_interfaces(read_plan())))],
            "links": [link["ifname"] for link in run_json("ip", "-j", "link", "show")]}


SERVICE_TEXT = """\
[Unit]
Description=Gradwire: back to the snapshot, because nobody confirmed the new settings
[Service]
Type=oneshot
TimeoutStartSec=900
ExecStart=/usr/local/lib/gradwire/guard rollback --armed
"""

TIMER_TEXT = """\
[Unit]
Description=Gradwire: rolls back unless the new settings are confirmed
[Timer]
OnActiveSec={seconds}s
AccuracySec=1s
[Install]
WantedBy=timers.target
"""
