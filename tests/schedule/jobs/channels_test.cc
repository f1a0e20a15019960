#include "schedule/jobs/channels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/schedule/jobs/jobs.h"

namespace gradwire::jobs {
namespace {

using testing::call;
using testing::compute;
using ::testing::ElementsAre;

/// Calls that stand on one stream of each member share a channel, whatever their sizes; another kind,
/// and another stream on any one member, make another channel.
TEST(Channels, HoldCallsThatNeverOverlap) {
  const auto sum = [](std::size_t elements, std::uint32_t stream) {
    return call(Collective::all_reduce, 0, elements, stream);
  };
  const Job job = testing::job({{sum(5, 0), sum(7, 0), sum(5, 0), sum(5, 1),
                                 call(Collective::all_gather, 0, 5, 0), sum(9, 1)},
                                {sum(5, 2), sum(7, 2), sum(5, 2), sum(5, 2),
                                 call(Collective::all_gather, 0, 5, 2), sum(9, 3)}},
                               {{0, 1}}, {{0}, {0}});
  const std::vector<ProgramGraph> graphs = graphs_of(job);
  const Channels channels = channels_of(job, graphs);
  ASSERT_EQ(channels.all.size(), 4U);
  EXPECT_THAT(channels.all[0].sizes, ElementsAre(5, 7));
  EXPECT_THAT(channels.all[0].counts, ElementsAre(2, 1));
  std::vector<std::uint32_t> of;
  for (const ChannelCall& one : channels.calls.at(0)) of.push_back(one.channel);
  EXPECT_THAT(of, ElementsAre(0, 0, 0, 1, 2, 3));
  EXPECT_EQ(channels.calls[0][2].number, 2U) << "the third call of its channel";
  EXPECT_EQ(channels.calls[0][2].size, 0U) << "of 5 elements, the first size";
  EXPECT_EQ(channels.calls[0][4].number, 0U);
  EXPECT_EQ(call_in(job, graphs, channels, Rank(1), 5).channel, 3U);
}

/// Ranks 0 to 3 in a grid: rows {0,1}, {2,3}, columns {0,2}, {1,3}. Two rounds do for four groups.
TEST(Channels, ShareARoundWhereTheyShareNoRank) {
  const std::vector<Node> both{call(Collective::all_reduce, 0, 4, 0),
                               call(Collective::all_reduce, 1, 4, 1)};
  const Job job = testing::job({both, both, both, both}, {{0, 1}, {2, 3}, {0, 2}, {1, 3}},
                               {{0, 2}, {0, 3}, {1, 2}, {1, 3}});
  const Channels channels = channels_of(job, graphs_of(job));
  std::vector<std::size_t> rounds;
  for (const Channel& channel : channels.all) rounds.push_back(channel.round);
  EXPECT_THAT(rounds, ElementsAre(0, 0, 1, 1));
  EXPECT_EQ(channels.rounds, 2U);
}

TEST(Channels, AreNoneWithoutCalls) {
  const Job job = testing::job_of_all({compute(1)}, 2);
  const Channels channels = channels_of(job, graphs_of(job));
  EXPECT_TRUE(channels.all.empty());
  EXPECT_EQ(channels.rounds, 0U);
}

}  // namespace
}  // namespace gradwire::jobs
