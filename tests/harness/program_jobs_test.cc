#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "program.h"

/// gradwire job, as a user runs it.
namespace gradwire::harness {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Program;
using testing::read;

/// Needs no namespaces.
class Jobs : public Program {
 protected:
  void SetUp() override {}

  [[nodiscard]] std::string shipped() const {
    return fs::path(GRADWIRE_ROOT) / "experiments/jobs/pipeline.yaml";
  }
};

TEST_F(Jobs, ShowNodesStreamsAndTheCriticalPath) {
  ASSERT_EQ(finish(start({"job", shipped(), "single-switch(4)", "--algorithm", "all-reduce(bruck)",
                          "--iterations", "2"})),
            commands::kExitOk)
      << read(scratch_ / "stderr");
  EXPECT_THAT(read(scratch_ / "stdout"),
              AllOf(HasSubstr("two stages, two replicas on single-switch(4): ranks 4, nodes 32"),
                    HasSubstr("all-reduce(bruck), broadcast(binomial)"),
                    HasSubstr("first stage  gradients"), HasSubstr("critical path")));
}

// Every node of every rank is a span, from its start to its end.
TEST_F(Jobs, AreTraced) {
  const fs::path trace = scratch_ / "trace.json";
  ASSERT_EQ(finish(start({"job", shipped(), "single-switch(4)", "--trace", trace})),
            commands::kExitOk)
      << read(scratch_ / "stderr");
  const nlohmann::json written = nlohmann::json::parse(read(trace));
  std::size_t spans = 0;
  double computed = 0;
  for (const nlohmann::json& event : written.at("traceEvents")) {
    if (event.at("ph") != "X") continue;
    ++spans;
    if (event.at("cat") == "compute") computed += event.at("dur").get<double>();
    EXPECT_GE(event.at("ts").get<double>(), 0);
  }
  EXPECT_EQ(spans, 32U);
  EXPECT_NEAR(computed, 4 * 24e3, 1e-6) << "24 ms a rank";
}

// Two senders over one uplink: the second starts while the first computes.
TEST_F(Jobs, ShowWhoSlowsWhomDown) {
  const std::string list = fs::path(GRADWIRE_ROOT) / "experiments/jobs/neighbours.yaml";
  ASSERT_EQ(finish(start({"jobs", list, "leaf-spine(4,2,1)"})), commands::kExitOk)
      << read(scratch_ / "stderr");
  EXPECT_THAT(read(scratch_ / "stdout"),
              AllOf(HasSubstr("3 jobs on leaf-spine(4,2,1)"), HasSubstr("busiest shared link"),
                    HasSubstr("slowdown of the job of a row beside that of a column")));
  EXPECT_EQ(finish(start({"jobs", list, "leaf-spine(2,2,1)"})), commands::kExitUsage);
  EXPECT_THAT(read(scratch_ / "stderr"), HasSubstr("hosts are left"));
}

// c + 3 d: 6 ms of computing, and 4 MB at 10 Gbit/s, of which headers take their part, three times.
TEST_F(Jobs, ThatSendOverOneLinkAtOnceTakeTheSum) {
  const fs::path list = fs::path(GRADWIRE_ROOT) / "experiments/jobs/three-senders.yaml";
  const fs::path csv = scratch_ / "jobs.csv";
  ASSERT_EQ(
      finish(start({"jobs", list, "bcube(4,2)", "--algorithm", "send(direct)", "--csv", csv})),
      commands::kExitOk)
      << read(scratch_ / "stderr");
  const double sending = 4e6 * 9014 / 8948 / 1.25e9 * 1e6;
  EXPECT_THAT(read(scratch_ / "stdout"), HasSubstr(fmt::format("{:.1f}", 6000 + 3 * sending)));
}

TEST_F(Jobs, ArePlaced) {
  const fs::path list = scratch_ / "list.yaml";
  const std::string sender = fs::path(GRADWIRE_ROOT) / "experiments/jobs/sender.yaml";
  std::ofstream(list) << "gradwire-jobs: 1\njobs:\n  - {name: a, file: " << sender
                      << ", placement: spread, iterations: 3}\n  - {name: b, file: " << sender
                      << ", iterations: 3}\n";
  ASSERT_EQ(finish(start({"place", list, "leaf-spine(2,2,1)"})), commands::kExitOk)
      << read(scratch_ / "stderr");
  // Four hosts can be paired within leaves, or across; equal jobs and hosts of a leaf may change places.
  // 6 ms of computing, and 3.2 of sending.
  EXPECT_THAT(read(scratch_ / "stdout"),
              AllOf(HasSubstr("2 placements simulated, which are all"),
                    HasSubstr("no placement has a slowdown below 1.0000"),
                    HasSubstr("best: slowdown 1.0000"), HasSubstr("worst: slowdown 1.3")));
  ASSERT_EQ(finish(start({"place", list, "leaf-spine(2,2,1)", "--exact", "0"})), commands::kExitOk);
  EXPECT_THAT(read(scratch_ / "stdout"),
              AllOf(HasSubstr("the best and the worst of "), HasSubstr("best: slowdown 1.0000"),
                    HasSubstr("worst: slowdown 1.3")));
}

// A pair that sums 1,250,000 elements in 4 ms on the wire while it computes for one: 3 ms are exposed.
TEST_F(Jobs, SayHowLongGroupsAreExposed) {
  const fs::path file = scratch_ / "pair.yaml";
  const fs::path csv = scratch_ / "groups.csv";
  std::ofstream(file) << "gradwire-job: 1\n"
                         "groups:\n  - {name: both, ranks: [0-1]}\n"
                         "programs:\n  - name: p\n    nodes:\n"
                         "      - {collective: all-reduce, group: both, elements: 1250000}\n"
                         "      - {compute: 1ms, stream: 1}\n"
                         "ranks:\n  - {ranks: [0-1], program: p}\n";
  ASSERT_EQ(finish(start({"job", file, "single-switch(2)", "--rate", "10Gbit", "--csv", csv})),
            commands::kExitOk)
      << read(scratch_ / "stderr");
  // Headers: (9000 - 52) of (9000 + 14) bytes are payload.
  const double took = 4000.0 * 9014 / 8948;
  const std::string row = fmt::format("   both       2      1  {:.1f}   {:.1f}     {:.1f}  {:.1f}",
                                      took, took - 1000, 100 - 100e3 / took, took - 1000);
  EXPECT_THAT(read(scratch_ / "stdout"), HasSubstr(row));
  EXPECT_THAT(read(csv), HasSubstr("single-switch(2),simulated,,both,2,1,"));
}

TEST_F(Jobs, ThatMakeNoSenseAreRefusedAtTheirPlace) {
  const fs::path file = scratch_ / "bad.yaml";
  std::string text = read(shipped());
  const std::string part = "elements: 5000000, stream: 3, after: [both 1]";
  text.replace(text.find(part), part.size(), "elements: 5000001, stream: 3, after: [both 1]");
  // The first stages still agree with each other, and so do the last.
  std::ofstream(file) << text;
  EXPECT_EQ(finish(start({"job", file, "single-switch(4)"})), commands::kExitOk);
  const std::string root = "root: 1, elements: 1000000, stream: 2}";
  std::ofstream(file) << text.replace(text.find(root), root.size(),
                                      "root: 0, elements: 1000000, stream: 2}");
  EXPECT_EQ(finish(start({"job", file, "single-switch(4)"})), commands::kExitUsage);
  EXPECT_THAT(read(scratch_ / "stderr"),
              AllOf(HasSubstr("bad.yaml:"), HasSubstr("collective 2 of group first replica")));
  EXPECT_EQ(finish(start({"job", shipped(), "single-switch(3)"})), commands::kExitUsage);
  EXPECT_THAT(read(scratch_ / "stderr"), HasSubstr("a job of 4 ranks does not fit"));
  EXPECT_EQ(finish(start({"job", shipped(), "single-switch(4)", "--algorithm", "bml"})),
            commands::kExitUsage);
}

TEST_F(Jobs, AreDrawnOnAPage) {
  const fs::path page = scratch_ / "page.html";
  const pid_t drawn = start({"job", shipped(), "single-switch(4)", "--page", page});
  if (finish(drawn) != commands::kExitOk) {
    ASSERT_THAT(read(scratch_ / "stderr"), HasSubstr("without the report page"));
    GTEST_SKIP() << "this gradwire was built without the page";
  }
  const std::string html = read(page);
  const std::string begin = "id=\"gradwire-data\"";
  const std::size_t at = html.find('>', html.find(begin)) + 1;
  const nlohmann::json data =
      nlohmann::json::parse(html.substr(at, html.find("</script", at) - at));
  ASSERT_EQ(data.at("jobs").size(), 1U);
  const nlohmann::json& job = data.at("jobs")[0];
  EXPECT_EQ(job.at("backing"), "simulated");
  EXPECT_EQ(job.at("streams").size(), 16U) << "four of each rank";
  ASSERT_EQ(job.at("groups").size(), 5U) << "two replicas, two stages, and all together";
  EXPECT_EQ(job.at("groups")[4].at("name"), nullptr);
  EXPECT_EQ(job.at("groups")[4].at("ranks"), 4);
  double last = 0;
  for (const nlohmann::json& step : job.at("path")) {
    EXPECT_GE(step.at("from_us").get<double>(), last - 1e-6) << "steps follow each other";
    last = step.at("to_us").get<double>();
  }
  EXPECT_NEAR(last, job.at("took_us").get<double>(), 1e-6) << "the path ends with the iteration";
}

TEST_F(Jobs, AreEmulatedOnlyWhereThatIsPossible) {
  const auto refused = [this](std::vector<std::string> more) {
    std::vector<std::string> all{"job", shipped(), "single-switch(4)"};
    all.insert(all.end(), more.begin(), more.end());
    EXPECT_EQ(finish(start(all)), commands::kExitUsage);
    return read(scratch_ / "stderr");
  };
  EXPECT_THAT(refused({"--backing", "hosts"}), HasSubstr("found 'hosts'"));
  EXPECT_THAT(refused({"--backing", "emulated,emulated"}), HasSubstr("--backing"));
  EXPECT_THAT(refused({"--backing", "emulated", "--delay", "1us"}), HasSubstr("--delay"));
  EXPECT_THAT(refused({"--backing", "emulated", "--dilation", "0"}), HasSubstr("'0'"));
}

}  // namespace
}  // namespace gradwire::harness
