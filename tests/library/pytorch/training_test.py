#!/usr/bin/env python3
"""DistributedDataParallel over the process group trains as one process does with the whole batch, and as over Gloo.

    training_test.py GRADWIRE

Gradients are sums of the same numbers in another order: weights agree within rounding between process groups, and bit by
bit between ranks.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import torch

import ranks
import train

GRADWIRE = sys.argv[1]
SCRIPT = Path(__file__).with_name("train.py")


def weights(rank, size):
    """What a rank's weights are after training, as numbers."""
    network = torch.nn.parallel.DistributedDataParallel(train.model())
    train.train(network, rank, size)
    return flat(network).tolist()


def flat(network):
    """All weights of a network."""
    return torch.nn.utils.parameters_to_vector(network.parameters()).detach()


def alone():
    """The losses of one process."""
    return train.train(train.model(), 0, 1)


class Training(unittest.TestCase):

    def expect_close(self, found, wanted):
        torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-5)

    def test_weights_are_those_of_gloo_and_of_one_process(self):
        network = train.model()
        before = flat(network)
        train.train(network, 0, 1)
        self.assertGreater((flat(network) - before).abs().max(), 0.01)
        ours, gloos = ranks.run(4, weights), ranks.run(4, weights, backend="gloo")
        for rank in range(4):
            self.assertEqual(ours[rank], ours[0])
        self.expect_close(ours[0], flat(network).tolist())
        self.expect_close(ours[0], gloos[0])

    def run_script(self, *starter, **environment):
        """The losses that a script prints."""
        ended = subprocess.run([*starter, SCRIPT, "gradwire"], capture_output=True, text=True, timeout=100, check=False,
                               env={**os.environ, **environment})
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        printed = re.search("losses (.*)", ended.stdout + ended.stderr).group(1)
        return [float(word) for word in printed.split()]

    def test_a_script_on_nine_emulated_hosts(self):
        if subprocess.run([GRADWIRE, "doctor"], capture_output=True, timeout=100, check=False).returncode != 0:
            self.skipTest("this machine cannot emulate wirings")
        losses = self.run_script(GRADWIRE, "emulate", "bcube(3,2)", "--", sys.executable, GRADWIRE_ALGORITHM="bml")
        self.expect_close(losses, alone())

    def test_a_script_of_torchrun(self):
        with tempfile.TemporaryDirectory() as folder:
            # Streams are given rank by rank: PyTorch 1.13 understands nothing else under Python 3.11.
            starter = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2",
                       "--log_dir", folder, "--redirects", "1:1", "--tee", "0:1"]
            self.expect_close(self.run_script(*starter), alone())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
