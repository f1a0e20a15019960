#!/usr/bin/env python3
"""What includes.py finds in a header, and what it lets pass."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

from includes import offenders  # noqa: E402


class Offenders(unittest.TestCase):
    def test_a_name_without_its_header_is_found_once(self):
        found = offenders("#pragma once\n\nstd::optional<int> a();\nstd::optional<int> b();\n")
        self.assertEqual(found, [(3, "std::optional without #include <optional>")])

    def test_another_library_is_known_by_its_folder(self):
        self.assertEqual(offenders("nlohmann::json a();\n"), [(1, "nlohmann::json without #include <nlohmann/...>")])
        self.assertEqual(offenders("#include <nlohmann/json_fwd.hpp>\nnlohmann::json a();\n"), [])

    def test_a_header_may_have_the_names_of_another(self):
        self.assertEqual(offenders("#include <string>\nvoid a(std::string_view text);\n"), [])
        self.assertEqual(len(offenders("#include <string_view>\nvoid a(std::string text);\n")), 1)

    def test_comments_and_texts_need_nothing(self):
        self.assertEqual(offenders('/// A std::vector of bytes.\nconstexpr auto kText = "std::map";\n'), [])

    def test_an_unknown_name_is_found(self):
        self.assertEqual(offenders("std::flat_map<int, int> a;\n"), [(1, "std::flat_map is not in the table of includes.py")])


if __name__ == "__main__":
    unittest.main()
