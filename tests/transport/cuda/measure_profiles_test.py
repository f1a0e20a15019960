#!/usr/bin/python3
"""measure_profiles_test.py GRADWIRE: transport/cuda/measure-profiles without a GPU, and what it makes of traces whose times are known."""

import csv
import io
import json
import subprocess
import sys
import tempfile
import unittest
from contextlib import redirect_stdout
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "transport" / "cuda"))

from profiles import efficiency, figure9, measurement, papers, program  # noqa: E402

try:
    import torch
except ImportError:
    torch = None

GRADWIRE = sys.argv[1]
MEASURE = [sys.executable, str(ROOT / "transport/cuda/measure-profiles")]


def said(*words):
    """How a command ended, and what it said."""
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False, timeout=250)
    return done.returncode, done.stdout.splitlines(), done.stderr


def derived(workload, batch, *options):
    """A trace whose times follow from multiply-adds on a V100."""
    code, lines, errors = said(GRADWIRE, "workload", "show", workload, "--device", "v100", "--batch", batch,
                               "--format", "csv", *options)
    assert code == 0, errors
    return "\n".join(lines) + "\n"


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


class Papers(unittest.TestCase):
    def test_batches_are_those_of_table_iv(self):
        for workload, number in (("googlenet", "7"), ("resnet50", "8"), ("resnet152", "9"), ("densenet161", "10"),
                                 ("densenet201", "11"), ("inceptionv4", "12")):
            self.assertEqual(papers.BATCHES[workload], (papers.printed(f"MGT-{number}d"),))


class Efficiency(unittest.TestCase):
    # share = time at the peak / time, and a derived profile takes 1/0.35 of the time at the peak; but normalizations, which
    # take what memory lets them.
    def test_shares_of_a_derived_profile_are_those_that_it_was_derived_with(self):
        for workload in ("resnet50", "lenet5"):
            times = program.times_of(derived(workload, 32, "--efficiency", "0.35"))
            at_peak = program.Program(GRADWIRE).derived(workload, "v100", 32, efficiency=1)
            shares = efficiency.shares((workload, 32, "float32"), times, at_peak)
            for each in shares:
                self.assertAlmostEqual(each.share, 1 if each.kind == "normalization" else 0.35, delta=1e-3)
        self.assertEqual({each.kind for each in shares}, {"convolution", "fully connected"})

    def test_layers_are_told_apart_by_their_module(self):
        kinds = efficiency.kinds_of("resnet50")
        self.assertEqual([kinds[name] for name in ("conv1.weight", "layer1.0.conv1.weight", "layer1.0.bn1.bias", "fc.bias")],
                         ["convolution", "convolution 1 x 1", "normalization", "fully connected"])

    def test_shares_of_several_profiles_are_pooled_by_time(self):
        all_shares = [efficiency.Share("one", 1, "bf16", "convolution", measured=10, at_peak=5),
                      efficiency.Share("other", 1, "bf16", "convolution", measured=30, at_peak=27)]
        self.assertEqual(efficiency.pooled(all_shares), [
            {"precision": "bf16", "kind": "convolution", "share": 32 / 40, "lowest": 0.5, "highest": 0.9, "profiles": 2}])


class Figure9(InAFolder):
    WORKLOAD, BATCH = "densenet161", 64

    def trace_of(self, workload, _, precision):
        return f"{workload}-{precision}.csv"

    def run_of(self, name):
        rows = program.Program(GRADWIRE).rows(self.folder / "runs" / f"mg-wfbp-figure9-{name}")
        return {row["schedule"]: row for row in rows}

    # Traces with the times that the shipped experiment derives gain what that has gained. With SyncEASGD, which sends
    # everything at once when all is computed, an iteration takes t_f + t_b + a + b M with the a and b that the paper fits, and
    # in half precision half of the bytes M.
    def test_traces_with_derived_times_gain_what_the_shipped_experiment_does(self):
        trace = derived(self.WORKLOAD, self.BATCH)
        for precision in figure9.SENT:
            (self.folder / self.trace_of(self.WORKLOAD, 0, precision)).write_text(trace)
        gains = figure9.run(program.Program(GRADWIRE), self.folder, self.trace_of)
        self.assertEqual([(each.network, each.workload, each.sent) for each in gains],
                         [(network, self.WORKLOAD, sent) for network in ("10gbe", "56gbib") for sent in ("full", "half")])
        for gain in gains[::2]:
            shipped = program.Program(GRADWIRE).rows(ROOT / f"results/published/mg-wfbp-figure9-{gain.network}")
            took = {row["schedule"]: float(row["iteration_p50_us"]) for row in shipped if row["workload"] == self.WORKLOAD}
            self.assertAlmostEqual(gain.over_wfbp, 100 * (took["wfbp"] / took["mg-wfbp"] - 1), delta=0.01)
            self.assertAlmostEqual(gain.over_synceasgd, 100 * (took["synceasgd"] / took["mg-wfbp"] - 1), delta=0.01)
        computing = sum(program.times_of(trace).values())
        size = 4 * 28_681_000
        for network, a, b in (("10gbe", "MGT-15a", "MGT-15b"), ("56gbib", "MGT-16a", "MGT-16b")):
            for sent, share in (("full", 1), ("half", 0.5)):
                took = float(self.run_of(f"{network}-{self.WORKLOAD}-{sent}")["synceasgd"]["iteration_p50_us"]) - computing
                self.assertAlmostEqual(took / (1e6 * (papers.printed(a) + papers.printed(b) * size * share)), 1, delta=0.005)

    def test_rows_stand_beside_what_is_printed(self):
        lines = figure9.compared([figure9.Gain("10gbe", "densenet161", "full", 7.4, 69.9),
                                  figure9.Gain("10gbe", "densenet161", "half", 5.9, 20.0)])
        self.assertEqual([line.split()[3:] for line in lines[1:]], [["7.4", "%", "69.9", "%", "7-70", "%:", "within"],
                                                                   ["5.9", "%", "20.0", "%", "7-70", "%:", "outside"]])


