#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "program.h"
#include "results/record/stored_run.h"
#include "results/report/crossover.h"
#include "results/report/run_text.h"

/// The shipped experiments of fully connected layers, in virtual time: traffic against the closed forms
/// of Late-multiply (2017), section 2.1.
namespace gradwire::harness {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::Program;
using testing::read;

class SimulatedLayers : public Program {
 protected:
  void SetUp() override {}  // does not ask whether the machine can emulate

  /// The rows of a shipped experiment.
  [[nodiscard]] std::vector<record::Row> rows_of(const std::string& name) const {
    const fs::path file = fs::path(GRADWIRE_ROOT) / "experiments" / (name + ".yaml");
    const fs::path out = scratch_ / name;
    EXPECT_EQ(finish(start({"run", file, "--backing", "simulated", "--wide", "-o", out})),
              commands::kExitOk)
        << read(scratch_ / "stderr");
    return report::rows_of(record::read_run(out));
  }
};

// A ring of n carries 2 (n-1)/n K N values, an all-gather (n-1) M (N + K): they meet where all workers
// together have 2 K N / (N + K) samples.
TEST_F(SimulatedLayers, CrossOverWhereTheTrafficDoes) {
  const std::vector<report::Crossover> found =
      report::crossovers(rows_of("late-multiply-crossover"));
  ASSERT_EQ(found.size(), 3u);
  const double sizes[][2] = {{9216, 4096}, {4096, 4096}, {4096, 1000}};
  const double printed[] = {5671, 4096, 1607};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [inputs, outputs] = sizes[i];
    const double expected = 2 * inputs * outputs / (inputs + outputs);
    EXPECT_NEAR(found[i].gst.samples.value() / expected, 1, 1e-4) << printed[i];
    EXPECT_EQ(std::floor(expected), printed[i]) << "docs/dense-layers.md";
    EXPECT_FALSE(found[i].step) << "nobody multiplies in virtual time";
  }
  EXPECT_THAT(read(scratch_ / "stdout"), HasSubstr("Crossover"));
}

// Seconds of payload at the links' rate: through a single reducer 2 (n-1) K N values cross its port, n-1
// in each direction, one after the other. docs/dense-layers.md has the same times.
TEST_F(SimulatedLayers, Table1TakesWhatItsTrafficTakes) {
  const std::string page = read(fs::path(GRADWIRE_ROOT) / "docs" / "dense-layers.md");
  const std::pair<const char*, double> networks[] = {{"late-multiply-measured-10gbe", 10e9},
                                                     {"late-multiply-measured-56gbib", 56e9}};
  for (const auto& [name, rate] : networks) {
    const std::vector<record::Row> rows = rows_of(name);
    ASSERT_EQ(rows.size(), 6u);
    const double payload = rate * (9000 - 52) / (9000 + 14) / 32;  // values a second
    const double weights = 58'621'952, values = 256 * 26'600;
    for (const record::Row& row : rows) {
      const auto n = static_cast<double>(row.configuration.ranks);
      const std::string& algorithm = row.configuration.algorithm;
      const double carried = algorithm == "ring"            ? 2 * (n - 1) / n * weights
                             : algorithm == "ps(servers=1)" ? 2 * (n - 1) * weights
                                                            : (n - 1) / n * values;
      EXPECT_THAT(page, HasSubstr(fmt::format("| {:.1f} |", 1e3 * row.gst.median))) << algorithm;
      EXPECT_NEAR(row.gst.median * payload / carried, 1, 1e-3) << name << ": " << algorithm;
    }
  }
}

}  // namespace
}  // namespace gradwire::harness
