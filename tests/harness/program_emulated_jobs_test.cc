#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "program.h"

/// gradwire job and gradwire jobs --backing emulated, as a user runs them.
namespace gradwire::harness {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Program;
using testing::read;

class EmulatedJobs : public Program {};

// All sums are right, bytes are those of the Plans, and both backings stand below each other.
TEST_F(EmulatedJobs, AreMeasuredBesideTheSimulation) {
  const std::string file = fs::path(GRADWIRE_ROOT) / "experiments/jobs/pipeline.yaml";
  const fs::path trace = scratch_ / "trace.json";
  ASSERT_EQ(measure({"job", file, "bcube(2,2)", "--backing", "emulated,simulated", "--iterations",
                     "2", "--runs", "2", "--dilation", "40", "--rate", "10Gbit", "--trace", trace}),
            commands::kExitOk)
      << read(scratch_ / "stderr");
  const std::string out = read(scratch_ / "stdout");
  // 5 calls of each of 4 ranks in the run that checks all; in either other run one of each of the
  // channels: two broadcasts and a sum.
  EXPECT_THAT(out, AllOf(HasSubstr("Emulated 2 times with a dilation of 40"),
                         HasSubstr("Results verified: 44; elements wrong: 0"),
                         HasSubstr("emulated   first stage"), HasSubstr("simulated  first stage"),
                         ::testing::Not(HasSubstr("bytes-off-plan"))));
  const nlohmann::json written = nlohmann::json::parse(read(trace));
  std::size_t spans = 0;
  for (const nlohmann::json& event : written.at("traceEvents"))
    spans += event.at("ph") == "X" ? 1 : 0;
  EXPECT_EQ(spans, 32U);
}

// What acknowledges 400 MB that go one way is more than the counters may be off by themselves.
TEST_F(EmulatedJobs, MaySendOneWay) {
  const fs::path file = scratch_ / "one-way.yaml";
  std::ofstream(file) << "gradwire-job: 1\n"
                         "groups:\n  - {name: all, ranks: [0-1]}\n"
                         "programs:\n  - name: p\n    nodes:\n"
                         "      - {collective: send, group: all, elements: 5000000}\n"
                         "ranks:\n  - {ranks: [0-1], program: p}\n";
  ASSERT_EQ(measure({"job", file, "single-switch(2)", "--backing", "emulated", "--iterations", "20",
                     "--runs", "1", "--dilation", "40", "--rate", "10Gbit"}),
            commands::kExitOk)
      << read(scratch_ / "stderr");
  EXPECT_THAT(read(scratch_ / "stdout"),
              AllOf(HasSubstr("elements wrong: 0"), ::testing::Not(HasSubstr("bytes-off-plan"))));
}

// Two senders that share no link: each alone, and both together. In the run that checks all and in the
// timed one two ranks look at one result each.
TEST_F(EmulatedJobs, RunBesideEachOther) {
  const fs::path list = scratch_ / "list.yaml";
  const std::string sender = fs::path(GRADWIRE_ROOT) / "experiments/jobs/sender.yaml";
  const fs::path csv = scratch_ / "jobs.csv";
  std::ofstream(list) << "gradwire-jobs: 1\njobs:\n  - {name: a, file: " << sender
                      << ", iterations: 2}\n  - {name: b, file: " << sender
                      << ", start: 1ms, iterations: 3}\n";
  ASSERT_EQ(measure({"jobs", list, "single-switch(4)", "--backing", "emulated,simulated", "--runs",
                     "1", "--dilation", "40", "--rate", "10Gbit", "--csv", csv}),
            commands::kExitOk)
      << read(scratch_ / "stderr");
  EXPECT_THAT(read(scratch_ / "stdout"), AllOf(HasSubstr("Emulated with a dilation of 40, 3 runs"),
                                               HasSubstr("Results verified: 16; elements wrong: 0"),
                                               HasSubstr("2 jobs on single-switch(4), emulated"),
                                               ::testing::Not(HasSubstr("bytes-off-plan"))));
  EXPECT_THAT(read(csv), AllOf(HasSubstr("single-switch(4),simulated,b,2,1000,all,"),
                               HasSubstr("single-switch(4),emulated,b,2,1000,all,")));
}

TEST_F(EmulatedJobs, AreRefusedWhereThereIsNoRoom) {
  const fs::path file = scratch_ / "streams.yaml";
  std::ofstream out(file);
  out << "gradwire-job: 1\nprograms:\n  - name: p\n    nodes:\n";
  for (int stream = 0; stream < 65; ++stream) {
    out << "      - {compute: 1us, stream: " << stream << "}\n";
  }
  out << "ranks:\n  - {ranks: [0], program: p}\n";
  out.close();
  EXPECT_EQ(finish(start({"job", file, "single-switch(2)", "--backing", "emulated"})),
            commands::kExitUsage);
  EXPECT_THAT(read(scratch_ / "stderr"), HasSubstr("65 threads"));
}

}  // namespace
}  // namespace gradwire::harness
