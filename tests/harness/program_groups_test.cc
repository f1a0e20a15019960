#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "program.h"

/// Groups of ranks beside each other, and an all-to-all with counts for each pair: gradwire run.
namespace gradwire::harness {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Program;
using testing::read;

nlohmann::json rows_of(const fs::path& folder) {
  return nlohmann::json::parse(read(folder / "results.json")).at("rows");
}

/// Needs no namespaces.
class Groups : public Program {
 protected:
  void SetUp() override {}

  /// A run of these algorithms on four hosts; the code that it ends with.
  [[nodiscard]] int run(const std::string& algorithms, const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{
        "run",
        experiment("wiring: \"bcube(2,2)\"\nelements: 40000\nsweep: {product: {algorithm: [" +
                   algorithms + "]}}\n")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return measure(arguments);
  }
  [[nodiscard]] int simulate(const std::string& algorithms) const {
    return run(algorithms, {"--backing", "simulated", "-o", out_});
  }
  void write_counts(const char* text) const { std::ofstream(scratch_ / "counts.csv") << text; }
  [[nodiscard]] std::string errors() const { return read(scratch_ / "stderr"); }

  const fs::path out_ = scratch_ / "run";
};

class EmulatedGroups : public Groups {
 protected:
  void SetUp() override { Program::SetUp(); }
};

// Real bytes, and every sum exact: also where a rank is in no group, and where blocks differ.
TEST_F(EmulatedGroups, MoveRealBytes) {
  write_counts("0, 3, 1, 10\n2, 0, 0, 2\n1, 1, 4, 0\n0, 0, 0, 0\n");
  ASSERT_EQ(run("\"grid(2x2, rows=all-gather, columns=ring)\", "
                "\"groups(ranks=0+2-3, run=reduce(root=1))\", "
                "\"all-to-all(pairwise, counts=counts.csv)\", "
                "\"all-to-all(bcube, counts=counts.csv)\"",
                {"--backing", "emulated", "--iterations", "3", "--dilation", "4", "-o", out_}),
            commands::kExitOk)
      << errors();
  const nlohmann::json rows = rows_of(out_);
  ASSERT_EQ(rows.size(), 4u);
  for (const nlohmann::json& row : rows) EXPECT_EQ(row.at("wrong"), 0) << row.at("algorithm");
}

// A ring of two halves S once for an all-gather, twice for an all-reduce: 1/2 + 1 in one NIC's bytes. In
// the file rank 3 gets 10 + 2 of others, and rank 0 sends most, 14.
TEST_F(Groups, CountWhatTheBusiestNicCarries) {
  write_counts("0, 3, 1, 10\n2, 0, 0, 2\n1, 1, 4, 0\n0, 0, 0, 0\n");
  ASSERT_EQ(simulate("\"grid(2x2, rows=all-gather, columns=ring)\", "
                     "\"groups(ranks=0-2, run=all-gather)\", \"all-to-all(counts=counts.csv)\""),
            commands::kExitOk)
      << errors();
  const nlohmann::json rows = rows_of(out_);
  const auto factor = [&](std::size_t row) {
    return rows.at(row).at("busbw_gbs").get<double>() / rows.at(row).at("algbw_gbs").get<double>();
  };
  EXPECT_NEAR(factor(0), 1.0 / 2 + 1, 1e-9);
  EXPECT_NEAR(factor(1), 2.0 / 3, 1e-9);
  EXPECT_NEAR(factor(2), 14.0 / 14, 1e-9);
  for (const nlohmann::json& row : rows) {
    const double least = row.at("bound_us");
    EXPECT_LE(row.at("wiring_cost").at("cut_us").get<double>(), least * (1 + 1e-9));
  }
  EXPECT_THAT(read(out_ / "points.ndjson"), HasSubstr("\"collective\":\"groups\""));
}

TEST_F(Groups, AreRefusedWhereTheFileNamesThem) {
  EXPECT_EQ(simulate("\"grid(2x3, rows=ring)\""), commands::kExitUsage);
  EXPECT_THAT(errors(), AllOf(HasSubstr("experiment.yaml:6:"),
                              HasSubstr("grid(2x3) has 6 ranks, and bcube(2,2) has 4")));
  EXPECT_EQ(simulate("\"grid(2x2, rows=ring(\""), commands::kExitUsage);
  EXPECT_THAT(errors(), AllOf(HasSubstr("experiment.yaml:6:"), HasSubstr("parenthesis")));
}

TEST_F(Groups, WrongCountsAreNamedByTheirPlace) {
  write_counts("0, 3, 1, 10\n2, 0, a, 2\n");
  EXPECT_EQ(simulate("\"all-to-all(counts=counts.csv)\""), commands::kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("counts.csv:2:7: 'a' is not a whole number"));
  write_counts("0, 3\n1, 0\n");
  EXPECT_EQ(simulate("\"all-to-all(counts=counts.csv)\""), commands::kExitUsage);
  EXPECT_THAT(errors(), AllOf(HasSubstr("experiment.yaml:6:"), HasSubstr("counts of 2 ranks")));
}

// Other counts in a file of the same name are another point.
TEST_F(Groups, CountsAreInThePointsKey) {
  write_counts("0,1,1,1\n1,0,1,1\n1,1,0,1\n1,1,1,0\n");
  ASSERT_EQ(simulate("\"all-to-all(counts=counts.csv)\""), commands::kExitOk) << errors();
  write_counts("0,1,1,2\n1,0,1,1\n1,1,0,1\n1,1,1,0\n");
  EXPECT_EQ(finish(start({"run", "--resume", out_})), commands::kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("a file of counts"));
}

}  // namespace
}  // namespace gradwire::harness
