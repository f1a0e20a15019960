"""BCube(2,2) of four containers, and Ansible on it."""

import json
import os
import re
import subprocess
from pathlib import Path

from lab.hosts import SSH_OPTIONS, USER, Lab, run

PLAYS = Path(__file__).resolve().parents[3] / "ansible"
BY_NAME = "white"  # whose ports keep their names: no udev in a container names them after a boot
NAMES = ("red", "green", "blue", "white")


def cabling():
    """{host: [switch of port 0, of port 1]}"""
    return {name: [f"L0-{rank // 2}", f"L1-{rank % 2}"] for rank, name in enumerate(NAMES)}


def ports(lab, rank):
    """gradwire_ports of a host, as `gradwire topo inventory` writes them."""
    found = []
    for level, place in ((0, rank % 2), (1, rank // 2)):
        switch = rank // 2 if level == 0 else rank % 2
        neighbour = rank ^ (1 if level == 0 else 2)
        by_name = NAMES[rank] == BY_NAME
        device = lab.hosts[NAMES[rank]].interfaces[level] if by_name else f"bc{level}"
        how = {"interface": device} if by_name else {"mac": lab.hosts[NAMES[rank]].mac(level)}
        found.append({"device": device, "rdma": f"r{device}", "level": level, **how,
                      "address": f"10.{100 + level}.{switch}.{place + 1}",
                      "prefix_length": 24, "switch": f"L{level}-{switch}", "switch_port": place,
                      "neighbours": [{"host": NAMES[neighbour], "port": level,
                                      "address": f"10.{100 + level}.{switch}.{2 - place}"}]})
    return found


def inventory(lab):
    hosts = {}
    for rank, name in enumerate(NAMES):
        own = ports(lab, rank)
        routes = [{"to": f"10.10{level}.{1 - int(own[level]['switch'][-1])}.0/24", "device": own[1 - level]["device"],
                   "gateway": own[1 - level]["neighbours"][0]["address"]} for level in (0, 1)]
        hosts[name] = {"ansible_host": lab.hosts[name].address, "ansible_user": USER, "gradwire_rank": rank,
                       "gradwire_ports": own, "gradwire_routes": routes, "gradwire_relays": True}
    return {"all": {"children": {"testbed": {"vars": {"gradwire_wiring": "bcube(2,2)", "gradwire_control": ["10.77.0.0/24"]},
                                             "hosts": hosts}}}}


STATE = r"""
ip -j -d address show; echo; ip -j -4 route show table all; echo; ip -j -6 route show table all; echo; ip -j rule show; echo
find /proc/sys/net -type f -perm -200 ! -name '*secret*' ! -name '*_key' 2>/dev/null | sort | xargs grep -s ""
find /etc /usr/local -not -path '/usr/local/lib/gradwire*' | sort | while read -r one; do stat -c '%n %A %U %G %N' "$one"; done
find /etc /usr/local -type f -not -path '/usr/local/lib/gradwire*' -exec sha256sum {} + | sort
systemctl list-unit-files --no-legend --plain
systemctl list-units --all --no-legend --plain --type=service,timer,socket | awk '{print $1, $2, $3}' | sort
"""
VOLATILE = re.compile("session-|user@|user-runtime-dir|systemd-tmpfiles|systemd-update-utmp|systemd-network-generator|"
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
    """The lab, its inventory, and what playbooks are called with."""

    def __init__(self, cache, scratch):
        self.lab = Lab(cache / "tree", cache / "debs", scratch, cabling())
        self.folder = self.lab.scratch / "testbed"
        self.folder.mkdir()
        self.write_inventory(inventory(self.lab))
        self.extra = {"guard_seconds": 60, "qos_provider": "none"}

    def make_inventory(self, program):
        """Lets gradwire write the inventory, from hosts.csv."""
        rows = ["name,address,user,control_device,port0,port1"]
        for rank, name in enumerate(NAMES):
            found = [port.get("mac") or port["interface"] for port in ports(self.lab, rank)]
            rows.append(",".join([name, self.lab.hosts[name].address, USER, "control0", *found]))
        (self.folder / "hosts.csv").write_text("\n".join(rows) + "\n")
        (self.folder / "inventory.yaml").unlink()
        run(program, "topo", "inventory", "bcube(2,2)", "--hosts", self.folder / "hosts.csv", "-o", self.folder, "--force")

    def write_inventory(self, content):
        (self.folder / "inventory.yaml").write_text(json.dumps(content, indent=1))  # JSON is YAML

    def play(self, playbook, *words, seconds=300, **extra):
        """Runs a playbook; returns a Play."""
        variables = json.dumps({**self.extra, **extra})
        command = ["ansible-playbook", "-i", self.folder / "inventory.yaml", PLAYS / playbook, "--skip-tags", "kernel",
                   "--extra-vars", variables, *words]
        environment = {**os.environ, "ANSIBLE_CONFIG": str(PLAYS / "ansible.cfg"), "ANSIBLE_LOCAL_TEMP": "/run/ansible",
                       "ANSIBLE_SSH_COMMON_ARGS": " ".join(SSH_OPTIONS), "ANSIBLE_PRIVATE_KEY_FILE": str(self.lab.key),
                       "ANSIBLE_SSH_CONTROL_PATH_DIR": "/run/cp", "ANSIBLE_NOCOLOR": "1"}
        done = subprocess.run([str(word) for word in command], cwd=PLAYS, env=environment, capture_output=True, text=True,
                              timeout=seconds, check=False, stdin=subprocess.DEVNULL)
        return Play(done)


class Play:
    """How a playbook ended."""

    def __init__(self, done):
        self.returncode = done.returncode
        self.output = done.stdout + done.stderr
        recap = done.stdout[done.stdout.rfind("PLAY RECAP"):]
        self.recap = {match[1]: {key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", match[2])}
                      for match in re.finditer(r"^(\S+)\s+: (ok=.*)$", recap, re.MULTILINE)}

    def changed(self):
        return sum(host["changed"] for host in self.recap.values())
