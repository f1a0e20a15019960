#include "results/record/timeline.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/schemas.h"
#include "results/record/sealed_line.h"
#include "results/record/transfer_columns.h"

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
  Timeline timeline{.key = "key", .attempt = 1, .iteration = 4, .dilation = 100};
  timeline.ranks = {rank(1040, 2), rank(1000, 0)};
  timeline.ranks[0].training = RankTraining{
      .compute_end = microseconds(1060),
      .buckets = {
          {.ready = microseconds(1050), .start = microseconds(1055), .end = microseconds(1080)}}};
  const nlohmann::json line = nlohmann::json::parse(seal(to_json(timeline), kTimelineVersion));
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

// Two sends of four elements to rank 7, one after the other: what is alike stands once.
TEST(Timeline, TransfersStandInColumns) {
  const std::vector<TracedTransfer> transfers = {
      {.lane = 1,
       .sends = true,
       .peer = {.rank = Rank(7), .via = Port(1), .at = Port(0)},
       .elements = 4,
       .posted = microseconds(2),
       .done = microseconds(5)},
      {.lane = 1,
       .step = 1,
       .sends = true,
       .peer = {.rank = Rank(7), .via = Port(1), .at = Port(0)},
       .elements = 4,
       .posted = microseconds(5),
       .done = microseconds(9)}};
  EXPECT_EQ(transfer_columns(transfers),
            nlohmann::json::parse(R"({"bucket": 0, "lane": 1, "step": [0, 1], "sends": 1,
                "peer": 7, "port": 1, "peer_port": 0, "elements": 4,
                "posted_ns": [2000, 5000], "lasts_ns": [3000, 4000]})"));
  const auto again = transfers_from_json(transfer_columns(transfers));
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(to_json(again[1]), to_json(transfers[1]));
}

// Ranks that a library serves have none: one short word instead of ten empty columns.
TEST(Timeline, WithoutTransfersThereAreNoColumns) {
  EXPECT_EQ(transfer_columns({}), nlohmann::json::array());
  EXPECT_TRUE(transfers_from_json(transfer_columns({})).empty());
  Timeline timeline;
  timeline.ranks.resize(1);
  const nlohmann::json line = nlohmann::json::parse(seal(to_json(timeline), kTimelineVersion));
  EXPECT_EQ(text::why_invalid(line, "timeline"), std::nullopt);
  EXPECT_TRUE(timeline_from_json(line).ranks.at(0).transfers.empty());
}

// Lines of version 1 have a row for each transfer; runs of then are read as before.
TEST(Timeline, ReadsLinesOfVersionOne) {
  const auto line = nlohmann::json::parse(
      R"({"crc32": "0a1b2c3d", "dilation": 100.0, "iteration": 0, "key": "k", "ranks": [{
          "end_ns": 9000, "start_ns": 0, "transfers": [[0, 1, 1, false, 7, 1, 0, 4, 5000, 9000]],
          "wrong": null}], "session": 0, "version": 1, "warmup": true})");
  EXPECT_EQ(text::why_invalid(line, "timeline"), std::nullopt);
  const TracedTransfer found = timeline_from_json(line).ranks.at(0).transfers.at(0);
  EXPECT_EQ(found.peer.rank, Rank(7));
  EXPECT_EQ(found.step, 1u);
  EXPECT_FALSE(found.sends);
  EXPECT_EQ(found.done, microseconds(9));
}

// Numbers of somebody else's line that ours cannot hold are refused, not taken for another one.
TEST(Timeline, RefusesNumbersThatAreNotWhole) {
  const auto read = [](const char* start, const char* step) {
    return timeline_from_json(nlohmann::json::parse(fmt::format(
        R"({{"dilation": 1, "iteration": 0, "key": "k", "ranks": [{{"end_ns": 9000, "start_ns": {},
            "transfers": {{"bucket": 0, "elements": 4, "lane": 0, "lasts_ns": [10], "peer": 1,
            "peer_port": 0, "port": 0, "posted_ns": [5], "sends": 1, "step": {}}}, "wrong": null}}],
            "session": 0, "warmup": true}})",
        start, step)));
  };
  EXPECT_EQ(read("7", "2").ranks.at(0).transfers.at(0).step, 2u);
  for (const char* odd : {"9.2e27", "1.5", "18446744073709551615", "null"}) {
    EXPECT_THROW(static_cast<void>(read(odd, "2")), InternalError) << odd;
  }
  for (const char* odd : {"-1", "-1.5", "1e3", "\"2\""}) {
    EXPECT_THROW(static_cast<void>(read("7", odd)), nlohmann::json::exception) << odd;
  }
}

// 600 spans a rank: three ranks fit, and the first is always there.
TEST(Timeline, KeepsSoManyRanks) {
  const std::vector<RankIteration> ranks(5, rank(0, 599));
  EXPECT_EQ(first_ranks(ranks).size(), 3u);
  EXPECT_EQ(first_ranks({rank(0, 5000), rank(0, 1)}).size(), 1u);
}

}  // namespace
}  // namespace gradwire::record
