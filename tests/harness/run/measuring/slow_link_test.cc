#include "harness/run/measuring/slow_link.h"

#include <limits>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "topologies/registry.h"

namespace gradwire::run {
namespace {

using testbed::Flow;

constexpr double kExpected = 1e8;

OffLink slow(std::vector<double> shares) {
  OffLink link{.flow = {Rank(0), Port(0), Rank(1), Port(0)}};
  for (const double share : shares) link.rates.push_back(share * kExpected);
  return link;
}

TEST(OffRate, IsAShareOfWhatIsExpected) {
  EXPECT_DOUBLE_EQ(off_rate(90, 100), 0.1);
  EXPECT_DOUBLE_EQ(off_rate(150, 100), 0.5);
  EXPECT_EQ(off_rate(90, std::numeric_limits<double>::infinity()), 0);
}

// A machine that is busy now more and now less makes a link carry as much as it happens to.
TEST(Blame, IsTheMachinesWhereRatesDoNotAgree) {
  EXPECT_EQ(blame(slow({0.7, 0.9, 0.8, 0.94, 0.85}), kExpected), Blame::machine);
  EXPECT_EQ(blame(slow({0.9}), kExpected), Blame::machine);
}

// It never makes one faster than it is: three that agree are enough.
TEST(Blame, IsTheLinksWhereTheFastestAgree) {
  EXPECT_EQ(blame(slow({0.9, 0.9, 0.9, 0.9, 0.9}), kExpected), Blame::link);
  EXPECT_EQ(blame(slow({0.6, 0.9, 0.895, 0.7, 0.901}), kExpected), Blame::link);
}

TEST(Blame, IsOfTheEndThatIsAsSlowWithOthers) {
  OffLink link = slow({0.9, 0.9, 0.9, 0.9, 0.9});
  link.sends = 0.9 * kExpected;
  link.receives = 0.99 * kExpected;
  EXPECT_EQ(blame(link, kExpected), Blame::sender);
  std::swap(link.sends, link.receives);
  EXPECT_EQ(blame(link, kExpected), Blame::receiver);
  link.receives = link.sends = 0.99 * kExpected;
  EXPECT_EQ(blame(link, kExpected), Blame::link) << "only these two are slow with each other";
  link.receives = link.sends = 0.9 * kExpected;
  EXPECT_EQ(blame(link, kExpected), Blame::link) << "both are";
}

TEST(Describe, NamesRankPortAndFigures) {
  const OffLink link = slow({0.88, 0.9, 0.9, 0.9, 0.89});
  EXPECT_EQ(describe(link, kExpected, Blame::sender),
            "rank 0, port 0 sends 720 Mbit/s of payload instead of 800 Mbit/s (-10.0 %), to rank 1 "
            "and to others alike");
  EXPECT_EQ(describe(link, kExpected, Blame::receiver),
            "rank 1, port 0 receives 720 Mbit/s of payload instead of 800 Mbit/s (-10.0 %), from "
            "rank 0 and from others alike");
  EXPECT_THAT(describe(link, kExpected, Blame::link),
              ::testing::HasSubstr("from rank 0, port 0 to rank 1, port 0 carries 720 Mbit/s"));
  EXPECT_THAT(describe(link, kExpected, Blame::machine),
              ::testing::HasSubstr("give the machine less to do"));
}

// The other flow shares the one port and neither host but its own.
TEST(SameEnd, IsMeasuredWithAnotherHost) {
  for (const char* name : {"single-switch(3)", "bcube(3,2)", "fat-tree(4)"}) {
    const auto topology = topologies::make_topology(name);
    for (const Flow& flow : testbed::calibration_flows(*topology)) {
      const auto sender = same_sender(*topology, flow);
      const auto receiver = same_receiver(*topology, flow);
      ASSERT_TRUE(sender && receiver) << name;
      EXPECT_EQ(std::pair(sender->from, sender->via), std::pair(flow.from, flow.via)) << name;
      EXPECT_TRUE(sender->to != flow.to && sender->to != flow.from) << name;
      EXPECT_EQ(std::pair(receiver->to, receiver->at), std::pair(flow.to, flow.at)) << name;
      EXPECT_TRUE(receiver->from != flow.from && receiver->from != flow.to) << name;
    }
  }
  const auto pair = topologies::make_topology("bcube(2,2)");
  const Flow flow = testbed::calibration_flows(*pair).front();
  EXPECT_FALSE(same_sender(*pair, flow));
  EXPECT_FALSE(same_receiver(*pair, flow));
}

}  // namespace
}  // namespace gradwire::run
