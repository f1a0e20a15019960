#!/usr/bin/env python3
"""found_test.py: CMake leaves CUDA out with one loud line where it is missing or does not serve, and says why.

Small projects are configured with compilers that only say which version they are.
"""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROJECT = f"""
cmake_minimum_required(VERSION 3.25)
project(found LANGUAGES CXX)
find_package(PkgConfig REQUIRED)
list(APPEND CMAKE_MODULE_PATH {ROOT}/cmake)
include(Libraries)
gradwire_optional(CUDA "CUDA" COST "gradients on GPUs" PACKAGE nvidia-cuda-toolkit)
message(STATUS "HAS ${{GRADWIRE_HAS_CUDA}}")
"""
COMPILER = """#!/bin/sh
case $1 in
--version) echo "Cuda compilation tools, release {short}, V{version}" ;;
--list-gpu-arch) echo "{gpus}" ;;
*) exit 1 ;;
esac
"""


def configured(folder, *options):
    """What CMake says of CUDA."""
    (folder / "CMakeLists.txt").write_text(PROJECT)
    words = ["cmake", "-S", folder, "-B", folder / "build", *options]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return [line for line in (done.stdout + done.stderr).splitlines() if "CUDA" in line or "HAS" in line]


class Found(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def said_of(self, version, gpus="compute_80"):
        """What is said with a compiler of this version."""
        compiler = self.folder / "nvcc"
        compiler.write_text(COMPILER.format(short=version.rpartition(".")[0], version=version, gpus=gpus))
        compiler.chmod(0o755)
        return configured(self.folder, f"-DGRADWIRE_NVCC={compiler}")

    def test_one_that_is_missing(self):
        self.assertEqual(configured(self.folder, f"-DGRADWIRE_NVCC={self.folder}/none"), [
            "-- HAS OFF",
            "WARNING: CUDA is missing: built without gradients on GPUs (Debian's package: nvidia-cuda-toolkit)"])

    def test_one_that_is_not_wanted_is_no_warning(self):
        self.assertEqual(configured(self.folder, "-DGRADWIRE_CUDA=OFF"), [
            "-- CUDA is left out: built without gradients on GPUs", "-- HAS OFF"])

    def test_one_that_is_too_old(self):
        self.assertEqual(self.said_of("10.2.89"), [
            "-- HAS OFF", "WARNING: CUDA is left out, 10.2.89 is older than 11: built without gradients on GPUs"])

    def test_one_that_knows_none_of_the_gpus(self):
        self.assertEqual(self.said_of("12.4.131", gpus="compute_50"), [
            "-- HAS OFF", "WARNING: CUDA is left out, 12.4.131 knows none of sm_75, sm_80 and sm_90: "
            "built without gradients on GPUs"])

    @unittest.skipIf(shutil.which("g++-11"), "there is a g++-11")
    def test_one_that_takes_an_older_compiler(self):
        self.assertEqual(self.said_of("11.8.89"), [
            "-- HAS OFF", "WARNING: CUDA is left out, 11.8.89 takes g++ up to 11, and there is no g++-11: "
            "built without gradients on GPUs"])


if __name__ == "__main__":
    unittest.main()
