#!/usr/bin/env python3
"""Writes what fuzz targets begin with: seeds.py FOLDER

Makes FOLDER/<target>/ with small inputs that readers take, most of them cut from what this repository ships, and
FOLDER/<target>.dict with the words of the schema where a target's inputs have one.
"""

import json
import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RUNS = ROOT / "results/published"
MOST_BYTES = 4096
SCHEMAS = {"experiment": ["experiment"], "plan_file": ["plan"], "job": ["job", "jobs"], "inventory": ["inventory"], "verification": ["verification"],
           "sample_line": ["sample"], "stored_line": ["point", "timeline"],
           "run_folder": ["context", "calibration", "hosts", "point", "sample", "timeline"]}

MESSAGES = [
    {"job": {"rank": 1, "wiring": "bcube(2,2)", "algorithm": "bml", "plan": "", "workload": "", "elements": 1000, "type": "float32",
             "flows": [],
             "training": None, "ports": [["p0", "10.0.0.1", ""], ["p1", "10.0.1.1", "r0"]],
             "transport": {"kind": "tcp", "ack_timeout": 14, "retry_count": 7, "traffic_class": 0,
                           "check_frames": True, "poll": False},
             "key": list(range(16)), "seed": 1, "timeout_ns": 10**10, "startup_ns": 0}},
    {"job": {"rank": 0, "wiring": "single-switch(2)", "algorithm": "ring(pieces=2)", "plan": "", "workload": "lenet5",
             "elements": 10, "type": "bfloat16", "flows": [[0, 0, 1, 0]],
             "training": {"layers": [[0.001, 0.002, [10, 20]], [0.0, 0.5, [7]]], "schedule": "wfbp",
                          "dilation": 2.5, "load": "wait"},
             "ports": [], "transport": {"kind": "verbs", "ack_timeout": 14, "retry_count": 7, "traffic_class": 104,
                                        "check_frames": True, "poll": True},
             "key": [0] * 16, "seed": 18446744073709551615, "timeout_ns": 1, "startup_ns": 5}},
    {"ready": {"cost": [[4, 0.001], [400, 0.01]], "buckets": [1, 2], "overlaps": False}},
    {"iterate": {"iteration": 3, "check": True, "trace": False}},
    {"iterated": {"start_ns": 5, "end_ns": 10, "wrong": None,
                  "training": {"compute_end_ns": 7, "buckets": [[5, 6, 7]], "parameters": 12}}},
    {"transfers": [[0, 0, 1, True, 2, 0, 1, 100, 3, 9]]},
    {"failed": {"message": "rank 1, peer 2: stalled: x", "detail": "x", "fabric": 1, "rank": 1, "peer": 0,
                "port": 0, "lane": 2, "step": None}},
]
INVENTORIES = [
    "gradwire-inventory: 1\ncontrol: [eth0]\nverification: v.json\nhosts:\n"
    "  - {name: red, ssh: 10.9.0.1, port: 22, user: me, ports: [{device: p0, address: 10.0.0.1, rdma: r0}]}\n"
    "  - {name: green, options: [StrictHostKeyChecking=no], ports: [{device: p0, address: 10.0.0.2}]}\n",
    "gradwire-inventory: 1\ncontrol: [10.9.0.0/24]\nplan: bcube(2,2)\ndevice: bc{level}\nprogram: /opt/gradwire\n"
    "hosts: [{name: a}, {name: b}, {name: c}, {name: d}]\n",
]
JOBS = [
    "gradwire-job: 1\ngroups: [{name: all, ranks: [0-2]}, {name: pair, ranks: [2, 0]}]\nprograms:\n  - name: p\n    nodes:\n"
    "      - {name: a, compute: 1ms, lag: 2us}\n      - {collective: reduce, group: all, elements: 9, root: 2, dtype: int64}\n"
    "      - {collective: send, group: link, elements: 5, stream: 1, after: [a]}\n  - name: q\n    nodes:\n"
    "      - {collective: reduce, group: all, elements: 9, root: 2, dtype: int64}\n"
    "ranks:\n  - {ranks: [0, 2], program: p, groups: [{as: link, group: pair}]}\n  - {ranks: [1], program: q}\n",
    "{\"gradwire-job\": 1, \"programs\": [{\"name\": \"p\", \"nodes\": [{\"compute\": \"0s\"}]}], "
    "\"ranks\": [{\"ranks\": [0], \"program\": \"p\"}]}",
]
HOSTS = ["name,address,user,ssh_port,control_device,port0,port1\n" + "".join(
    f"h{i},192.168.7.1{i},bench,22,eno1,0000:3b:00.{i},{mac}:0{i}\n" for i, mac in
    enumerate(["02:00:5e:00:53"] * 4)), "name,address,port0\na,10.9.0.1,eth1\nb,10.9.0.2,eth1\nc,10.9.0.3,3b:00.1\n"]
