#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "program.h"

/// Algorithms that are files: gradwire run with plan(file), and gradwire plan --export.
namespace gradwire::harness {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Program;
using testing::read;

/// Needs no namespaces.
class Plans : public Program {
 protected:
  void SetUp() override {}

  /// An experiment on four hosts, in the scratch folder, where its plan file lies.
  [[nodiscard]] std::string with(const std::string& algorithms) const {
    return experiment("wiring: single-switch(4)\nelements: 40000\nalgorithm: " + algorithms + "\n");
  }
  [[nodiscard]] int exporting(const std::string& algorithm, const fs::path& to) const {
    const int code =
        finish(start({"plan", algorithm, "single-switch(4)", "--export", "--elements", "4"}));
    fs::copy_file(scratch_ / "stdout", to, fs::copy_options::overwrite_existing);
    return code;
  }
};

class EmulatedPlans : public Plans {
 protected:
  void SetUp() override { Program::SetUp(); }
};

nlohmann::json plan_rows(const fs::path& folder) {
  return nlohmann::json::parse(read(folder / "results.json")).at("rows");
}

// The shipped example: real bytes, and every sum exact.
TEST_F(EmulatedPlans, MoveRealBytes) {
  fs::copy_file(fs::path(GRADWIRE_ROOT) / "experiments/plans/pairs.yaml", scratch_ / "pairs.yaml");
  const fs::path out = scratch_ / "run";
  ASSERT_EQ(measure({"run", with("\"plan(pairs.yaml)\""), "--backing", "emulated", "--iterations",
                     "3", "--dilation", "4", "-o", out}),
            commands::kExitOk)
      << read(scratch_ / "stderr");
  const nlohmann::json row = plan_rows(out).at(0);
  EXPECT_EQ(row.at("wrong"), 0);
  EXPECT_THAT(read(out / "points.ndjson"), HasSubstr("\"collective\":\"all-gather\""));
}

// What is exported takes as long as what it was exported from, to 1e-9.
TEST_F(Plans, AsExportedTakeTheSameTime) {
  ASSERT_EQ(exporting("ring", scratch_ / "mine.json"), commands::kExitOk);
  const fs::path out = scratch_ / "run";
  const std::string file = experiment(
      "wiring: single-switch(4)\nelements: 40000\n"
      "sweep: {product: {algorithm: [ring, \"plan(mine.json)\"]}}\n");
  ASSERT_EQ(finish(start({"run", file, "--backing", "simulated", "-o", out})), commands::kExitOk)
      << read(scratch_ / "stderr");
  const nlohmann::json rows = plan_rows(out);
  const double ring = rows.at(0).at("gst_us").at("median");
  const double mine = rows.at(1).at("gst_us").at("median");
  EXPECT_NEAR(mine / ring, 1, 1e-9);
}

// A wrong one is shown its first wrong element, at the place that names the file.
TEST_F(Plans, ThatAreWrongMoveNothing) {
  ASSERT_EQ(exporting("all-gather(ring)", scratch_ / "mine.json"), commands::kExitOk);
  std::string text = read(scratch_ / "mine.json");
  const std::string last = "{\"from\": 0, \"to\": 1, \"chunk\": 2}";
  const std::size_t found = text.find(last);
  ASSERT_NE(found, std::string::npos);
  std::ofstream(scratch_ / "mine.json") << text.replace(found, last.size(), "");
  EXPECT_EQ(finish(start({"run", with("\"plan(mine.json)\""), "--backing", "simulated"})),
            commands::kExitUsage);
  EXPECT_THAT(read(scratch_ / "stderr"), HasSubstr("mine.json:"));  // a comma too many
  text.erase(text.find(",", found), 1);
  std::ofstream(scratch_ / "again.json") << text;
  EXPECT_EQ(finish(start({"run", with("\"plan(again.json)\""), "--backing", "simulated"})),
            commands::kExitUsage);
  EXPECT_THAT(read(scratch_ / "stderr"),
              AllOf(HasSubstr("experiment.yaml:"),
                    HasSubstr("does not reach its goal; in chunks, rank 1: [2, 3) ")));
}

// Another file of the same name is another point.
TEST_F(Plans, AreInThePointsKey) {
  ASSERT_EQ(exporting("ring", scratch_ / "mine.json"), commands::kExitOk);
  const std::string file = with("\"plan(mine.json)\"");
  const fs::path out = scratch_ / "run";
  ASSERT_EQ(finish(start({"run", file, "--backing", "simulated", "-o", out})), commands::kExitOk);
  ASSERT_EQ(exporting("ps", scratch_ / "mine.json"), commands::kExitOk);
  EXPECT_EQ(finish(start({"run", "--resume", out})), commands::kExitUsage);
  EXPECT_THAT(read(scratch_ / "stderr"), HasSubstr("plan file"));
}

}  // namespace
}  // namespace gradwire::harness
