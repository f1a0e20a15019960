#include "collectives/plan_files/plan_reader.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/plan_files/plan_writer.h"
#include "core/error.h"
#include "tests/collectives/plan_files/proving.h"

namespace gradwire::plan_files {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The header's example.
constexpr const char* kRing = R"(gradwire-plan: 1
collective: all-gather
members: 3
chunks: 3
lanes:
  - - [{from: 0, to: 1, chunk: 0}, {from: 1, to: 2, chunk: 1}, {from: 2, to: 0, chunk: 2}]
    - [{from: 0, to: 1, chunk: 2}, {from: 1, to: 2, chunk: 0}, {from: 2, to: 0, chunk: 1}]
)";

std::string refusal_of_plan(const std::string& text) {
  try {
    static_cast<void>(parse_plan_file(text, "p.yaml"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// The example, in which `old` is replaced once.
std::string plan_with(const std::string& old, const std::string& changed) {
  std::string text = kRing;
  return text.replace(text.find(old), old.size(), changed);
}

TEST(PlanReader, ReadsTheExample) {
  const PlanFile file = parse_plan_file(kRing, "p.yaml");
  EXPECT_EQ(file.collective, "all-gather");
  EXPECT_EQ(file.members, 3u);
  EXPECT_EQ(file.owners, (std::vector<Rank>{Rank(0), Rank(1), Rank(2)}));
  EXPECT_EQ(file.stepping, Stepping::overlapped);
  for (const std::size_t elements : testing::awkward_counts(file)) {
    EXPECT_THAT(testing::findings(file, elements), IsEmpty()) << elements;
  }
}

TEST(PlanReader, ReadsWhatTheWriterWrites) {
  PlanFile file = parse_plan_file(kRing, "p.yaml");
  file.name = "a \"ring\"";
  file.stepping = Stepping::one_by_one;
  file.lanes[0][1][2].at = Port(1);
  file.lanes[0][0][1].how = Combine::add;
  const PlanFile again = parse_plan_file(to_text(file), "again.json");
  EXPECT_EQ(again.name, file.name);
  EXPECT_EQ(again.stepping, file.stepping);
  EXPECT_EQ(again.lanes[0][1][2].at, Port(1));
  EXPECT_EQ(again.lanes[0][0][1].how, Combine::add);
  EXPECT_EQ(to_text(again), to_text(file));
}

TEST(PlanReader, NamesThePlaceOfWhatIsWrong) {
  EXPECT_EQ(refusal_of_plan(plan_with("gradwire-plan: 1", "gradwire-plan: 2")),
            "p.yaml:1:16: the file is of version 2; this gradwire reads version 1");
  EXPECT_EQ(refusal_of_plan(plan_with("chunks: 3", "chunk: 3")),
            "p.yaml:4:1: unknown key 'chunk' (did you mean 'chunks'?)");
  EXPECT_EQ(refusal_of_plan(plan_with("all-gather", "all-reduces")),
            "p.yaml:2:13: collective: expected all-reduce, reduce-scatter, all-gather, broadcast, "
            "reduce, all-to-all or send, found 'all-reduces'");
  EXPECT_EQ(refusal_of_plan(plan_with("to: 2, chunk: 1", "to: 3, chunk: 1")),
            "p.yaml:6:50: rank 3 of 3 ranks, which are 0 to 2");
  EXPECT_EQ(refusal_of_plan(plan_with("to: 2, chunk: 1", "to: 1, chunk: 1")),
            "p.yaml:6:36: a rank sends nothing to itself");
  EXPECT_EQ(refusal_of_plan(plan_with("chunk: 1}", "chunk: 1, count: 3}")),
            "p.yaml:6:60: chunk 3 of 3 chunks, which are 0 to 2");
  EXPECT_EQ(refusal_of_plan(plan_with("chunks: 3", "chunks: 4")),
            "p.yaml:4:9: chunks: 4 is not a multiple of 3: as many for each rank, or 'owners'");
}

TEST(PlanReader, NamesWhatDoesNotGoWithTheCollective) {
  EXPECT_EQ(refusal_of_plan(plan_with("chunks: 3", "chunks: 3\nroot: 1")),
            "p.yaml:5:1: a file for all-gather has no root");
  EXPECT_EQ(refusal_of_plan(plan_with("chunks: 3", "chunks: 3\nowners: [0, 1]")),
            "p.yaml:5:9: 2 owners of 3 chunks");
  EXPECT_EQ(refusal_of_plan(plan_with("all-gather", "all-to-all")),
            "p.yaml:4:9: chunks: 3 is not a multiple of 9: a block from each rank to each");
  EXPECT_EQ(refusal_of_plan(plan_with("all-gather", "send\nroot: 0")),
            "p.yaml:3:7: rank 0 does not send to itself");
  EXPECT_EQ(refusal_of_plan(plan_with("all-gather", "all-reduce\nservers: [1, 1]")),
            "p.yaml:3:10: a rank stands twice");
  EXPECT_EQ(refusal_of_plan(plan_with("all-gather", "all-reduce\nservers: [0, 1, 2]")),
            "p.yaml:3:10: a rank must be left to work");
}

// A plan that is well formed and wrong is read; the checker names its first wrong element.
TEST(PlanReader, LeavesProofsToTheChecker) {
  const PlanFile file = parse_plan_file(plan_with(", {from: 1, to: 2, chunk: 0}", ""), "p.yaml");
  EXPECT_THAT(testing::findings(file, 30),
              ::testing::Contains(HasSubstr("rank 2: [0, 10) ends without rank 0's")));
}

}  // namespace
}  // namespace gradwire::plan_files