VERIFICATION = {"gradwire-verification": 1, "wiring": "single-switch(2)", "finished": "2026-11-21T20:00:00Z",
                "passed": False, "settings": {"lossless": True, "mtu": 9000},
                "hosts": [{"name": "h0", "rank": 0, "boot_id": "x"}, {"name": "h1", "rank": 1}],
                "checks": [{"check": "mtu", "host": "h0", "passed": False, "message": "1500, not 9000"},
                           {"check": "link", "host": "h1", "passed": True, "message": "up"}]}


def binary(*values):
    """Values as core/binary.h writes them: (width, number), bytes as they are, texts and lists with their count."""
    parts = []
    for value in values:
        if isinstance(value, tuple):
            parts.append(value[1].to_bytes(value[0], "little"))
        elif isinstance(value, list):
            parts += [binary((4, len(value)))] + value
        else:
            parts.append(value if isinstance(value, bytes) else binary((4, len(value))) + value.encode())
    return b"".join(parts)


QUEUE_PAIR = binary((4, 17), (4, 5), (1, 3), bytes(10) + b"\xff\xff\x0a\0\0\1")
OFFER = binary((8, 4096), (8, 8), [binary((8, 0), (4, 1), (4, 0), (4, 1), QUEUE_PAIR, QUEUE_PAIR, (8, 1234), (4, 5),
                                          (8, 678), (4, 9), (8, 1024))])
CARD = binary("tcp,4x262144", bytes(range(16)), [binary((4, 1), "10.101.0.1")],
              [binary((8, 2), (4, 1), "\0\x7f z")])
MPIRUN = ("gradwire: rank 3 was killed by signal 9 (Killed)\n"
          "mpirun noticed that process rank 2 with PID 0 on node x exited on signal 9 (Killed).\n"
          "  Process name: [[25012,1],1]\n  Exit code:    3\nRemote daemon: [[1,0],1] on node h1\n")
LINES = ["0 {\"iterate\": {}}", "@3 ended", "stop", "@ready", "\3" + "\0" * 7 + "abc" + "\0" * 8, MPIRUN]
SPECS = ["ring(pieces=4)", "broadcast(chain, root=0, pieces=3)", "ps(servers=2, dedicated)",
         "grid(4x2, rows=reduce(chain, root=1), columns=ring)", "groups(ranks=0-3+8:4-7, run=all-gather)",
         "bcube(3, 2)", "graph(a,(b).yaml)", "1.5 ms", "2h", "10\u00b5s", "5m", "40Gbit", "100G", "12.5GB/s",
         "10gbps", "9600", "25MiB", "8.2MB", "25M", "1e300Tbit"]


def compact(document):
    return json.dumps(document, separators=(",", ":"))


def cut(value):
    """The same with no more than two items in any list."""
    if isinstance(value, list):
        return [cut(item) for item in value[:2]]
    return {key: cut(item) for key, item in value.items()} if isinstance(value, dict) else value


def small_lines(run, name, most=3):
    """The first lines of a file of a published run."""
    return [compact(cut(json.loads(line))) for line in (RUNS / run / name).read_text().splitlines()[:most]]


def small_run(run):
    """A whole run folder as one input."""
    text = ""
    for name in ("context.json", "calibration.json"):
        if (RUNS / run / name).exists():
            text += f"@{name}\n{compact(cut(json.loads((RUNS / run / name).read_text())))}\n"
    for name in ("points.ndjson", "samples.ndjson", "timelines.ndjson"):
        if (RUNS / run / name).exists():
            text += f"@{name}\n" + "".join(line + "\n" for line in small_lines(run, name))
    return text


PLANS = [
    '{"gradwire-plan":1,"collective":"all-reduce","members":2,"chunks":2,"stepping":"in-order","lanes":'
    '[[[{"from":0,"to":1,"chunk":0,"how":"add"}],[{"from":1,"to":0,"chunk":0}]],'
    '[[{"from":1,"to":0,"chunk":1,"how":"add"}],[{"from":0,"to":1,"chunk":1}]]]}',
    '{"gradwire-plan":1,"collective":"reduce-scatter","members":2,"chunks":2,"owners":[1,0],"lanes":'
    '[[[{"from":0,"to":1,"chunk":0,"how":"add","at":0},{"from":1,"to":0,"chunk":1,"how":"add"}]]]}']
MSCCL = [[[(1, "s:0 r:0 rrc:1 s:1")], [(0, "rrc:0 s:0 s:1 r:1")]],
         [[(1, "s:0 r:0"), (1, "s:1 r:1")], [(0, "rrcs:0"), (0, "rrcs:1")]]]


def msccl(gpus):
    """An allreduce in place: per GPU its blocks, each a peer and the types of its steps."""
    text = f'<algo name="a" proto="LL" nchannels="2" nchunksperloop="2" ngpus="{len(gpus)}" coll="allreduce" inplace="1">'
    for gpu, blocks in enumerate(gpus):
        text += f'\n<gpu id="{gpu}" i_chunks="2" o_chunks="0" s_chunks="1">'
        for number, (peer, steps) in enumerate(blocks):
            text += f'\n<tb id="{number}" send="{peer}" recv="{peer}" chan="{number}">'
            for step, word in enumerate(steps.split()):
                kind, chunk = word.split(":")
                text += (f'\n<step s="{step}" type="{kind}" srcbuf="i" srcoff="{chunk}" dstbuf="i" dstoff="{chunk}" cnt="1"'
                         ' depid="-1" deps="-1" hasdep="0"/>')
            text += "\n</tb>"
        text += "\n</gpu>"
    return text + "\n</algo>\n"


