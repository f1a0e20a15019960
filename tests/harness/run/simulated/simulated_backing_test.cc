#include "harness/run/simulated/simulated_backing.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "core/error.h"
#include "results/record/flags.h"
#include "results/report/metrics/row_json.h"
#include "results/report/run_text.h"

/// Experiments in virtual time, from their text to their rows.
namespace gradwire::run {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SimulatedBackingTest : public ::testing::Test {
 protected:
  ~SimulatedBackingTest() override { fs::remove_all(folder_); }

  /// The experiment with these keys; links without headers, of 1 GB/s unless rate_ is another.
  std::vector<record::Row> run(const std::string& keys, report::TraceFile* trace = nullptr) {
    const experiment::Experiment experiment = experiment::load_experiment_text(
        "gradwire: 1\nname: t\nbacking: simulated\nlink: {rate: " + rate_ + ", headers: none" +
            keys,
        "x");
    const std::vector<PreparedPoint> points = prepare(experiment, record::Backing::simulated);
    fs::remove_all(folder_);
    record::RunFolder folder = record::RunFolder::create(
        {.out = folder_, .name = "t", .experiment = "x"}, {{"version", 1}});
    Progress progress(log_, clock_, {.total = points.size(), .parts = 1});
    SimulatedBacking run({.experiment = experiment,
                          .points = points,
                          .folder = folder,
                          .progress = progress,
                          .trace = trace});
    run.measure();
    return report::rows_of(record::read_run(folder_));
  }

  [[nodiscard]] std::size_t lines() const {
    std::ifstream file(folder_ / "samples.ndjson");
    std::size_t count = 0;
    for (std::string line; std::getline(file, line);) ++count;
    return count;
  }

  std::string rate_ = "8Gbit";
  ManualClock clock_;
  std::ostringstream log_;
  const fs::path folder_ =
      fs::temp_directory_path() / ("gradwire_simulated_run_test_" + std::to_string(::getpid()));
};

// 15 hosts push a window of 15,000 bytes each; one leaves while the others arrive.
TEST_F(SimulatedBackingTest, SaysWhereADroppingSwitchWouldLosePackets) {
  const auto flags = [&](const std::string& link, const std::string& fabric) {
    const std::string pushes = "size: 4MB\nalgorithm: ps(servers=1)\nwiring: single-switch(16)\n";
    return record::row_flags(run(", mtu: 1500" + link + "}\n" + pushes + fabric).at(0));
  };
  EXPECT_THAT(flags(", buffer: 209kB", ""), Contains(record::kFlagIncast));
  EXPECT_THAT(flags(", buffer: 210kB", ""), IsEmpty());
  EXPECT_THAT(flags("", "fabric: lossless\n"), IsEmpty());
}

// BML paper, Figure 5, 16 servers, in units of T_F = 12.8 us: 1.875, 1.875, 1.5, 0.9375.
TEST_F(SimulatedBackingTest, GivesFigure5) {
  const std::vector<record::Row> rows =
      run("}\nelements: 3200\nsweep:\n  zip:\n    algorithm: [ps, hierarchical, ps, bml]\n"
          "    wiring: [fat-tree(4), fat-tree(4), \"bcube(4,2)\", \"bcube(4,2)\"]\n");
  ASSERT_EQ(rows.size(), 4u);
  const double expected[] = {1.875, 1.875, 1.5, 0.9375};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(rows[i].gst.median / 12.8e-6, expected[i], 1e-3) << i;
    EXPECT_NEAR(rows[i].rates().efficiency.value(), 1, 1e-3) << i;
    EXPECT_THAT(record::row_flags(rows[i]), IsEmpty()) << i;
    EXPECT_FALSE(rows[i].wrong.has_value()) << "nothing was moved that could be wrong";
  }
  EXPECT_EQ(lines(), 4u) << "one sample per point";
  EXPECT_NEAR(rows[2].wiring->cut.count() / 12.8e-6, 0.9375, 1e-9) << "2 * 15 / (16 * 2)";
}

