#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "tests/harness/program.h"

/// Wirings with many cables, whose emulation grows with what each rank carries, not with all flows.
namespace gradwire::testing {
namespace {

using Large = Program;

constexpr std::size_t kElements = 64'000;

/// The most memory that one process has had of all that this one and its children waited for.
double largest_child_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

// 64 hosts with three ports, and 54 hosts on 45 switches: both stalled or were killed once, because
// every rank had a thread and a buffer for every flow of the wiring.
TEST_F(Large, WiringsAreCalibratedAndSum) {
  for (const auto& [algorithm, wiring] :
       {std::pair("bml", "bcube(4,3)"), std::pair("ring", "fat-tree(6)")}) {
    const std::string file = experiment(
        "dilation: auto\nwarmup: 0\niterations: 1\nelements: " + std::to_string(kElements) +
        "\nalgorithm: " + algorithm + "\nwiring: \"" + wiring + "\"\n");
    const fs::path out = scratch_ / algorithm;
    ASSERT_EQ(measure({"run", file, "-o", out}, 240s), commands::kExitOk)
        << wiring << ": " << read(scratch_ / "stderr");
    const auto results = nlohmann::json::parse(read(out / "results.json"));
    EXPECT_EQ(results.at("rows").at(0).at("wrong"), 0) << wiring;
    EXPECT_TRUE(marked().empty()) << wiring;
  }
  // What harness/run/machine_needs.cc counts for a rank beside its gradient.
  EXPECT_LT(largest_child_bytes(), 4.0 * kElements + 32.0 * 1024 * 1024);
}

}  // namespace
}  // namespace gradwire::testing