def of_protocols():
    """Bytes without a text: decisions of the target, then what is said."""
    draw = random.Random(1)
    for target in ("handshake", "acceptor", "frame", "stream"):
        yield target, [bytes([first]) + draw.randbytes(size) for first, size in
                       [(0, 40), (1, 120), (129, 200), (130, 60), (255, 300)]]


def of_store():
    """What members say to a store: messages of it, a third of them by each rank, each in one piece."""
    said = [(b"C", b"a"), (b"C", b""), (b"C", b"bc"), (b"F", binary((1, 1), (4, 1), "why")), (b"L", b""), (b"B", b""),
            (b"G", binary([binary(text) for text in ("a", "", "bc")])), (b"M", binary((4, 1), (4, 0), "x"))]
    messages = [len(body).to_bytes(4, "little") + kind + body for kind, body in said]
    pieces = [bytes([0, number % 3, len(message)]) + message for number, message in enumerate(messages * 2)]
    return [b"".join(pieces), *pieces[:len(said)]]


def seeds():
    """{target: inputs}, texts or bytes."""
    shipped = [path.read_text() for path in sorted((ROOT / "experiments").glob("*.yaml"))]
    csv = (ROOT / "experiments/traces/language-model-300m.csv").read_text()
    runs = ["quickstart", "mg-wfbp", "figure5"]
    found = {
        "experiment": [text for text in shipped if len(text) < MOST_BYTES],
        "graph": [path.read_text() for path in sorted((ROOT / "experiments/graphs").glob("*.yaml"))],
        "trace_csv": [csv, "# gradwire-trace: 1\nlayer,tensor,elements,backward_us\nx,a,3,1\nx,b,4,2.5\n,c,1,0\n"],
        "trace_json": [compact({"gradwire-trace": 1, "source": "derived: here", "tensors": [
            {"tensor": "a", "layer": "x", "elements": 3, "forward_us": 0.5, "backward_us": 1},
            {"tensor": "b", "layer": "x", "elements": 4, "forward_us": 0, "backward_us": 2.5}]})],
        "job": [(ROOT / "experiments/jobs" / name).read_text() for name in ("neighbours.yaml", "pipeline.yaml", "sender.yaml")] + JOBS,
        "plan_file": [path.read_text() for path in sorted((ROOT / "experiments/plans").glob("*.yaml"))] + PLANS,
        "msccl": [msccl(words) for words in MSCCL],
        "counts": [path.read_text() for path in sorted((ROOT / "experiments/counts").glob("*.csv"))] + ["1,2\n3, 0 # x\n"],
        "hosts": ["\1" + HOSTS[0], "\0" + HOSTS[1]],
        "inventory": INVENTORIES,
        "verification": [compact(VERIFICATION)],
        "sample_line": [line for run in runs for line in small_lines(run, "samples.ndjson")],
        "stored_line": [line for run in runs for name in ("points.ndjson", "timelines.ndjson")
                        if (RUNS / run / name).exists() for line in small_lines(run, name)],
        "run_folder": [small_run(run) for run in runs],
        "messages": [compact(message) for message in MESSAGES],
        "control": ["\0" + compact(MESSAGES[3]), "\1\0@" + compact(MESSAGES[5])],
        "verbs": [OFFER, binary((8, 1), (8, 1), [])],
        "ucx_card": [CARD],
        "relay_lines": LINES,
        "spec": SPECS,
        "store": of_store(),
    }
    return found | dict(of_protocols())


def words_of(schema):
    """The keys and constants of a schema."""
    if isinstance(schema, list):
        return {word for part in schema for word in words_of(part)}
    if not isinstance(schema, dict):
        return set()
    words = {str(word) for word in schema.get("enum", [])} | set(schema.get("properties", {}))
    return words | {word for part in schema.values() for word in words_of(part)}


def write_dictionary(path, schemas):
    texts = [json.loads((ROOT / f"results/schema/{name}.schema.json").read_text()) for name in schemas]
    words = sorted({word for text in texts for word in words_of(text) if word.isprintable() and word.isascii() and word})
    path.write_text("".join(f"{json.dumps(word)}\n" for word in words))


def main(words):
    folder = Path(words[0])
    for target, inputs in seeds().items():
        (folder / target).mkdir(parents=True, exist_ok=True)
        for number, content in enumerate(inputs):
            content = content if isinstance(content, bytes) else content.encode()
            (folder / target / f"seed-{number:02}").write_bytes(content)
    for target, schemas in SCHEMAS.items():
        write_dictionary(folder / f"{target}.dict", schemas)


if __name__ == "__main__":
    main(sys.argv[1:])
