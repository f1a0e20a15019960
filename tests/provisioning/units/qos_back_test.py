#!/usr/bin/env python3
"""Types of service and forced traffic classes of RDMA devices, put back as they were."""

import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True

from qos_host import Host  # noqa: E402

from gradwire_host import kernel  # noqa: E402


class Back(Host):
    """Puts types of service of RDMA back on a host whose files are in a folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.replace(kernel, "run_json", lambda *words: [])
        self.replace(kernel, "restore_rdma", lambda was: [])
        self.replace(Path, "mkdir", lambda path, exist_ok: self.make(path))
        self.replace(Path, "rmdir", lambda path: self.remove(path))
        self.tos = {}  # {device: type of service}, which rdma_cm keeps without a folder, too
        self.write("sys/class/infiniband/mlx5_0/ports/1/gid_attrs/ndevs/0", "eth1")

    def write(self, name, text):
        os.makedirs((self.root / name).parent, exist_ok=True)
        (self.root / name).write_text(text)

    def file(self, device):
        return self.root / f"sys/kernel/config/rdma_cm/{device}/ports/1/default_roce_tos"

    def make(self, path):
        """Makes a folder as configfs does, with the type of service that the device has."""
        if not path.is_dir():
            self.write(self.file(path.name).relative_to(self.root), self.tos[path.name])

    def remove(self, path):
        if self.file(path.name).is_file():
            self.tos[path.name] = self.file(path.name).read_text()
        shutil.rmtree(path)

    def capture(self):
        return {f"/{path.relative_to(self.root)}": path.read_text() for pattern in kernel.VALUES
                for path in self.root.glob(pattern)}

    def restore(self, values):
        was = {"sysctls": {}, "values": values, "dcb": {}, "modules": [], "rdma_links": {}}
        return kernel.restore(was, set(), ["eth1", None], True, self.root)

    def test_a_folder_that_was_not_there_goes_and_the_device_forgets(self):
        was = self.capture()
        self.write(self.file("mlx5_0").relative_to(self.root), "106")
        folder = self.root / "sys/kernel/config/rdma_cm/mlx5_0"
        self.assertEqual(self.restore(was), ["type of service of mlx5_0 = 0", f"removed {folder}"])
        self.assertEqual((folder.exists(), self.tos), (False, {"mlx5_0": "0"}))
        self.assertEqual(self.restore(was), [])

    def test_a_device_that_has_its_old_name_again(self):
        was = self.capture()
        self.tos["mlx5_0"] = "106"  # from when it was called rbc0
        os.makedirs(self.root / "sys/kernel/config/rdma_cm/rbc0")
        self.restore(was)
        self.assertEqual(self.tos, {"mlx5_0": "0"})
        self.assertEqual(list((self.root / "sys/kernel/config/rdma_cm").iterdir()), [])

    def test_a_folder_that_was_there_stays_with_its_value(self):
        self.write(self.file("mlx5_0").relative_to(self.root), "32")
        was = self.capture()
        self.file("mlx5_0").write_text("106")
        self.assertEqual(self.restore(was), ["/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos = 32"])
        self.assertEqual(self.file("mlx5_0").read_text(), "32")

    def test_a_folder_that_stays_is_named(self):
        os.makedirs(self.root / "sys/kernel/config/rdma_cm/rbc0")
        self.tos["mlx5_0"] = "0"
        with mock.patch.object(Path, "rmdir", mock.Mock(side_effect=OSError(16, "busy"))):
            self.assertIn("rbc0 could not be removed: busy", " ".join(self.restore({})))

    def test_a_value_that_the_kernel_refuses_is_named(self):
        self.write("sys/class/net/eth1/ecn/roce_np/cnp_dscp", "48")
        with mock.patch.object(kernel, "write_text", lambda path, text: False):
            self.assertEqual(self.restore({"/sys/class/net/eth1/ecn/roce_np/cnp_dscp": "0"}),
                             ["/sys/class/net/eth1/ecn/roce_np/cnp_dscp could not be set to 0"])

    def test_forced_traffic_class(self):
        """The driver takes a number and shows it in words. -1 forces no traffic class."""
        for was, told in (("Global tclass=32\n", "32"), ("", "-1")):
            self.write("sys/class/infiniband/mlx5_0/tc/2/traffic_class", was)
            values = self.capture()
            self.write("sys/class/infiniband/mlx5_0/tc/2/traffic_class", "Global tclass=106\n")
            self.restore(values)
            self.assertEqual((self.root / "sys/class/infiniband/mlx5_0/tc/2/traffic_class").read_text(), told)


if __name__ == "__main__":
    unittest.main()
