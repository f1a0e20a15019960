#include "schedule/jobs/job_file.h"

#include <filesystem>
#include <fstream>
#include <tuple>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::jobs {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kGood = R"(gradwire-job: 1
name: example
groups:
  - {name: all, ranks: [0-2]}
  - {name: pair, ranks: [2, 0]}
programs:
  - name: sender
    nodes:
      - {name: work, compute: 3ms}
      - {collective: all-reduce, group: all, elements: 1000, dtype: float16, stream: 1, after: [work], lag: 5us}
      - {collective: broadcast, group: link, elements: 7, root: 1}
  - name: other
    nodes:
      - {collective: all-reduce, group: all, elements: 1000, dtype: float16}
ranks:
  - {ranks: [0, 2], program: sender, groups: [{as: link, group: pair}]}
  - {ranks: [1], program: other}
)";

/// The error's text; "" for a job that is read.
std::string error(const std::string& text) {
  try {
    static_cast<void>(parse_job(text, "job.yaml"));
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

/// The good job with a part of it replaced.
std::string with(const std::string& part, const std::string& other) {
  std::string text = kGood;
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

TEST(JobFile, SaysWhatRanksRun) {
  const Job job = parse_job(kGood, "job.yaml");
  EXPECT_EQ(job.name, "example");
  ASSERT_EQ(job.ranks.size(), 3U);
  EXPECT_EQ(job.ranks[0].program, 0U);
  EXPECT_EQ(job.ranks[1].program, 1U);
  EXPECT_THAT(job.ranks[2].groups, ElementsAre(0, 1)) << "all, and pair behind link";
  EXPECT_THAT(job.ranks[1].groups, ElementsAre(0));
  EXPECT_THAT(job.groups[0].ranks, ElementsAre(Rank(0), Rank(1), Rank(2)));
  EXPECT_THAT(job.groups[1].ranks, ElementsAre(Rank(2), Rank(0)));
  const std::vector<Node>& nodes = job.programs[0].nodes;
  EXPECT_EQ(std::get<Compute>(nodes[0].what).time, Seconds(0.003));
  EXPECT_EQ(nodes[0].name, "work");
  EXPECT_EQ(std::get<Call>(nodes[1].what), (Call{.elements = 1000, .dtype = Dtype::float16}));
  EXPECT_EQ(nodes[1].stream, 1U);
  EXPECT_THAT(nodes[1].after, ElementsAre(0));
  EXPECT_EQ(nodes[1].lag, Seconds(5e-6));
  EXPECT_EQ(std::get<Call>(nodes[2].what),
            (Call{.what = Collective::broadcast, .slot = 1, .elements = 7, .root = 1}));
}

TEST(JobFile, RefusesWhatItsSchemaDoesNotHave) {
  EXPECT_THAT(error(with("stream: 1", "streem: 1")), HasSubstr("job.yaml:10:78: unknown key"));
  EXPECT_THAT(error(with("gradwire-job: 1", "gradwire-job: 2")), HasSubstr("version"));
  EXPECT_THAT(error(with("elements: 7", "elements: 0")), HasSubstr("job.yaml:11:56"));
  EXPECT_THAT(error(with("[0-2]", "[0-]")), HasSubstr("expected a rank such as 3"));
  EXPECT_THAT(error(with("compute: 3ms", "compute: soon")),
              AllOf(StartsWith("job.yaml:9:31"), HasSubstr("not a duration")));
}

TEST(JobFile, RefusesNamesThatAreUnknownOrGivenTwice) {
  EXPECT_THAT(error(with("name: pair", "name: all")),
              StartsWith("job.yaml:5:12: a second group is named 'all'"));
  EXPECT_THAT(error(with("name: other", "name: sender")), HasSubstr("a second program"));
  EXPECT_THAT(error(with("group: pair", "group: pear")),
              StartsWith("job.yaml:16:65: no group is named 'pear'"));
  EXPECT_THAT(error(with("program: other", "program: rest")),
              HasSubstr("no program is named 'rest'"));
  EXPECT_THAT(error(with("as: link", "as: lynk")), HasSubstr("program sender has no group 'lynk'"));
  EXPECT_THAT(error(with(", groups: [{as: link, group: pair}]", "")),
              StartsWith("job.yaml:11:40: no group is named 'link', and the ranks of line 16"));
}

// Nodes come after earlier ones, so a circle cannot be written down: the name is not known yet.
TEST(JobFile, RefusesNodesThatComeAfterLaterOnes) {
  EXPECT_THAT(
      error(with("{name: work, compute: 3ms}", "{name: work, compute: 3ms, after: [next]}")),
      StartsWith("job.yaml:9:44: no earlier node of the program is named 'next'"));
  EXPECT_THAT(
      error(with("{name: work, compute: 3ms}", "{name: work, compute: 3ms, after: [work]}")),
      HasSubstr("no earlier node of the program is named 'work'"));
  EXPECT_THAT(error(with("{collective: broadcast", "{name: work, collective: broadcast")),
              StartsWith("job.yaml:11:16: a second node is named 'work'"));
}

TEST(JobFile, RefusesNodesOfNoKind) {
  EXPECT_THAT(error(with("{name: work, compute: 3ms}", "{name: work}")),
              StartsWith("job.yaml:9:9: a node has either 'compute' or 'collective'"));
  EXPECT_THAT(error(with("compute: 3ms", "compute: 3ms, root: 1")),
              StartsWith("job.yaml:9:36: 'root' goes with 'collective'"));
  EXPECT_THAT(error(with(", elements: 7", "")), HasSubstr("a collective needs the key 'elements'"));
}

TEST(JobFile, RefusesRanksWithoutAProgram) {
  EXPECT_THAT(error(with("  - {ranks: [1], program: other}\n", "")),
              AllOf(HasSubstr("job.yaml:16:"), HasSubstr("rank 1 has no program")));
  EXPECT_THAT(error(with("ranks: [1]", "ranks: [0-1]")),
              StartsWith("job.yaml:17:14: rank 0 has a program already"));
  EXPECT_THAT(error(with("[0-2]", "[0-3]")),
              StartsWith("job.yaml:4:5: group all has rank 3, which has no program"));
  EXPECT_THAT(error(with("[0-2]", "[2-0]")), HasSubstr("job.yaml:4:25: 0 is before 2"));
}

TEST(JobFile, RefusesMembersThatDisagreeWhereTheyDo) {
  EXPECT_THAT(error(with("elements: 1000, dtype: float16}", "elements: 1001, dtype: float16}")),
              AllOf(StartsWith("job.yaml:14:9: collective 0 of group all is"),
                    HasSubstr("all-reduce of 1001 float16 elements on rank 1")));
}

TEST(JobFile, RefusesRanksThatWouldWaitForEachOther) {
  EXPECT_THAT(
      error("gradwire-job: 1\n"
            "groups: [{name: a, ranks: [0, 1]}, {name: b, ranks: [0, 1]}]\n"
            "programs:\n"
            "  - name: p\n"
            "    nodes:\n"
            "      - {collective: send, group: a, elements: 1}\n"
            "      - {collective: send, group: b, elements: 1}\n"
            "  - name: q\n"
            "    nodes:\n"
            "      - {collective: send, group: b, elements: 1}\n"
            "      - {collective: send, group: a, elements: 1}\n"
            "ranks: [{ranks: [0], program: p}, {ranks: [1], program: q}]\n"),
      StartsWith("job.yaml:6:9: these ranks would wait for each other for ever: rank 0 in "
                 "node 0 of program p for rank 1; rank 1 in node 0 of program q for rank 0"));
}

TEST(JobFile, RefusesMoreNodesThanItsLimit) {
  // 100 nodes of a hundred thousand ranks.
  std::string text = "gradwire-job: 1\nprograms:\n  - name: p\n    nodes:\n";
  for (int i = 0; i < 100; ++i) text += "      - {compute: 1ms}\n";
  EXPECT_THAT(error(text + "ranks: [{ranks: [0-99999], program: p}]\n"),
              StartsWith("job.yaml:105:18: all ranks have more than 4000000 nodes"));
  std::string wide =
      "gradwire-job: 1\nprograms: [{name: p, nodes: []}]\nranks: [{ranks: [0], program: p}]\n"
      "groups:\n";
  for (int i = 0; i < 41; ++i) wide += fmt::format("  - {{name: g{}, ranks: [0-99999]}}\n", i);
  EXPECT_THAT(error(wide), StartsWith("job.yaml:45:25: groups have more than 4000000 members"));
}

TEST(JobFile, RefusesLargeFilesUnread) {
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / "large-job.yaml";
  std::ofstream(path) << kGood;
  EXPECT_EQ(load_job(path).name, "example");
  std::filesystem::resize_file(path, kMostJobFileBytes + 1);
  try {
    std::ignore = load_job(path);
    ADD_FAILURE() << "it is read";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), fmt::format("{}:1:1: larger than 8388608 bytes", path.string()));
  }
  std::filesystem::remove(path);
}

// Counted while the file is read: what follows is never looked at.
TEST(JobFile, RefusesMoreValuesThanItsLimit) {
  std::string text = "gradwire-job: 1\nprograms:\n  - name: p\n    nodes:\n";
  for (std::size_t i = 0; i < kMostJobFileValues / 3 + 10; ++i) text += "      - {compute: 1ms}\n";
  text += "  and this is no YAML: [";
  EXPECT_THAT(error(text), AllOf(StartsWith("job.yaml:"), HasSubstr("more than 250000 values")));
}

}  // namespace
}  // namespace gradwire::jobs
