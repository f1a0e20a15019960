#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/clock.h"
#include "core/error.h"
#include "transport/loopback/rendezvous.h"
#include "transport/ucx/connect.h"

/// What ranks say first over UCX, and that it is looked at.
namespace gradwire::transport::ucx {
namespace {

/// How two ranks with these keys end that send each other something over one channel.
std::vector<std::string> endings(const std::vector<RunKey>& keys) {
  loopback::MeetingPoint meeting(2, std::chrono::seconds(20));
  const std::vector<PortBinding> ports{{.device = "lo", .address = "127.0.0.1"}};
  std::vector<std::string> failures(2);
  std::vector<std::thread> ranks;
  for (std::size_t i = 0; i < 2; ++i) {
    ranks.emplace_back([&, i] {
      const SteadyClock clock;
      const Peer peer{.rank = Rank(1 - i), .via = Port(0), .at = Port(0)};
      Plan plan;
      plan.lanes = {{Step{.sends = {{peer, {.first = 0, .count = 8}}}}}};
      std::vector<float> gradient(8);
      Cancellation cancellation;
      loopback::LocalRendezvous rendezvous(meeting, Rank(i));
      try {
        static_cast<void>(connect({.plan = plan,
                                   .self = Rank(i),
                                   .gradient = std::span(gradient),
                                   .ports = ports,
                                   .rendezvous = rendezvous,
                                   .cancellation = cancellation,
                                   .clock = clock},
                                  {.key = keys[i]}));
      } catch (const FabricError& error) {
        failures[i] = error.detail();
      }
    });
  }
  for (std::thread& rank : ranks) rank.join();
  return failures;
}

TEST(UcxGreeting, OfTheRunConnects) {
  EXPECT_EQ(endings({{5}, {5}}), std::vector<std::string>(2));
}

TEST(UcxGreeting, OfAnotherRunIsRefused) {
  const std::string refusal = "who greets as the peer does not have the run's key";
  EXPECT_EQ(endings({{5}, {6}}), std::vector<std::string>(2, refusal));
}

}  // namespace
}  // namespace gradwire::transport::ucx
