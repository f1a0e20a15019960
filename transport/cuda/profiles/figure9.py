"""Runs Figure 9 of MG-WFBP on recorded traces: what merging gains on 16 GPUs, simulated, beside what is printed."""

import re
from dataclasses import dataclass

from . import papers

# Precisions that Figure 9 has, by what its gradients are sent in. The paper's half is mixed precision.
SENT = {"float32": "full", "bf16": "half"}
EXPERIMENT = """\
gradwire: 1
name: {name}
description: >
  MG-WFBP, TPDS Figure 9, simulated on a recorded trace of {workload}, {sent} precision, batch {batch}.
  {link_is}
backing: simulated
link: {{rate: {rate:.2f}Gbit, headers: none, startup: {startup}}}
compute: {{trace: {trace}}}
algorithm: ring
wiring: single-switch(16)
sweep:
  product:
    schedule: [wfbp, synceasgd, mg-wfbp, optimum]
compare:
  schedule: mg-wfbp
  against: [wfbp, synceasgd]
  published: {low}-{high} % faster
  source: MG-WFBP, TPDS Figure 9
"""
LINK_IS = {"full": "Links are those of mg-wfbp-figure9-{network}.yaml.",
           "half": "Halves are half of the bytes. Training jobs carry float32, so links are twice as fast as in "
                   "mg-wfbp-figure9-{network}.yaml."}


@dataclass(frozen=True)
class Gain:
    """Simulated gain of MG-WFBP over others, in percent."""

    network: str
    workload: str
    sent: str
    over_wfbp: float
    over_synceasgd: float


def link_of(network):
    """Rate in Gbit/s and start-up of the links of the shipped experiment."""
    text = (papers.ROOT / "experiments" / f"mg-wfbp-figure9-{network}.yaml").read_text(encoding="utf-8")
    found = re.search(r"^link: \{rate: ([\d.]+)Gbit, headers: none, startup: ([^}]+)\}$", text, re.MULTILINE)
    return float(found[1]), found[2]


def experiment(network, workload, sent, trace):
    """The experiment of one bar, as text. `trace`: the file's name, beside the experiment."""
    rate, startup = link_of(network)
    low, high = papers.printed(papers.FIGURE9[network][workload])
    return EXPERIMENT.format(name=f"mg-wfbp-figure9-{network}-{workload}-{sent}", workload=workload, sent=sent,
                             batch=papers.BATCHES[workload][0], trace=trace, startup=startup, low=low, high=high,
                             rate=rate * (2 if sent == "half" else 1), link_is=LINK_IS[sent].format(network=network))


def run(program, folder, trace_of):
    """Runs all of Figure 9 for which traces exist. Writes experiments into the folder, and their runs into runs/ there.

    `trace_of`: the name of the trace in the folder of (workload, batch, precision). Without a program nothing is run.
    """
    gains = []
    for network, models in papers.FIGURE9.items():
        for workload in models:
            for precision, sent in SENT.items():
                trace = trace_of(workload, papers.BATCHES[workload][0], precision)
                if not (folder / trace).exists():
                    continue
                path = folder / f"mg-wfbp-figure9-{network}-{workload}-{sent}.yaml"
                path.write_text(experiment(network, workload, sent, trace), encoding="utf-8")
                if program:
                    gains.append(_gain(program, folder, path, (network, workload, sent)))
    return gains


def _gain(program, folder, path, of):
    took = program.iterations(path, folder / "runs" / path.stem)
    return Gain(*of, *(100 * (took[rival] / took["mg-wfbp"] - 1) for rival in ("wfbp", "synceasgd")))


def compared(gains):
    """Compares gains with the paper: a line for each bar, with the published range for its model and network."""
    lines = ["network  model        gradients  over WFBP  over SyncEASGD  published"]
    for each in gains:
        low, high = papers.printed(papers.FIGURE9[each.network][each.workload])
        both = (each.over_wfbp, each.over_synceasgd)
        judged = "within" if low <= round(min(both)) and round(max(both)) <= high else "outside"
        lines.append(f"{each.network:7}  {each.workload:11}  {each.sent:9}  {both[0]:7.1f} %  {both[1]:12.1f} %  "
                     f"{low}-{high} %: {judged}")
    return lines
