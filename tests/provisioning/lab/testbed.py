"""BCube(2,2) of four containers, and Ansible on it."""

import json
import os
import re
import subprocess
from pathlib import Path

from lab.hosts import SSH_OPTIONS, USER, Lab

PLAYS = Path(__file__).resolve().parents[3] / "ansible"
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
        device = f"bc{level}"
        found.append({"device": device, "rdma": f"r{device}", "level": level,
                      "mac": lab.hosts[NAMES[rank]].mac(level), "address": f"10.{100 + level}.{switch}.{place + 1}",
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


class Testbed:
    """The lab, its inventory, and what playbooks are called with."""

    def __init__(self, cache, scratch):
        self.lab = Lab(cache / "tree", cache / "debs", scratch, cabling())
        self.folder = self.lab.scratch / "testbed"
        self.folder.mkdir()
        self.write_inventory(inventory(self.lab))
        self.extra = {"guard_seconds": 60, "qos_provider": "none"}

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
