#!/usr/bin/env python3
"""limits.py finds every planted offender, and nothing else, in trees that these tests write."""

import contextlib
import io
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import limits  # noqa: E402


def block(opening, lines, closing, inside="  int i = 0;"):
    """A function of so many lines, its first and its last included."""
    return "\n".join([opening, *[inside] * (lines - 2), closing]) + "\n"


class Tree(unittest.TestCase):
    """A git work tree of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        subprocess.run(["git", "init", "--quiet", folder.name], check=True, timeout=30)

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def found(self):
        return list(limits.judge(self.root))

    def assert_found(self, name, text, offences):
        """Of a file with this text exactly these offences are reported."""
        self.write(name, text)
        self.assertEqual(self.found(), [f"{name}:{offence}" for offence in offences])

    def run_main(self):
        said, complained = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
            ended = limits.main([str(self.root)])
        return ended, said.getvalue(), complained.getvalue()


class Files(Tree):
    def test_the_limit_is_500_lines_in_every_language(self):
        for name in ("a.h", "b.cc", "c.py", "d.sh", "results/web/e.ts", "results/web/f.mjs"):
            self.write(name, "\n" * 501)
            self.write(str(Path(name).with_stem("right")), "\n" * 500)
        self.assertEqual(self.found(), [f"{name}:501: the file has 501 lines, the limit is 500" for name in (
            "a.h", "b.cc", "c.py", "d.sh", "results/web/e.ts", "results/web/f.mjs")])

    def test_a_last_line_without_a_newline_counts(self):
        self.assert_found("a.py", "\n" * 500 + "1", ["501: the file has 501 lines, the limit is 500"])

    def test_a_shebang_names_the_language(self):
        for name, first in (("run", "#!/usr/bin/env bash"), ("init", "#!/bin/busybox sh"),
                            ("judge", "#!/usr/bin/env python3")):
            self.write(name, first + "\n" * 501)
        self.write("table", "no program" + "\n" * 501)
        self.assertEqual([one.split(":")[0] for one in self.found()], ["init", "judge", "run"])

    def test_only_what_git_tracks_or_would_track_has_limits(self):
        self.write(".gitignore", "/build/\nnode_modules/\n")
        for name in ("build/a.cc", "results/web/node_modules/b.ts", "results/published/run/c.py", "workloads/d.json"):
            self.write(name, "\n" * 501)
        self.write("tracked.py", "\n" * 501)
        subprocess.run(["git", "-C", str(self.root), "add", "tracked.py"], check=True, timeout=30)
        self.write("untracked.py", "\n" * 501)
        self.assertEqual([one.split(":")[0] for one in self.found()], ["tracked.py", "untracked.py"])

    def test_scripts_outside_results_web_are_offenders_since_nothing_judges_them(self):
        self.assert_found("tools/a.mjs", "1;\n", [
            "1: scripts belong to results/web/, where ESLint judges their functions"])


class Cpp(Tree):
    def test_lines_of_functions_methods_constructors_and_tests(self):
        openings = {"free": "std::vector<int> free(std::span<const int> all) {",
                    "method": "int Kind::method() const {",
                    "Kind": "Kind::Kind(int a) : a_{a} {",
                    "work": "void work() noexcept try {",
                    "TEST": "TEST(Kind, Works) {",
                    "MATCHER_P": 'MATCHER_P(IsOf, kind, "") {'}
        for name, opening in openings.items():
            with self.subTest(name):
                self.assert_found("a.cc", "\n" + block(opening, 60, "}"), [])
                self.assert_found("a.cc", "\n" + block(opening, 61, "}"), [f"2: {name} has 61 lines, the limit is 60"])

    def test_lines_of_what_stands_in_a_class(self):
        text = "struct Kind {\n" + block("  explicit Kind(int a)\n      : a_(a) {", 61, "  }") + "  int a_;\n};\n"
        self.assert_found("a.h", text, ["2: Kind has 62 lines, the limit is 60"])

    def test_lines_of_a_lambda_count_for_its_function(self):
        text = "void outer() {\n" + block("  const auto inner = [&](int a) {", 59, "  };") + "}\n"
        self.assert_found("a.cc", text, ["1: outer has 61 lines, the limit is 60"])

    def test_parameters_of_definitions_declarations_and_constructors(self):
        five = "(int a, std::map<int, std::pair<int, int>> b, int (&c)[2], std::function<int(int)> d, int e = g(1, 2))"
        six = five.removesuffix(")") + ", int f)"
        for opening, name in (("int sum{};", "sum"), ("int sum{} {{ return 0; }}", "sum"),
                              ("Kind::Kind{} : a_(a) {{}}", "Kind"), ("struct Kind {{ Kind{}; }};", "Kind"),
                              ("auto sum = []{} {{ return 0; }};", "a lambda")):
            with self.subTest(opening):
                self.assert_found("a.cc", opening.format(five) + "\n", [])
                self.assert_found("a.cc", opening.format(six) + "\n", [f"1: {name} has 6 parameters, the limit is 5"])

    def test_no_parameters(self):
        self.assertEqual([limits.parameters_in(one) for one in ("()", "( ) const", "(void)", "(int)")], [0, 0, 0, 1])

    def test_a_variable_with_many_arguments_is_no_function(self):
        self.assert_found("a.cc", "void work() {\n  Kind kind(a, b, c, d, e, f);\n}\n", [])


class Python(Tree):
    def test_lines_with_the_docstring(self):
        text = block("def work():", 61, "    return i", "    # why").replace("    # why", '    """What."""', 1)
        self.assert_found("a.py", text, ["1: work has 61 lines, the limit is 60"])
        self.assert_found("a.py", text.replace("    # why\n", "", 1), [])

    def test_lines_of_asynchronous_methods(self):
        text = "class Kind:\n" + block("    async def work(self):", 61, "        return 1", "        pass")
        self.assert_found("a.py", text, ["2: work has 61 lines, the limit is 60"])

    def test_all_ways_to_take_parameters_count_but_self_and_cls(self):
        self.assert_found("a.py", "def five(a, /, b, *c, d, **e): pass\ndef six(a, /, b, *c, d, e=1, **f): pass\n", [
            "2: six has 6 parameters, the limit is 5"])
        text = "class Kind:\n  def five(self, a, b, c, d, e): pass\n  def six(cls, a, b, c, d, e, f): pass\n"
        self.assert_found("a.py", text, ["3: six has 6 parameters, the limit is 5"])
        self.assert_found("a.py", "_ = lambda a, b, c, d, e, f: 0\n", ["1: a lambda has 6 parameters, the limit is 5"])

    def test_what_is_no_python_is_unreadable(self):
        self.write("a.py", "def (:\n")
        ended, said, complained = self.run_main()
        self.assertEqual((ended, said), (2, ""))
        self.assertIn("a.py: invalid syntax", complained)


class Shell(Tree):
    def test_lines_of_functions(self):
        for opening, closing in (("work() {", "}"), ("function work() {", "}"), ("work() (", ")"),
                                 ("  work () {", "  } >&2")):
            with self.subTest(opening):
                self.assert_found("a.sh", block(opening, 60, closing, "  :"), [])
                self.assert_found("a.sh", block(opening, 61, closing, "  :"), ["1: work has 61 lines, the limit is 60"])

    def test_a_function_on_one_line_ends_there(self):
        self.assert_found("a.sh", "work() { :; }\n" + ":\n" * 50 + "{\n  :\n}\n", [])

    def test_here_documents_end_no_function(self):
        text = block("work() {\n  cat <<'END'\n}\nEND", 58, "}", "  :")
        self.assert_found("a.sh", text, ["1: work has 61 lines, the limit is 60"])

    def test_a_function_without_an_end_is_unreadable(self):
        self.write("a.sh", "work() {\n  :\n  }\n")
        self.assertEqual(self.run_main(), (2, "", "a.sh: line 1: work() does not end at its own indentation\n"))


class Main(Tree):
    def test_ends_with_one_and_a_line_for_each_offender(self):
        self.write("a.py", "def six(a, b, c, d, e, f): pass\n" + "\n" * 500)
        self.assertEqual(self.run_main(), (1, "a.py:501: the file has 501 lines, the limit is 500\n"
                                              "a.py:1: six has 6 parameters, the limit is 5\n", ""))

    def test_ends_with_zero_and_says_nothing_where_all_is_well(self):
        self.write("a.py", "def five(a, b, c, d, e): pass\n")
        self.assertEqual(self.run_main(), (0, "", ""))

    def test_a_folder_without_git_is_unreadable(self):
        with tempfile.TemporaryDirectory() as bare:
            with contextlib.redirect_stderr(io.StringIO()) as complained:
                self.assertEqual(limits.main([bare]), 2)
            self.assertIn("git failed", complained.getvalue())


if __name__ == "__main__":
    unittest.main()