// docs/collectives.md, times of its table for N = 8 on one switch, to 1e-9; T_F = 32 us.
TEST_F(SimulatedBackingTest, EveryWayTakesTheTimeOfItsFormula) {
  const std::vector<std::pair<std::string, double>> ways{{"reduce-scatter(ring)", 7.0 / 8},
                                                         {"reduce-scatter(bruck)", 7.0 / 8},
                                                         {"reduce-scatter(halving)", 7.0 / 8},
                                                         {"reduce-scatter(direct)", 7.0 / 8},
                                                         {"reduce-scatter(pairwise)", 7.0 / 8},
                                                         {"all-gather(ring)", 7.0 / 8},
                                                         {"all-gather(bruck)", 7.0 / 8},
                                                         {"all-gather(doubling)", 7.0 / 8},
                                                         {"all-gather(direct)", 7.0 / 8},
                                                         {"all-gather(pairwise)", 7.0 / 8},
                                                         {"all-reduce(bruck)", 14.0 / 8},
                                                         {"all-reduce(halving)", 14.0 / 8},
                                                         {"broadcast(binomial)", 3},
                                                         {"broadcast(scatter-gather)", 14.0 / 8},
                                                         {"broadcast(chain)", 14.0 / 8},
                                                         {"broadcast(direct)", 7},
                                                         {"reduce(binomial)", 3},
                                                         {"reduce(scatter-gather)", 14.0 / 8},
                                                         {"reduce(chain)", 14.0 / 8},
                                                         {"reduce(direct)", 7},
                                                         {"all-to-all(pairwise)", 7.0 / 8},
                                                         {"all-to-all(direct)", 7.0 / 8},
                                                         {"send(striped)", 1},
                                                         {"send(direct)", 1}};
  std::string names;
  for (const auto& [name, time] : ways) names += (names.empty() ? "" : ", ") + name;
  const std::vector<record::Row> rows =
      run("}\nelements: 8000\nwiring: single-switch(8)\nsweep: {product: {algorithm: [" + names +
          "]}}\n");
  ASSERT_EQ(rows.size(), ways.size());
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const auto& [name, time] = ways[i];
    EXPECT_NEAR(rows[i].gst.median / 32e-6, time, 1e-9) << name;
    EXPECT_EQ(rows[i].configuration.collective, name.substr(0, name.find('('))) << name;
    EXPECT_LE(rows[i].wiring->cut.count(), rows[i].gst.median * (1 + 1e-9)) << name;
  }
}

// collectives/byteps.h for five workers and four servers, T_F = 266.4 us, and for nine ranks that do both. Of
// the wiring's nine hosts four need nothing: everything may be done in T_F, not only in 16/9 T_F.
TEST_F(SimulatedBackingTest, ServersThatOnlyServeLowerWhatMustCross) {
  const std::vector<record::Row> rows =
      run("}\nelements: 66600\nwiring: single-switch(9)\nsweep:\n  product:\n    algorithm: "
          "[\"ps(byteps, servers=4, pieces=8)\", ps(byteps), \"ps(servers=4, dedicated)\"]\n");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_NEAR(rows[0].gst.median / 266.4e-6, 40.0 / 37 * (1 + 1.0 / 8), 1e-9);
  EXPECT_NEAR(rows[0].wiring->cut.count() / 266.4e-6, 1, 1e-9);
  EXPECT_NEAR(rows[1].gst.median / 266.4e-6, 16.0 / 9, 1e-9);
  EXPECT_NEAR(rows[1].wiring->cut.count() / 266.4e-6, 16.0 / 9, 1e-9);
  EXPECT_NEAR(rows[2].gst.median / 266.4e-6, 2 * 5.0 / 4, 1e-9);
  for (const record::Row& row : rows) EXPECT_NEAR(row.rates().efficiency.value(), 1, 1e-9);
}

// alpha from link.startup, gamma from cost, delay from link: PS on 4 hosts, 4000 bytes at 1 GB/s.
// Push: 5 us + 3 x 1 us + 2 cables x 1 us + 3 additions of 1000 bytes at 2 ns; pull: the same
// without additions.
TEST_F(SimulatedBackingTest, TakesItsCostsFromTheExperiment) {
  const std::vector<record::Row> rows =
      run(", startup: 5us, delay: 1us}\ncost: {gamma: 2}\nelements: 1000\nalgorithm: ps\n"
          "wiring: single-switch(4)\n");
  EXPECT_NEAR(rows.front().gst.median, (2 * (5 + 3 + 2) + 6) * 1e-6, 1e-9);
}