class OutOfMemory(Exception):
    """Stands for torch's."""


class OnAStandIn(InAFolder):
    """A GPU that computes as long as a V100 does by derivation, and has no memory for batches over 256."""

    class Recording:
        def __init__(self, workload, device, iterations):
            assert (device, iterations) == (SimpleNamespace(type="cuda"), 20)
            self.workload = workload

        def profile(self, batch, precision):
            if batch > 256:
                raise OutOfMemory
            trace = derived(self.workload, batch, "--efficiency", {"float32": "0.5", "bf16": "0.8"}[precision])
            return SimpleNamespace(findings=lambda: ["recorded"], spread_csv=lambda: "", write=lambda path: path.write_text(trace))

    def lines_of(self, model, gradwire):
        torch = SimpleNamespace(device=lambda kind, _: SimpleNamespace(type=kind), backends=mock.Mock(),
                                cuda=SimpleNamespace(OutOfMemoryError=OutOfMemory))
        recording = SimpleNamespace(torch=torch, name_of=lambda _: "tesla-v100-sxm2-16gb", Recording=self.Recording,
                                    lacks=lambda _, precision: "no such thing" if precision == "tf32" else "")
        arguments = SimpleNamespace(device="cuda", out=self.folder, gradwire=gradwire, models=[model], batches=None,
                                    precisions=["float32", "tf32", "bf16"], iterations=20, peak_of=None)
        with redirect_stdout(io.StringIO()) as said_there:
            measurement.Measurement(arguments, recording).run()
        return said_there.getvalue().splitlines()

    def test_what_a_gpu_has_no_memory_or_no_type_for_is_not_run_and_all_else_is(self):
        lines = self.lines_of("lenet5", GRADWIRE)
        for line in ("lenet5-b256-bf16-tesla-v100-sxm2-16gb: recorded",
                     "lenet5-b512-float32-tesla-v100-sxm2-16gb: NOT RUN: the GPU's memory is too small",
                     "lenet5-b128-tf32-tesla-v100-sxm2-16gb: NOT RUN: no such thing",
                     "float32, convolution: 50.0 % of the peak of v100, from 50.0 to 50.0 %",
                     "bf16, fully connected: 80.0 % of the peak of v100, from 80.0 to 80.0 %"):
            self.assertIn(line, lines)
        self.assertTrue(json.loads((self.folder / "efficiency.json").read_text())["is_gpu"])

    def test_experiments_are_written_without_the_program_and_it_takes_them(self):
        lines = self.lines_of("inceptionv4", None)
        self.assertTrue(lines[-1].startswith("Figure 9: NOT RUN"), lines)
        experiments = sorted(self.folder.glob("*.yaml"))
        self.assertEqual([path.stem for path in experiments], [
            f"mg-wfbp-figure9-{network}-inceptionv4-{sent}" for network in ("10gbe", "56gbib") for sent in ("full", "half")])
        for path in experiments:
            code, _, errors = said(GRADWIRE, "run", "--dry-run", path)
            self.assertEqual(code, 0, errors)


