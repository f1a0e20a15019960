"""BCube(2,2) of four hosts, and Ansible on it."""

import json
import os
import re
import subprocess
import time
from pathlib import Path

import yaml

from lab.containers import Container
from lab.hosts import USER, Lab
from lab.sandbox import run

PLAYS = Path(__file__).resolve().parents[3] / "ansible"
NAMES = ("red", "green", "blue", "white")
# What verify.yml says after swap_cables.
SWAPPED = ("red port 1 (bc1): is on switch L1-1, plan says L1-0", "green port 1 (bc1): is on switch L1-0, plan says L1-1")


def cabling():
    """{host: [switch of port 0, of port 1]}"""
    return {name: [f"L0-{rank // 2}", f"L1-{rank % 2}"] for rank, name in enumerate(NAMES)}


STATE = r"""
ip -j -d address show; echo; ip -j -4 route show table all; echo; ip -j -6 route show table all; echo; ip -j rule show; echo
find /proc/sys/net -type f -perm -200 ! -name '*secret*' ! -name '*_key' 2>/dev/null | sort | xargs grep -s ""
find /etc /usr/local -not -path '/usr/local/lib/gradwire*' | sort | while read -r one; do stat -c '%n %A %U %G %N' "$one"; done
find /etc /usr/local -type f -not -path '/usr/local/lib/gradwire*' -exec sha256sum {} + | sort
systemctl list-unit-files --no-legend --plain
systemctl list-units --all --no-legend --plain --type=service,timer,socket | awk '{print $1, $2, $3}' | sort
"""
VOLATILE = re.compile("session-|user@|user-runtime-dir|systemd-update-utmp|systemd-network-generator|"
                      "apt-daily|dpkg-db|e2scrub|fstrim")


def state(host):
    """All that must be again as it was: links, addresses, routes, sysctls, files and units. Packages stay."""
    lines = host.root_ssh(STATE, seconds=60).splitlines()
    return [line for line in (normal(line) for line in lines) if line and not VOLATILE.search(line)]


def normal(line):
    """Lines of JSON without what the clock or a cable that was plugged in again changes, in an order of their own."""
    if not line.startswith("["):
        return line
    entries = json.loads(line)
    for entry in entries:
        for key in ("ifindex", "link_index"):
            entry.pop(key, None)
        if entry.get("operstate") == "DOWN":
            entry.pop("qdisc", None)  # none before it is up for the first time, noqueue ever after
        for address in entry.get("addr_info", []):
            for key in ("valid_life_time", "preferred_life_time", "tentative"):
                address.pop(key, None)
    return json.dumps(sorted(entries, key=json.dumps))


def differences(before, after):
    was, now = set(before), set(after)
    return [f"- {line}" for line in before if line not in now] + [f"+ {line}" for line in after if line not in was]


class Testbed:
    """The lab, its inventory, and what playbooks are called with: `words`, and variables. `kind`: of hosts."""

    def __init__(self, kind, cache, scratch, *words, **extra):
        self.lab = Lab(kind, cache, scratch, cabling())
        self.hosts = self.lab.hosts
        self.folder = self.lab.scratch / "testbed"
        self.folder.mkdir()
        self.words = words
        self.extra = extra

    def make_inventory(self, program):
        """Lets gradwire write the inventory, from hosts.csv."""
        rows = ["name,address,user,control_device,port0,port1"]
        for rank, name in enumerate(NAMES):
            host = self.lab.hosts[name]
            nics = [next(iter(host.nic(port).values())) for port in range(len(host.cables))]
            rows.append(",".join([name, host.address, USER, host.control_device, *nics]))
        (self.folder / "hosts.csv").write_text("\n".join(rows) + "\n")
        run(program, "topo", "inventory", "bcube(2,2)", "--hosts", self.folder / "hosts.csv", "-o", self.folder,
            "--program", "/usr/local/bin/gradwire")
        self.extra["deploy_program"] = str(program)

    def swap_cables(self):
        """Of red's and green's ports 1; and back, when called again."""
        red, green = self.hosts["red"], self.hosts["green"]
        there = green.cables[1]
        green.plug(1, red.cables[1])
        red.plug(1, there)

    def read_inventory(self):
        return yaml.safe_load((self.folder / "inventory.yaml").read_text())

    def write_inventory(self, content):
        (self.folder / "inventory.yaml").write_text(yaml.safe_dump(content))

    def play(self, playbooks, *words, seconds=300, **extra):
        """Runs playbooks, "site.yml verify.yml"; returns a Play."""
        variables = json.dumps({**self.extra, **extra})
        command = ["ansible-playbook", "-i", self.folder / "inventory.yaml", *playbooks.split(), "--extra-vars", variables,
                   *self.words, *words]
        environment = {**os.environ, "ANSIBLE_CONFIG": str(PLAYS / "ansible.cfg"), "ANSIBLE_LOCAL_TEMP": "/run/ansible",
                       "ANSIBLE_SSH_CONTROL_PATH_DIR": "/run/cp", "ANSIBLE_NOCOLOR": "1",
                       "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        output = self._follow([str(word) for word in command], environment, seconds)
        return Play(*output)

    def _follow(self, command, environment, seconds):
        """Runs a command; what it prints goes to the file plays.log in the cache, too, with the time. Returns its exit code
        and its output."""
        lines, started = [], time.monotonic()
        with open(self.lab.cache / "plays.log", "a", encoding="utf-8") as log, \
             subprocess.Popen(["timeout", "-k", "5", str(seconds), *command], cwd=PLAYS, env=environment, text=True, bufsize=1,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            for line in process.stdout:
                print(f"{time.monotonic() - started:6.1f} {line}", end="", file=log, flush=True)
                lines.append(line)
        return process.returncode, "".join(lines)

    def expect(self, playbooks, *words, succeeds=True, **extra):
        """Runs playbooks, says how it went, and throws when that is not as told."""
        started = time.monotonic()
        done = self.play(playbooks, *words, **extra)
        print(f"{playbooks} {' '.join(words)}: {done.returncode}, changed={done.changed()}, "
              f"{time.monotonic() - started:.1f} s", flush=True)
        assert (done.returncode == 0) == succeeds, done.output
        return done

    def states(self):
        return {name: state(host) for name, host in self.hosts.items()}

    def compare(self, before, what):
        for name, after in self.states().items():
            found = differences(before[name], after)
            assert not found, f"{what}: {name} differs:\n" + "\n".join(found[:40])


def of_containers(cache, scratch, by_name=()):
    """A testbed whose hosts have no kernel of their own, and answer at once."""
    Container.by_name = by_name
    return Testbed(Container, cache, scratch, "--skip-tags", "kernel", guard_seconds=60, qos_provider="none",
                   verify_wiring_seconds=5)


class Play:
    """How a playbook ended."""

    def __init__(self, returncode, output):
        self.returncode = returncode
        self.output = output
        recap = output[output.rfind("PLAY RECAP"):]
        self.recap = {match[1]: {key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", match[2])}
                      for match in re.finditer(r"^(\S+)\s+: (ok=.*)$", recap, re.MULTILINE)}

    def changed(self):
        return sum(host["changed"] for host in self.recap.values())

    def names(self, *sentences):
        """Throws when the output lacks a sentence, however its lines are broken."""
        found = " ".join(self.output.split())
        for sentence in sentences:
            assert sentence in found, f"not found: {sentence}\n{self.output}"
