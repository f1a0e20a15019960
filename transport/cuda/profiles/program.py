"""Calls of the program gradwire."""

import csv
import io
import shutil
import subprocess

# In seconds; no simulation of Figure 9 takes as long.
PATIENCE = 1800


class Program:
    """Program gradwire at a path."""

    def __init__(self, path):
        self._path = path

    def derived(self, workload, device, batch, efficiency=None):
        """Microseconds by tensor, forward and backward together, derived from multiply-adds."""
        options = [] if efficiency is None else ["--efficiency", efficiency]
        told = self._told("workload", "show", workload, "--device", device, "--batch", batch, *options, "--format", "csv")
        return times_of(told)

    def iterations(self, experiment, folder):
        """Simulates an experiment into a run folder, which it replaces. Returns microseconds by schedule."""
        shutil.rmtree(folder, ignore_errors=True)
        self._told("run", experiment, "--out", folder)
        return {row["schedule"]: float(row["iteration_p50_us"]) for row in self.rows(folder)}

    def rows(self, folder):
        """The rows of a run, by the CSV's column names."""
        return list(csv.DictReader(io.StringIO(self._told("results", "export", "--csv", folder))))

    def _told(self, *words):
        command = [str(self._path), *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()}")
        return done.stdout


def times_of(trace):
    """Microseconds by tensor of a trace, forward and backward together."""
    lines = [line for line in trace.splitlines() if line and not line.startswith("#")]
    return {row["tensor"]: float(row["forward_us"]) + float(row["backward_us"]) for row in csv.DictReader(lines)}
