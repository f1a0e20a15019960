#include "schedule/jobs/check.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/schedule/jobs/jobs.h"

namespace gradwire::jobs {
namespace {

using testing::call;
using testing::compute;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::job;
using testing::job_of_all;
using ::testing::SizeIs;
using testing::sum;

/// The first finding's text; "" without one.
std::string first(const Job& job) {
  const std::vector<Finding> findings = check(job);
  return findings.empty() ? "" : findings.front().text;
}

TEST(Check, FindsNothingInAJobThatRuns) {
  EXPECT_EQ(first(job_of_all({compute(1), sum(0), compute(0), sum(0)}, 3)), "");
  EXPECT_EQ(first(job({{compute(1)}, {}}, {}, {{}, {}})), "") << "ranks need not communicate";
}

TEST(Check, NamesNodesThatMakeNoSense) {
  EXPECT_THAT(first(job_of_all({compute(1, 0, {0})}, 2)),
              HasSubstr("program p, node 0: it comes after itself or a later node"));
  EXPECT_THAT(first(job_of_all({compute(-1)}, 2)), HasSubstr("its time is no duration"));
  EXPECT_THAT(first(job_of_all({compute(std::numeric_limits<double>::infinity())}, 2)),
              HasSubstr("its time is no duration"));
  Node late = compute(1);
  late.lag = Seconds(std::numeric_limits<double>::quiet_NaN());
  EXPECT_THAT(first(job_of_all({late}, 2)), HasSubstr("its lag is no duration"));
  EXPECT_THAT(first(job_of_all({call(Collective::send, 0, 0)}, 2)), HasSubstr("no elements"));
  Node rooted = sum(0);
  std::get<Call>(rooted.what).root = 1;
  EXPECT_THAT(first(job_of_all({rooted}, 2)), HasSubstr("all-reduce has no root"));
  Node bytes = sum(0);
  std::get<Call>(bytes.what).dtype = Dtype::byte;
  EXPECT_THAT(first(job_of_all({bytes}, 2)), HasSubstr("bytes are moved, not added"));
}

TEST(Check, NamesGroupsThatMakeNoSense) {
  EXPECT_THAT(first(job({{}, {}}, {{0, 2}}, {{}, {}})), HasSubstr("group g0 has rank 2"));
  EXPECT_THAT(first(job({{}, {}}, {{1, 1}}, {{}, {}})), HasSubstr("group g0 has rank 1 twice"));
  EXPECT_THAT(first(job({{}, {}}, {{}}, {{}, {}})), HasSubstr("group g0 has no ranks"));
  EXPECT_EQ(first(job({{sum(0)}, {sum(0)}}, {{0}}, {{0}, {0}})),
            "rank 1 is not in group g0, which its program p1 uses");
  EXPECT_THAT(first(job({{sum(1)}, {sum(0)}}, {{0, 1}}, {{0}, {0}})),
              HasSubstr("program p0, node 0: rank 0 has no group for slot 1"));
  EXPECT_THAT(first(job({{sum(0)}, {sum(0)}}, {{0, 1}}, {{0, 0}, {0}})),
              HasSubstr("rank 0 has group g0 under two names"));
  EXPECT_THAT(first(job_of_all({call(Collective::send, 0, 1)}, 3)),
              HasSubstr("of 3 ranks there, and a send is among two"));
  Node rooted = call(Collective::broadcast, 0, 1);
  std::get<Call>(rooted.what).root = 3;
  EXPECT_THAT(first(job_of_all({rooted}, 3)), HasSubstr("with no place 3"));
  EXPECT_THAT(first(Job{}), HasSubstr("at least one rank"));
}

TEST(Check, NamesMembersThatDisagree) {
  const std::vector<std::vector<std::uint32_t>> slots{{0}, {0}, {0}};
  const std::vector<Finding> findings =
      check(job({{sum(0), sum(0)}, {sum(0), sum(0)}, {sum(0), call(Collective::all_gather, 0, 4)}},
                {{0, 1, 2}}, slots));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings.front().text,
            "collective 1 of group g0 is all-reduce of 4 float32 elements on rank 0 (program p0, "
            "node 1), and all-gather of 4 float32 elements on rank 2 (program p2, node 1)");
  EXPECT_EQ(findings.front().place, (NodePlace{.program = 2, .node = 1}));
  for (const Node& other : {call(Collective::all_reduce, 0, 5), [] {
                              Node node = sum(0);
                              std::get<Call>(node.what).dtype = Dtype::float16;
                              return node;
                            }()}) {
    EXPECT_THAT(first(job({{sum(0)}, {sum(0)}, {other}}, {{0, 1, 2}}, slots)),
                HasSubstr("collective 0 of group g0"));
  }
}

TEST(Check, ComparesMembersWhoseSlotsDiffer) {
  // The same group stands behind slot 0 of one rank and slot 1 of the other.
  EXPECT_EQ(first(job({{sum(0)}, {sum(1)}}, {{0, 1}, {1}}, {{0}, {1, 0}})), "");
}

TEST(Check, NamesAMemberThatIsMissing) {
  const std::vector<Finding> findings =
      check(job({{sum(0), sum(0)}, {sum(0)}, {sum(0), sum(0)}}, {{0, 1, 2}}, {{0}, {0}, {0}}));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings.front().text,
            "rank 1 calls 1 collectives of group g0, and rank 0 calls 2, of which the next is "
            "all-reduce of 4 float32 elements (program p0, node 1)");
  EXPECT_EQ(findings.front().place, (NodePlace{.program = 0, .node = 1}));
  EXPECT_THAT(first(job({{sum(0)}, {}}, {{0, 1}}, {{0}, {}})),
              HasSubstr("rank 1 calls 0 collectives of group g0"));
}

TEST(Check, NamesRanksThatWaitForEachOther) {
  // Rank 0 calls g0 and then g1, rank 1 the other way round.
  const std::vector<Finding> findings =
      check(job({{sum(0), sum(1)}, {sum(1), sum(0)}}, {{0, 1}, {0, 1}}, {{0, 1}, {0, 1}}));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(
      findings.front().text,
      "these ranks would wait for each other for ever: rank 0 in node 0 of program p0 for rank "
      "1; rank 1 in node 0 of program p1 for rank 0");
  EXPECT_EQ(findings.front().place, (NodePlace{.program = 0, .node = 0}));
}

TEST(Check, LetsRanksMeetOnStreamsOfTheirOwn) {
  const auto crossed = [](std::uint32_t second) {
    return job(
        {{call(Collective::all_reduce, 0, 4, 0), call(Collective::all_reduce, 1, 4, second)},
         {call(Collective::all_reduce, 1, 4, 0), call(Collective::all_reduce, 0, 4, second)}},
        {{0, 1}, {0, 1}}, {{0, 1}, {0, 1}});
  };
  EXPECT_THAT(check(crossed(1)), IsEmpty());
  EXPECT_THAT(check(crossed(0)), SizeIs(1));
}

TEST(Check, ListsAtMostSoMany) {
  EXPECT_THAT(check(job_of_all(std::vector<Node>(100, compute(-1)), 2)), SizeIs(kMostFindings));
}

}  // namespace
}  // namespace gradwire::jobs