// Clocks of whole nanoseconds make no synchronization faster than its bound. 4000 bytes at 1.2 GB/s
// take 3333 1/3 ns, from 3000.3 ns on.
TEST_F(SimulatedBackingTest, RoundingMakesNothingFaster) {
  const fs::path trace = fs::temp_directory_path() / ("trace_" + std::to_string(::getpid()));
  std::ofstream(trace.string() + ".csv")
      << "tensor,elements,forward_us,backward_us\nonly,1000,1,2.0003\n";
  rate_ = "9.6Gbit";
  const std::vector<record::Row> rows = run("}\niterations: 1\ncompute: {trace: " + trace.string() +
                                            ".csv}\nalgorithm: ring\nwiring: single-switch(2)\n");
  fs::remove(trace.string() + ".csv");
  EXPECT_NEAR(rows.front().bound->count(), 4000 / 1.2e9, 1e-15);
  EXPECT_GE(rows.front().gst.median, rows.front().bound->count());
  EXPECT_THAT(record::row_flags(rows.front()), ::testing::Not(Contains("faster-than-bound")));
}

// A training job: forward 3 us, backward 1 us and 2 us (last layer first), 4000 and 8000 bytes, two
// hosts, so that a ring takes 4 and 8 us: 8 us from 4 us on (bucket 1), then 4 us.
TEST_F(SimulatedBackingTest, TrainsInVirtualTime) {
  const fs::path trace = fs::temp_directory_path() / ("trace_" + std::to_string(::getpid()));
  std::ofstream(trace.string() + ".csv")
      << "tensor,elements,forward_us,backward_us\nfirst,1000,1,2\nsecond,2000,2,1\n";
  const std::vector<record::Row> rows =
      run("}\niterations: 7\ncompute: {trace: " + trace.string() +
          ".csv}\nalgorithm: ring\nwiring: single-switch(2)\n"
          "sweep: {product: {schedule: [wfbp, synceasgd, optimum]}}\n");
  fs::remove(trace.string() + ".csv");
  ASSERT_EQ(rows.size(), 3u);
  const record::TrainingRow& wfbp = *rows[0].training;
  EXPECT_NEAR(wfbp.iteration.median, 16e-6, 1e-9);
  EXPECT_NEAR(wfbp.exposed.count(), 10e-6, 1e-9);
  EXPECT_NEAR(wfbp.jct.count(), 7 * 16e-6, 1e-9) << "of all iterations, though one is simulated";
  EXPECT_EQ(wfbp.bucket_gst.size(), 2u);
  EXPECT_NEAR(rows[0].gst.median, 12e-6, 1e-9) << "4 us and 8 us";
  EXPECT_NEAR(wfbp.plan.predicted.iteration.count(), 16e-6, 1e-8);
  EXPECT_NEAR(rows[1].training->iteration.median, 18e-6, 1e-9) << "6 us, then all 12 us";
  EXPECT_NEAR(rows[2].training->iteration.median, 16e-6, 1e-9);
}

// 6400 elements on 16 hosts with 2 NICs divide, 6401 do not: all ranks are simulated then, and the
// one that has more to do decides.
TEST_F(SimulatedBackingTest, PadsOnlyWhenItMust) {
  for (const char* elements : {"6400", "6401"}) {
    const auto rows =
        run(std::string("}\nelements: ") + elements + "\nalgorithm: bml\nwiring: \"bcube(4,2)\"\n");
    EXPECT_THAT(record::row_flags(rows.front()), IsEmpty()) << elements;
  }
  // 2048 x 4094 messages are too many to follow one by one.
  const auto rows = run("}\nelements: 2047\nalgorithm: ring\nwiring: single-switch(2048)\n");
  EXPECT_THAT(record::row_flags(rows.front()), Contains(record::kFlagPadded));
  EXPECT_NEAR(rows.front().gst.median, 4094 * 4e-9, 1e-9) << "as 2048 elements would take";
}

