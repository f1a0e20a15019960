#include "results/record/timeline.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "results/record/sealed_line.h"
#include "text/schemas.h"

namespace gradwire::record {
namespace {

using std::chrono::microseconds;

RankIteration rank(int start, std::size_t transfers) {
  RankIteration rank{.start = microseconds(start), .end = microseconds(start + 50)};
  for (std::size_t i = 0; i < transfers; ++i) {
    rank.transfers.push_back({.lane = 1,
                              .step = i,
                              .sends = i % 2 == 0,
                              .peer = {.rank = Rank(7), .via = Port(1), .at = Port(0)},
                              .elements = 100 + i,
                              .posted = microseconds(2),
                              .done = microseconds(3 + static_cast<int>(i))});
  }
  return rank;
}

// Clocks begin anywhere: the first rank's start is zero, transfers count from their own rank's.
TEST(Timeline, BeginsWithTheFirstRank) {
  Timeline timeline{.key = "key", .session = 1, .iteration = 4, .dilation = 100};
  timeline.ranks = {rank(1040, 2), rank(1000, 0)};
  timeline.ranks[0].training = RankTraining{
      .compute_end = microseconds(1060),
      .buckets = {
          {.ready = microseconds(1050), .start = microseconds(1055), .end = microseconds(1080)}}};
  const nlohmann::json line = nlohmann::json::parse(seal(to_json(timeline)));
  EXPECT_EQ(text::why_invalid(line, "timeline"), std::nullopt);
  const Timeline found = timeline_from_json(line);
  EXPECT_EQ(found.key, "key");
  EXPECT_EQ(found.ranks.at(0).start, microseconds(40));
  EXPECT_EQ(found.ranks.at(1).start, microseconds(0));
  EXPECT_EQ(found.ranks.at(0).training->compute_end, microseconds(60));
  EXPECT_EQ(found.ranks.at(0).training->buckets.at(0).end, microseconds(80));
  EXPECT_EQ(found.ranks.at(0).transfers.at(1).done, microseconds(4));
  EXPECT_EQ(found.ranks.at(0).transfers.at(1).elements, 101u);
}

// 600 spans a rank: three ranks fit, and the first is always there.
TEST(Timeline, KeepsSoManyRanks) {
  const std::vector<RankIteration> ranks(5, rank(0, 599));
  EXPECT_EQ(first_ranks(ranks).size(), 3u);
  EXPECT_EQ(first_ranks({rank(0, 5000), rank(0, 1)}).size(), 1u);
}

}  // namespace
}  // namespace gradwire::record
