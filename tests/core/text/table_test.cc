#include "core/text/table.h"

#include <array>

#include <gmock/gmock.h>

#include "core/error.h"

namespace gradwire::text {
namespace {

using ::testing::ElementsAre;

constexpr std::array<Heading, 2> kHeadings{
    {{.name = "name", .left = true}, {.name = "time", .unit = "(us)"}}};

TEST(Table, ColumnsAreAsWideAsTheirWidestCell) {
  EXPECT_EQ(format_columns(kHeadings, {{"a", "1.5"}, {"longest", "10000"}}),
            "#  name      time\n"
            "#            (us)\n"
            "   a          1.5\n"
            "   longest  10000\n");
  EXPECT_EQ(format_columns(kHeadings, {{"a", ""}}, kNoMargins),
            "name  time\n"
            "      (us)\n"
            "a\n");
}

TEST(Table, WithoutNamesHasNoHeader) {
  constexpr std::array<Heading, 2> kNameless{{{.left = true}, {.left = true}}};
  EXPECT_EQ(format_columns(kNameless, {{"ok", "x"}, {"MISSING", "y"}}, {.row = "  "}),
            "  ok       x\n"
            "  MISSING  y\n");
}

TEST(Table, LongCellsBreakBetweenWordsWhereAWidthIsGiven) {
  constexpr std::array<Heading, 2> kNarrow{
      {{.name = "claim", .left = true, .width = 8}, {.name = "n", .left = true}}};
  EXPECT_EQ(format_columns(kNarrow, {{"links are even", "1"}, {"b", "2"}}, kNoMargins),
            "claim     n\n"
            "links     1\n"
            "are even\n"
            "b         2\n");
}

TEST(Table, KeepsToItsWidthByBreakingTextThatStandsLeft) {
  constexpr std::array<Heading, 3> kWide{
      {{.name = "wiring", .left = true}, {.name = "n"}, {.name = "flags", .left = true}}};
  EXPECT_EQ(format_columns(kWide, {{"a-name", "1000", "one, two, three"}, {"b", "2", "-"}},
                           {.header = "", .row = "", .width = 25}),
            "wiring     n  flags\n"
            "a-name  1000  one, two,\n"
            "              three\n"
            "b          2  -\n");
  EXPECT_EQ(
      format_columns(kWide, {{"a-name", "1000", "one"}}, {.header = "", .row = "", .width = 17}),
      "wiring     n  flags\n"
      "a-name  1000  one\n")
      << "a name is not broken";
  EXPECT_EQ(format_columns(kWide, {{"much-longer", "1000", "one"}},
                           {.header = "", .row = "", .width = 20, .breaks_words = true}),
            "wiring      n  flags\n"
            "much-    1000  one\n"
            "longer\n");
  EXPECT_EQ(format_columns(kWide, {{"a b c d", "1", "\u00e4\u00e4\u00e4 b"}},
                           {.header = "", .row = "", .width = 0}),
            "wiring   n  flags\n"
            "a b c d  1  \u00e4\u00e4\u00e4 b\n");
}

TEST(Table, CellsCannotDisturbTheTerminal) {
  constexpr std::array<Heading, 1> kOne{{{.name = "n", .left = true}}};
  EXPECT_EQ(format_columns(kOne, {{"a\nb"}}, kNoMargins), "n\na b\n");
}

TEST(Table, EveryRowHasACellPerHeading) {
  EXPECT_THROW(static_cast<void>(format_columns(kHeadings, {{"a"}})), InternalError);
}

TEST(Wrap, BreaksAtBlanks) {
  EXPECT_THAT(wrap("a short text", 20), ElementsAre("a short text"));
  EXPECT_THAT(wrap("a text that is longer", 10), ElementsAre("a text", "that is", "longer"));
  EXPECT_THAT(wrap("abcdefghij", 4), ElementsAre("abcd", "efgh", "ij"));
  EXPECT_THAT(wrap("all-to-all(x)", 6), ElementsAre("all-", "to-", "all(x)"));
  EXPECT_THAT(wrap("\u00e4\u00f6\u00fc \u00df", 4), ElementsAre("\u00e4\u00f6\u00fc", "\u00df"));
  EXPECT_THAT(wrap("", 4), ElementsAre(""));
}

// What all rows have in common is said once, and a column without any value not at all.
TEST(BriefTable, SaysOnceWhatAllRowsShare) {
  constexpr std::array kShared =
      std::to_array<Heading>({{.name = "size", .unit = "(B)", .once = true},
                              {.name = "batch", .once = true},
                              {.name = "algo", .left = true, .once = true},
                              {.name = "gst"}});
  EXPECT_EQ(format_brief(kShared, {{"64", "-", "ring", "7"}, {"64", "-", "bml", "7"}}),
            "#\n# size 64 B\n#\n"
            "#  algo  gst\n"
            "   ring    7\n"
            "   bml     7\n");
  EXPECT_EQ(format_brief(kShared, {{"64", "-", "ring", "7"}, {"32", "8", "bml", "7"}}),
            "#\n" + format_columns(kShared, {{"64", "-", "ring", "7"}, {"32", "8", "bml", "7"}}));
}

}  // namespace
}  // namespace gradwire::text
