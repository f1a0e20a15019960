#include "transport/tcp/connect.h"

#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/clock.h"
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

// The time for connecting begins when all ranks listen, however late the last of them comes.
TEST(TcpConnect, WaitingForTheOthersIsNotConnecting) {
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
      loopback::LocalRendezvous punctual(meeting, Rank(i));
      Late rendezvous(punctual, clock);
      try {
        static_cast<void>(connect({.plan = plan,
                                   .self = Rank(i),
                                   .gradient = gradient,
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
  EXPECT_EQ(failures, std::vector<std::string>(2));
}

}  // namespace
}  // namespace gradwire::transport::tcp
