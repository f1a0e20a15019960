#include "transport/tcp/connect.h"

#include <array>
#include <atomic>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/clock.h"
#include "core/error.h"
#include "tests/transport/sockets.h"
#include "transport/loopback/rendezvous.h"

namespace gradwire::transport::tcp {
namespace {

constexpr std::size_t kElements = 8;

/// A rendezvous that has lasted an hour by this rank's clock.
class Late final : public Rendezvous {
 public:
  Late(Rendezvous& punctual, ManualClock& clock) : punctual_(punctual), clock_(clock) {}
  std::vector<std::string> all_gather(const std::string& mine) override {
    auto all = punctual_.all_gather(mine);
    clock_.advance(std::chrono::hours(1));
    return all;
  }
  void barrier() override { punctual_.barrier(); }

 private:
  Rendezvous& punctual_;
  ManualClock& clock_;
};

/// A rendezvous at which somebody calls this rank when its channels stand.
class Visited final : public Rendezvous {
 public:
  Visited(Rendezvous& honest, std::string& answer) : honest_(honest), answer_(answer) {}
  std::vector<std::string> all_gather(const std::string& mine) override {
    const std::vector<Listening> doors = transport::testing::listeners_in(mine);
    if (!doors.empty()) door_ = doors.front();
    return honest_.all_gather(mine);
  }
  void barrier() override {
    try {
      static_cast<void>(transport::testing::connect_to(door_));
    } catch (const SystemError& error) {
      answer_ = error.what();
    }
    honest_.barrier();
  }

 private:
  Rendezvous& honest_;
  std::string& answer_;
  Listening door_;
};

/// Connects ranks 0 and 1, each with what `make` makes of its rendezvous and its clock. Why each
/// failed.
template <class Make>
std::vector<std::string> failures_of_two(Make make) {
  loopback::MeetingPoint meeting(2, std::chrono::seconds(20));
  const std::vector<PortBinding> ports{{.device = "lo", .address = "127.0.0.1"}};
  std::vector<std::string> failures(2);
  std::vector<std::thread> ranks;
  for (std::size_t i = 0; i < 2; ++i) {
    ranks.emplace_back([&, i] {
      const Peer peer{.rank = Rank(1 - i), .via = Port(0), .at = Port(0)};
      Plan plan;
      plan.lanes = {{Step{.sends = {{peer, {.first = 0, .count = kElements}}}}}};
      std::vector<float> gradient(kElements);
      Cancellation cancellation;
      ManualClock clock;
      loopback::LocalRendezvous honest(meeting, Rank(i));
      auto rendezvous = make(honest, clock);
      try {
        static_cast<void>(connect({.plan = plan,
                                   .self = Rank(i),
                                   .gradient = std::span(gradient),
                                   .ports = ports,
                                   .rendezvous = rendezvous,
                                   .cancellation = cancellation,
                                   .clock = clock},
                                  {}));
      } catch (const std::exception& error) {
        failures[i] = error.what();
      }
    });
  }
  for (std::thread& rank : ranks) rank.join();
  return failures;
}

// The time for connecting begins when all ranks listen, however late the last of them comes.
TEST(TcpConnect, WaitingForTheOthersIsNotConnecting) {
  const auto late = [](Rendezvous& honest, ManualClock& clock) { return Late(honest, clock); };
  EXPECT_EQ(failures_of_two(late), std::vector<std::string>(2));
}

// Else a rank whose channel somebody else has taken would wait for its timeout.
TEST(TcpConnect, WhoCallsWhenAllChannelsStandIsRefusedAtOnce) {
  std::array<std::string, 2> answers;
  std::atomic<std::size_t> next = 0;
  const auto visited = [&](Rendezvous& honest, ManualClock&) {
    return Visited(honest, answers.at(next++));
  };
  EXPECT_EQ(failures_of_two(visited), std::vector<std::string>(2));
  EXPECT_THAT(answers, ::testing::Each(::testing::HasSubstr("Connection refused")));
}

}  // namespace
}  // namespace gradwire::transport::tcp
