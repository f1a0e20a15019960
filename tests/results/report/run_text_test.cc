#include "results/report/run_text.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text/table.h"
#include "tests/results/report/metrics/rows.h"

namespace gradwire::report {
namespace {

using ::testing::AllOf;
using testing::bare_row;
using testing::full_row;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::stored_point;
using testing::stored_run;

record::StoredRun run_of(const std::vector<record::Row>& rows) {
  std::vector<record::StoredPoint> points;
  for (const record::Row& row : rows) {
    points.push_back(stored_point("bml", {1e-3}));
    points.back().row = row;
  }
  record::StoredRun run = stored_run(std::move(points));
  run.context = nullptr;
  return run;
}

std::string text_of(const std::vector<record::Row>& rows, const RunForm& form = {}) {
  return format_run(run_of(rows), form);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

/// The characters of a line of UTF-8.
std::size_t width_of(const std::string& line) {
  return static_cast<std::size_t>(
      std::ranges::count_if(line, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

TEST(RunText, OfEveryStoredRunFitsATerminal) {
  const std::string root = GRADWIRE_ROOT;
  const std::vector<std::string> folders{root + "/results/published", root + "/results/prediction"};
  const std::vector<record::StoredRun> runs = record::read_runs(record::folders_of(folders));
  EXPECT_GT(runs.size(), 60u);
  for (const record::StoredRun& run : runs) {
    std::istringstream lines(format_run(run));
    std::size_t rows = 0;
    for (std::string line; std::getline(lines, line);) {
      rows += line.starts_with("#") ? 0 : 1;
      if (line.starts_with("# run folder: ")) continue;
      EXPECT_LE(width_of(line), text::kTerminalWidth) << run.name << "\n" << line;
    }
    EXPECT_GE(rows, run.points.size()) << run.name;
  }
}

TEST(RunText, SaysOnceWhatAllRowsShareAndLeavesOutWhatNoneHas) {
  record::Row one = bare_row();
  record::Row other = bare_row();
  other.configuration.ports_per_host = 3;
  const std::string text = text_of({one, other});
  EXPECT_THAT(text, HasSubstr("#\n# backing emulated, wiring bcube(3,2), N 9, size 4000000 B, type "
                              "float32\n#\n#  algo  k  gst_p50  cv%   nicbw  flags\n"));
  EXPECT_THAT(text, HasSubstr("\n   ring  3   1000.0  0.0"));
  EXPECT_THAT(text, Not(HasSubstr("bound")));
}

TEST(RunText, HasATableForEachBackingAndKindOfRows) {
  record::Row dense = full_row();
  dense.training.reset();
  record::Row simulated = bare_row();
  simulated.configuration.backing = record::Backing::simulated;
  const std::string text = text_of({full_row(), dense, bare_row(), simulated, bare_row()});
  EXPECT_EQ(count(text, "#\n# backing emulated, "), 3u) << text;
  EXPECT_EQ(count(text, "#\n# backing simulated, "), 1u) << text;
  EXPECT_THAT(text, HasSubstr("batch 64, sched wfbp"));
  EXPECT_THAT(text, HasSubstr("#  algo  msgs  iter_p50    pred   err%  exposed%  #wrong  flags\n"));
  EXPECT_THAT(text, HasSubstr("#  algo  gst_p50  eff%  products    step  #wrong  flags\n"));
}

// Below the tables, whatever their number; a flag that occurs is explained there, too.
TEST(RunText, DefinesEverythingOnceBelowTheTables) {
  record::Row simulated = full_row();
  simulated.configuration.backing = record::Backing::simulated;
  for (const RunForm& form : {RunForm{}, RunForm{.wide = true}}) {
    const std::string text = text_of({full_row(), bare_row(), simulated}, form);
    for (const std::string word :
         {"# k ", "# GST ", "# gst_p50 ", "# busbw ", "# iter_p50 ", "# Times are divided",
          "# computing times resnet50 on v100", "# burst: ", "# few-samples: "}) {
      EXPECT_EQ(count(text, "\n" + word), 1u) << word << "\n" << text;
      EXPECT_GT(text.find("\n" + word), text.rfind("\n   ")) << word;
    }
  }
}

TEST(RunText, ShowsAllColumnsOrThoseThatAreNamed) {
  const std::string wide = text_of({full_row(), bare_row()}, {.wide = true});
  EXPECT_THAT(wide, AllOf(HasSubstr("foreign%"), HasSubstr("iter_p99"), HasSubstr("deviation")));
  const std::string brief = text_of({full_row(), bare_row()});
  EXPECT_THAT(brief, AllOf(Not(HasSubstr("foreign%")), HasSubstr("--wide")));
  EXPECT_THAT(
      text_of({full_row(), bare_row()}, {.columns = {"algo", "gst_p99"}}),
      HasSubstr("#\n#  algo  gst_p99\n#           (us)\n   bml    1007.0\n   ring   1000.0\n#\n"));
}

TEST(RunText, BreaksLongCellsAndNoNumbers) {
  record::Row row = bare_row();
  row.configuration.algorithm = "hierarchical(groups=4, servers=" + std::string(100, 'x') + ")";
  row.flags = {"cost-extrapolated", "packet-loss", "off-prediction", "late-compute"};
  const std::string text = text_of({row});
  EXPECT_THAT(text, HasSubstr("\n   hierarchical(groups=4,  "));
  EXPECT_THAT(text, HasSubstr("   1000.0"));
  EXPECT_THAT(text_of({row}, {.columns = {"algo"}}), HasSubstr(row.configuration.algorithm + "\n"));
}

}  // namespace
}  // namespace gradwire::report
