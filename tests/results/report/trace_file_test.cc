#include "results/report/trace_file.h"

#include <map>

#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::report {
namespace {

using namespace std::chrono_literals;

const workloads::Profile kProfile{
    .layers = {
        {.name = "first", .tensors = {8}, .forward = Seconds(1e-3), .backward = Seconds(2e-3)}}};
const record::Configuration kConfiguration{.wiring = "single-switch(2)",
                                           .algorithm = "ring",
                                           .schedule = "wfbp",
                                           .ranks = 2,
                                           .ports_per_host = 1};
const TracedPoint kJob{.configuration = kConfiguration, .profile = &kProfile};

/// Dilation 10; the second rank starts 1 ms (of the machine's time) later.
TraceFile trace() {
  const record::TracedTransfer send{.step = 0,
                                    .sends = true,
                                    .peer = {Rank(1), Port(0), Port(0)},
                                    .elements = 4,
                                    .posted = 30ms,
                                    .done = 34ms};
  record::TracedTransfer receive = send;
  receive.sends = false;
  receive.step = 1;
  receive.posted = 32ms;
  receive.done = 40ms;
  record::RankIteration step{
      .start = 1s,
      .end = 1s + 40ms,
      .training =
          record::RankTraining{
              .compute_end = 1s + 30ms,
              .buckets = {{.ready = 1s + 30ms, .start = 1s + 30ms, .end = 1s + 40ms}}},
      .transfers = {send, receive}};
  record::RankIteration later = step;
  later.start += 1ms;
  later.transfers.clear();
  TraceFile file;
  file.add(kJob, 3, 10, std::vector<record::RankIteration>{step, later});
  return file;
}

std::vector<nlohmann::json> events(const TraceFile& file, const std::string& phase) {
  std::vector<nlohmann::json> found;
  for (const auto& event : file.events()) {
    if (event.at("ph") == phase) found.push_back(event);
  }
  return found;
}

TEST(TraceFile, TimesAreUndilatedMicrosecondsSinceTheFirstRankBegan) {
  std::map<std::string, std::pair<double, double>> spans;
  for (const auto& event : events(trace(), "X")) {
    if (event.at("pid") == 0) spans[event.at("name")] = {event.at("ts"), event.at("dur")};
  }
  EXPECT_EQ(spans.at("forward first"), std::pair(0.0, 1000.0));
  EXPECT_EQ(spans.at("backward first"), std::pair(1000.0, 2000.0));
  EXPECT_EQ(spans.at("bucket 0"), std::pair(3000.0, 1000.0));
  EXPECT_EQ(spans.at("step 0"), std::pair(3000.0, 400.0));
  EXPECT_EQ(spans.at("step 1"), std::pair(3400.0, 600.0)) << "shown from where step 0 ends";
  const auto late = events(trace(), "X").back();
  EXPECT_EQ(late.at("pid"), 1);
  EXPECT_EQ(late.at("ts"), 3000.0) << "its bucket began at the same moment";
}

// What overlaps on a port and direction stands on rows of its own, as spans of a track must nest.
TEST(TraceFile, OverlappingTransfersOfAPortStandSideBySide) {
  const auto transfer = [](Nanoseconds posted, Nanoseconds done, bool sends) {
    return record::TracedTransfer{.sends = sends,
                                  .peer = {Rank(1), Port(0), Port(0)},
                                  .elements = 4,
                                  .posted = posted,
                                  .done = done};
  };
  record::RankIteration rank{.start = 1s, .end = 2s};
  rank.transfers = {transfer(10ms, 30ms, true), transfer(20ms, 40ms, true),
                    transfer(30ms, 50ms, true), transfer(10ms, 50ms, false)};
  TraceFile file;
  file.add({.configuration = kConfiguration}, 0, 1, std::vector{rank});
  std::map<int, int> spans;
  for (const auto& event : events(file, "X")) {
    if (event.at("name") == "to rank 1") ++spans[event.at("tid")];
  }
  EXPECT_EQ(spans.size(), 2u) << "three sends, of which the third follows the first";
  EXPECT_EQ(spans.begin()->second, 2);
}

TEST(TraceFile, TransfersSayWhatTheyCarry) {
  for (const auto& event : events(trace(), "X")) {
    if (event.at("name") != "to rank 1") continue;
    EXPECT_EQ(event.at("args").at("bytes"), 16);
    EXPECT_EQ(event.at("ts"), 3000.0);
    EXPECT_EQ(event.at("dur"), 400.0);
  }
}

TEST(TraceFile, EveryTrackIsNamedOnce) {
  std::map<std::pair<int, int>, std::string> names;
  for (const auto& event : events(trace(), "M")) {
    if (event.at("name") != "thread_name") continue;
    EXPECT_TRUE(
        names.emplace(std::pair(event.at("pid"), event.at("tid")), event.at("args").at("name"))
            .second);
  }
  // Computing and buckets of both ranks; lane 0 and port 0 both ways of the one that was traced.
  EXPECT_EQ(names.size(), 2u + 2u + 3u);
}

TEST(TraceWindow, ReadsOneOrARange) {
  EXPECT_EQ(parse_trace_window("7").first, 7u);
  EXPECT_EQ(parse_trace_window("7").last, 7u);
  EXPECT_EQ(parse_trace_window("10:20").last, 20u);
  for (const char* bad : {"", ":", "3:", ":3", "5:4", "1-2", "a"}) {
    EXPECT_THROW(static_cast<void>(parse_trace_window(bad)), InputError) << bad;
  }
}

}  // namespace
}  // namespace gradwire::report