TEST_F(SimulatedBackingTest, SaysWhatIsDownAndWhoWaits) {
  try {
    static_cast<void>(
        run("}\nelements: 4000\nalgorithm: bml\nwiring: \"bcube(2,2)\"\n"
            "failures: [{host: 2, port: 1, at: 2us}]\n"));
    FAIL() << "a cable that BML needs was down";
  } catch (const FabricError& error) {
    EXPECT_EQ(error.failure(), FabricFailure::stalled);
    EXPECT_EQ(error.place().port, Port(1));
    EXPECT_THAT(error.what(), HasSubstr("down: host 2 port 1 (since 2 us)"));
  }
}

// The point that cannot go on is named; the others are simulated all the same.
TEST_F(SimulatedBackingTest, APointThatStopsDoesNotStopTheOthers) {
  try {
    static_cast<void>(
        run("}\nelements: 4000\nalgorithm: ring\n"
            "failures: [{host: 0, port: 0, at: 1us}]\n"
            "sweep: {product: {wiring: [single-switch(5), \"rail-only(5,2)\"]}}\n"));
    FAIL() << "a ring needs every cable of one switch";
  } catch (const FabricError& error) {
    EXPECT_THAT(error.what(), HasSubstr("ring on single-switch(5): at "));
  }
  EXPECT_EQ(lines(), 1u) << "the ring on two rails uses port 1";
}

// An hour in which nothing moves, and then an event within a rounding error of it.
TEST_F(SimulatedBackingTest, LongPausesEnd) {
  const auto rows =
      run("}\nelements: 1001\nalgorithm: ring\nwiring: single-switch(2)\n"
          "failures: [{host: 0, at: 0s, until: 3999700ms}]\n");
  EXPECT_NEAR(rows.front().gst.median, 3999.7, 1e-2);
  EXPECT_THAT(record::row_flags(rows.front()), Contains(record::kFlagOutage));
}

TEST_F(SimulatedBackingTest, RefusesTimesThatNoClockShows) {
  try {
    static_cast<void>(
        run(", startup: 100000000s}\nelements: 1000\nalgorithm: ring\n"
            "wiring: single-switch(40)\n"));
    FAIL() << "78 start-ups of three years";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("x:6:12: ring on single-switch(40) takes longer"));
  }
}

// A ring is held up for exactly as long as the cable that all wait for is down.
TEST_F(SimulatedBackingTest, GoesOnWhenTheCableIsBack) {
  const std::string ring = "}\nelements: 4000\nalgorithm: ring\nwiring: single-switch(4)\n";
  const double without = run(ring).front().gst.median;
  const double with = run(ring + "failures: [{link: 1, at: 2us, until: 9us}]\n").front().gst.median;
  EXPECT_NEAR(with - without, 7e-6, 1e-9);
}

TEST_F(SimulatedBackingTest, TracesEveryRank) {
  report::TraceFile trace;
  static_cast<void>(run("}\nelements: 1000\nalgorithm: ring\nwiring: single-switch(4)\n", &trace));
  std::size_t sends = 0;
  std::size_t steps = 0;
  for (const auto& event : trace.events()) {
    sends += event.value("name", "").starts_with("to rank") ? 1 : 0;
    steps += event.value("name", "").starts_with("step ") ? 1 : 0;
  }
  EXPECT_EQ(sends, 4u * 6u) << "4 ranks, 2(N-1) steps";
  EXPECT_EQ(steps, 4u * 6u);
}

TEST_F(SimulatedBackingTest, RefusesWhatIsTooMuch) {
  EXPECT_THROW(static_cast<void>(run("}\nelements: 1000000\nalgorithm: ps(servers=3)\n"
                                     "wiring: \"bcube(100,3)\"\nfailures: [{host: 1, at: 1s}]\n")),
               InputError);
}

// Same input, same bytes out.
TEST_F(SimulatedBackingTest, IsDeterministic) {
  const std::string keys =
      ", startup: 3us}\nworkload: lenet5\nsweep:\n  zip:\n"
      "    algorithm: [ps, double-tree, bml]\n"
      "    wiring: [\"fat-tree(4, ecmp)\", \"leaf-spine(3,3,1)\", \"bcube(3,2)\"]\n";
  std::string first;
  for (int i = 0; i < 2; ++i) {
    std::string text;
    for (const record::Row& row : run(keys)) text += report::row_json(row).dump();
    if (first.empty()) first = text;
    EXPECT_EQ(text, first);
  }
}

}  // namespace
}  // namespace gradwire::run
