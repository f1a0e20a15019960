#include "harness/emulate/prefixed_lines.h"

#include <gtest/gtest.h>

namespace gradwire::emulate {
namespace {

TEST(PrefixedLines, WaitsForTheEndOfALine) {
  PrefixedLines lines("[3] ");
  EXPECT_EQ(lines.add("one\ntw"), "[3] one\n");
  EXPECT_EQ(lines.add("o"), "");
  EXPECT_EQ(lines.add("\n\nthree"), "[3] two\n[3] \n");
  EXPECT_EQ(lines.finish(), "[3] three\n");
  EXPECT_EQ(lines.finish(), "");
}

// However text is cut into pieces, the same lines come out.
TEST(PrefixedLines, GivesTheSameLinesForAnyPieces) {
  const std::string text = "a\n\nbc\r\nlonger line\n\n\nend";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    PrefixedLines lines("> ");
    std::string all;
    for (std::size_t at = 0; at < text.size(); at += size) all += lines.add(text.substr(at, size));
    all += lines.finish();
    EXPECT_EQ(all, "> a\n> \n> bc\r\n> longer line\n> \n> \n> end\n") << size;
  }
}

TEST(PrefixedLines, CutsALineThatNeverEnds) {
  PrefixedLines lines("");
  const std::string half(PrefixedLines::kLongestLine / 2, 'x');
  EXPECT_EQ(lines.add(half + "y"), "");
  const std::string cut = lines.add(half + "z\n");
  EXPECT_EQ(cut.find('\n'), PrefixedLines::kLongestLine);
  EXPECT_EQ(cut.substr(PrefixedLines::kLongestLine), "\nxz\n");
}

// A line of exactly the longest length is cut, and its newline ends an empty line.
TEST(PrefixedLines, KeepsEveryCharacterAtItsLimit) {
  for (const int more : {-1, 0, 1}) {
    const std::string line(PrefixedLines::kLongestLine + static_cast<std::size_t>(more), 'x');
    PrefixedLines lines("");
    const std::string all = lines.add(line + "\n") + lines.finish();
    std::string kept;
    for (const char c : all) {
      if (c != '\n') kept += c;
    }
    EXPECT_EQ(kept, line) << more;
    EXPECT_EQ(all.back(), '\n');
  }
}

}  // namespace
}  // namespace gradwire::emulate
