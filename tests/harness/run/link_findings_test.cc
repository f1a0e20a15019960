#include "harness/run/link_findings.h"

#include <cmath>
#include <optional>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/text/schemas.h"

namespace gradwire::run {
namespace {

// 300 us of start-up time at a dilation of 100 are 3 us; a burst that no clock could see is
// infinitely fast.
TEST(LinkFindings, AreUndilated) {
  nlohmann::json wiring = {{"expected_bytes_per_s", 1e6}, {"together_bytes_per_s", 1e6},
                           {"machine_bound", false},      {"repeated", 0},
                           {"startup_us", 300.0},         {"burst_bytes_per_s", 2.5e6},
                           {"built_in_ms", 4.0},          {"links", nlohmann::json::array()}};
  nlohmann::json calibration = {
      {"version", 1},         {"dilation", 100.0},
      {"mtu", 9000},          {"rate_bits_per_s", 1e7},
      {"burst_bytes", 73728}, {"wirings", {{"a", wiring}, {"b", wiring}}}};
  calibration["wirings"]["b"]["burst_bytes_per_s"] = nullptr;
  calibration["sockets"] = to_json(std::nullopt);
  ASSERT_EQ(text::why_invalid(calibration, "calibration"), std::nullopt);
  const LinkFindings findings = link_findings(calibration);
  EXPECT_NEAR(findings.at("a").startup.count(), 3e-6, 1e-15);
  EXPECT_EQ(findings.at("a").burst, 73728);
  EXPECT_EQ(findings.at("a").burst_factor, 2.5);
  EXPECT_TRUE(std::isinf(findings.at("b").burst_factor));
  EXPECT_TRUE(link_findings(nullptr).empty());
}

// What fills the queues of ports is of all wirings; runs from before it was known say nothing of it.
TEST(LinkFindings, KnowWhatFillsQueues) {
  simulator::SocketModel sockets{.segment = 62'636,
                                 .window = 262'144,
                                 .unsent = 131'072,
                                 .unevenness = 0.25,
                                 .queued_acknowledgements = true};
  nlohmann::json calibration = {
      {"version", 1},
      {"dilation", 100.0},
      {"mtu", 9000},
      {"rate_bits_per_s", 1e7},
      {"burst_bytes", 73728},
      {"wirings",
       {{"a",
         {{"expected_bytes_per_s", 1e6}, {"startup_us", 300.0}, {"burst_bytes_per_s", 2.5e6}}}}}};
  EXPECT_EQ(link_findings(calibration).at("a").sockets, std::nullopt);
  calibration["sockets"] = to_json(std::nullopt);
  EXPECT_EQ(link_findings(calibration).at("a").sockets, std::nullopt);
  calibration["sockets"] = to_json(sockets);
  EXPECT_EQ(link_findings(calibration).at("a").sockets, sockets);
  calibration["sockets"].erase("unevenness");
  calibration["sockets"].erase("queued_acknowledgements");
  sockets.unevenness = 0;
  sockets.queued_acknowledgements = false;
  EXPECT_EQ(link_findings(calibration).at("a").sockets, sockets) << "nobody has said so";
}

}  // namespace
}  // namespace gradwire::run
