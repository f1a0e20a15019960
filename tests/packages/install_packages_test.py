#!/usr/bin/env python3
"""cmake/install-packages asks apt for the sections that it is told, and packages.txt has those that others name."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = """# a list: with a colon
# program: what it takes
gcc
cmake
# optional libraries
libucx-dev
# tests and benchmarks
chromium
"""
# Stand in for the machine's own, and write down what they are asked.
DPKG_QUERY = "#!/bin/sh\nprintf '%s\\n' 'installed cmake, , ' 'installed nodejs, npm (= 9.2), ' 'not-installed gcc, , '\n"
APT_GET = '#!/bin/sh\necho "$@" >>"$ASKED"\n'
SUDO = '#!/bin/sh\nexec "$@"\n'


class Installing(unittest.TestCase):
    """On a machine that has cmake, and npm as a part of nodejs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name, text in {"dpkg-query": DPKG_QUERY, "apt-get": APT_GET, "sudo": SUDO}.items():
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)

    def install(self, text, *sections):
        """The packages that apt is told to install, or what the script complains of."""
        (self.folder / "list").write_text(text)
        asked = self.folder / "asked"
        asked.write_text("")
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "ASKED": str(asked)}
        script = ROOT / "cmake/install-packages"
        ran = subprocess.run(["bash", script, self.folder / "list", *sections], env=environment, capture_output=True,
                             text=True, timeout=30, check=False)
        if ran.returncode != 0:
            return ran.stderr
        installing = [line for line in asked.read_text().splitlines() if line.startswith("install ")]
        for line in installing:
            self.assertIn(" --no-install-recommends ", line)
        return [word for line in installing for word in line.split() if not word.startswith("-") and word != "install"]

    def test_a_section_is_installed_alone(self):
        self.assertEqual(self.install(LIST, "program"), ["gcc"])
        self.assertEqual(self.install(LIST, "tests and benchmarks"), ["chromium"])

    def test_several_sections_are_installed_together(self):
        self.assertEqual(self.install(LIST, "program", "optional libraries"), ["gcc", "libucx-dev"])

    def test_without_a_name_all_are(self):
        self.assertEqual(self.install(LIST), ["gcc", "libucx-dev", "chromium"])

    def test_what_is_there_is_left_alone(self):
        self.assertEqual(self.install("# program\ncmake\nnpm\n", "program"), [])

    def test_a_section_that_is_not_there_is_named(self):
        self.assertIn("has no section 'programs'", self.install(LIST, "program", "programs"))


class TheList(unittest.TestCase):
    """packages.txt itself."""

    def setUp(self):
        self.sections, section = {}, None
        for line in (ROOT / "packages.txt").read_text().splitlines():
            if line.startswith("#"):
                section = self.sections.setdefault(line.lstrip("# ").split(":")[0].strip(), [])
            elif line:
                section.append(line)

    def test_it_has_the_sections_that_others_name(self):
        makefile = (ROOT / "Makefile").read_text()
        told = re.search(r"install-packages packages.txt (\w+) '([^']+)'", makefile).groups()
        role = (ROOT / "ansible/roles/toolchain/defaults/main.yml").read_text()
        named = re.search(r"^toolchain_sections: \[(.*)\]$", role, re.MULTILINE)[1].split(", ")
        for section in [*told, *named]:
            self.assertTrue(self.sections.get(section), section)

    def test_no_package_is_listed_twice(self):
        packages = [package for section in self.sections.values() for package in section]
        self.assertEqual(sorted(packages), sorted(set(packages)))

    def test_an_optional_library_is_named_where_it_is_looked_for(self):
        cmake = "".join((ROOT / name).read_text() for name in ("CMakeLists.txt", "tests/simulator/CMakeLists.txt"))
        named = set(re.findall(r'PACKAGE "?([\w.-]+)', cmake))
        elsewhere = {"libns3-dev": "tests and benchmarks", "libsimgrid-dev": "tests and benchmarks", "libtorch-dev": "PyTorch"}
        for package, section in elsewhere.items():
            self.assertIn(package, self.sections[section])
        # Debian has CUDA among what is not free, which nobody gets without asking for it.
        self.assertEqual(named - {*elsewhere, "nvidia-cuda-toolkit"}, set(self.sections["optional libraries"]))


if __name__ == "__main__":
    unittest.main()
