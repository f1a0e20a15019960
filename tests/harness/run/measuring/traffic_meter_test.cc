#include "harness/run/measuring/traffic_meter.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::run {
namespace {

/// A wiring whose only port carries what a test says.
class CountedWiring final : public StandingWiring {
 public:
  void carry(std::uint64_t bytes) { carried_ += bytes; }
  [[nodiscard]] int reads() const { return reads_; }

  [[nodiscard]] WiringTraffic read_traffic() override {
    ++reads_;
    return {.ports = {{.sent_bytes = carried_}}};
  }

  [[nodiscard]] std::shared_ptr<const topologies::Topology> topology() const override { return {}; }
  [[nodiscard]] workers::Session& session(const Clock&) override { throw_bug("nobody measures"); }
  [[nodiscard]] std::unique_ptr<workers::Session> start_mpi_session(
      const Clock&, std::vector<std::string>) override {
    return {};
  }
  [[nodiscard]] std::vector<std::string> sample_flags(std::span<const double>) const override {
    return {};
  }
  [[nodiscard]] LinkFinding finding() const override { return {}; }
  [[nodiscard]] std::vector<std::string> traffic_flags(
      const WiringTraffic&, std::span<const PlannedTraffic>) const override {
    return {};
  }

 private:
  std::uint64_t carried_ = 1000;  // before anybody counted
  int reads_ = 0;
};

std::uint64_t sent(const WiringTraffic& traffic) {
  return traffic.ports.at(0).sent_bytes;
}

// Each point has what passed from its turns' beginnings to the next turns', and nothing is in two.
TEST(TrafficMeter, EachPointHasTheTrafficOfItsTurns) {
  CountedWiring wiring;
  WiringTraffic first;
  WiringTraffic second;
  TrafficMeter meter;
  meter.count_into(wiring, first);
  wiring.carry(1);
  meter.count_into(wiring, second);
  wiring.carry(20);
  meter.count_into(wiring, first);
  wiring.carry(300);
  meter.stop();
  wiring.carry(4000);
  meter.stop();
  EXPECT_EQ(sent(first), 301U);
  EXPECT_EQ(sent(second), 20U);
}

TEST(TrafficMeter, WiringsAreReadBeforeEveryTurn) {
  CountedWiring wiring;
  CountedWiring other;
  WiringTraffic first;
  WiringTraffic second;
  TrafficMeter meter;
  meter.count_into(wiring, first);
  wiring.carry(1);
  meter.count_into(wiring, first);  // its next turn
  wiring.carry(2);
  EXPECT_EQ(wiring.reads(), 2);
  meter.count_into(other, second);
  wiring.carry(50);  // of nobody
  other.carry(7);
  meter.count_into(wiring, first);
  wiring.carry(3);
  meter.stop();
  EXPECT_EQ(sent(first), 6U);
  EXPECT_EQ(sent(second), 7U);
  EXPECT_EQ(wiring.reads(), 5);
  EXPECT_EQ(other.reads(), 2);
}

}  // namespace
}  // namespace gradwire::run