class Devices(unittest.TestCase):
    def test_a_gpu_has_the_peak_of_its_own_card_alone(self):
        self.assertEqual([efficiency.device_of(name) for name in ("nvidia-h100-80gb-hbm3", "nvidia-h100-pcie", "cpu")],
                         ["h100", None, None])

    @unittest.skipUnless(torch, "there is no PyTorch; Debian's package is python3-torch")
    def test_precisions_are_those_that_a_gpu_has(self):
        from profiles import recording
        gpu = torch.device("cuda", 0)
        with mock.patch.object(torch.cuda, "get_device_name", lambda _: "NVIDIA H100 80GB HBM3"):
            self.assertEqual(recording.name_of(gpu), "nvidia-h100-80gb-hbm3")
            for capability, lacking in (((7, 0), ["tf32", "bf16"]), ((9, 0), [])):
                with mock.patch.object(torch.cuda, "get_device_capability", lambda _, has=capability: has):
                    self.assertEqual([each for each in measurement.PRECISIONS if recording.lacks(gpu, each)], lacking)

    @unittest.skipUnless(torch, "there is no PyTorch; Debian's package is python3-torch")
    def test_tf32_is_allowed_for_tf32_alone_and_as_before_afterwards(self):
        from profiles import recording

        def allowed():
            return torch.backends.cuda.matmul.allow_tf32, torch.backends.cudnn.allow_tf32

        before = allowed()
        for precision in measurement.PRECISIONS:
            with recording.numbers(precision):
                self.assertEqual(allowed(), (precision == "tf32",) * 2)
            self.assertEqual(allowed(), before)


class WithoutAGpu(InAFolder):
    @unittest.skipIf(torch and torch.cuda.is_available(), "there is a GPU")
    def test_it_says_that_it_was_not_run(self):
        code, lines, _ = said(*MEASURE, "--out", self.folder / "none")
        self.assertEqual(code, 77)
        self.assertEqual(len(lines), 1)
        self.assertTrue(lines[0].startswith("NOT RUN: "))
        self.assertFalse((self.folder / "none").exists())

    @unittest.skipUnless(torch, "there is no PyTorch; Debian's package is python3-torch")
    def test_all_that_it_measures_of_a_cpu_is_marked(self):
        command = [*MEASURE, "--device", "cpu", "--models", "lenet5", "--batches", 4, "--iterations", 2, "--out", self.folder,
                   "--gradwire", GRADWIRE, "--peak-of", "k40c"]
        code, lines, errors = said(*command)
        self.assertEqual(code, 0, errors)
        self.assertTrue(all(line.startswith("[of a CPU] ") for line in lines), lines)
        self.assertIn("[of a CPU] lenet5-b4-tf32-cpu: NOT RUN: cpu has no tf32", lines)
        self.assertIn("[of a CPU] Figure 9: NOT RUN: it needs --gradwire, and traces of its models with the paper's batches",
                      lines)
        for precision in ("float32", "bf16"):
            self.expect_profile(f"lenet5-b4-{precision}-cpu")
        measured = json.loads((self.folder / "efficiency.json").read_text())
        self.assertEqual((measured["source"], measured["is_gpu"], measured["peak_of"]), ("cpu", False, "k40c"))
        self.assertEqual({(each["precision"], each["kind"]) for each in measured["pooled"]},
                         {(precision, kind) for precision in ("float32", "bf16") for kind in ("convolution", "fully connected")})
        self.expect_that_it_goes_on(command)

    def expect_that_it_goes_on(self, command):
        path = self.folder / "lenet5-b4-float32-cpu.csv"
        before = path.read_text()
        code, lines, errors = said(*command)
        self.assertEqual(code, 0, errors)
        self.assertIn("[of a CPU] lenet5-b4-float32-cpu: kept as it is there", lines)
        self.assertEqual(path.read_text(), before)

    def expect_profile(self, name):
        """A trace that the program takes for one of its model, and the spread of each of its tensors."""
        path = self.folder / f"{name}.csv"
        precision = "bf16 by autocast" if "bf16" in name else "float32"
        self.assertIn(f"# source: LeNet-5 (32-64-1024), batch 4, {precision}, on ", path.read_text())
        code, lines, errors = said(GRADWIRE, "workload", "show", path)
        self.assertEqual(code, 0, errors)
        tensors = {each["name"] for each in json.loads((ROOT / "workloads/lenet5.json").read_text())["tensors"]}
        self.assertEqual(set(program.times_of(path.read_text())), tensors)
        spread = [line for line in (self.folder / f"{name}-spread.csv").read_text().splitlines() if line[0] != "#"]
        self.assertEqual({row["tensor"] for row in csv.DictReader(io.StringIO("\n".join(spread)))}, tensors)
        self.assertEqual(len([line for line in lines if any(tensor in line.split() for tensor in tensors)]), len(tensors))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
