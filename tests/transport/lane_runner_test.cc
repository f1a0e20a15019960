#include "transport/lane_runner.h"

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

/// In which order a lane starts what may start together.
namespace gradwire::transport {
namespace {

/// Takes all that is to be sent, and notes to whom. Its wait takes a second of the clock.
class NotingEndpoint final : public Endpoint {
 public:
  NotingEndpoint(std::vector<std::size_t>& channels, ManualClock& clock)
      : channels_(channels), clock_(clock) {}

  void post_send(std::size_t channel, const SendRequest& request) override {
    channels_.push_back(channel);
    taken_.push_back({.operation = request.operation, .elements = request.what.count});
  }
  void post_receive(std::size_t, Extent, Combine, std::size_t) override {}
  std::span<const Progress> wait(const Deadline&) override {
    clock_.advance(std::chrono::seconds(1));
    reported_ = std::exchange(taken_, {});
    return reported_;
  }

 private:
  std::vector<std::size_t>& channels_;
  ManualClock& clock_;
  std::vector<Progress> taken_;
  std::vector<Progress> reported_;
};

Send send_to(std::size_t rank) {
  const Port port(std::size_t{0});
  return {.to = {.rank = Rank(rank), .via = port, .at = port}, .what = {.first = 0, .count = 1}};
}

/// Two stages: something for rank 2 alone; and for ranks 1, 2 and 3, in this order. By first use in the
/// lane, rank 2 is channel 0, rank 1 channel 1, and rank 3 channel 2.
StagedPlan plan_with_small_first_stage() {
  return {.plan = {.lanes = {{Step{.sends = {send_to(2)}},
                              Step{.sends = {send_to(1), send_to(2), send_to(3)}}}}},
          .stages = {{.first = 0, .count = 1}, {.first = 1, .count = 1}}};
}

/// The channels of the second stage's sends, in the order in which they were posted.
std::vector<std::size_t> channels_of_second_stage(const LaneTiming& timing) {
  ManualClock clock;
  std::vector<std::size_t> channels;
  LaneRunner runner(plan_with_small_first_stage(), 0,
                    std::make_unique<NotingEndpoint>(channels, clock),
                    {.rank = Rank(0), .clock = clock, .timing = timing});
  runner.run(0, false);
  EXPECT_EQ(channels, std::vector<std::size_t>{0});
  channels.clear();
  runner.run(1, false);
  return channels;
}

const std::vector<std::size_t> kInThePlansOrder{1, 0, 2};

// A Plan has ranks begin with different receivers. That must not depend on what an earlier stage sent.
TEST(LaneRunner, SendsOfAStepStartInItsOrder) {
  EXPECT_EQ(channels_of_second_stage({}), kInThePlansOrder);
}

TEST(LaneRunner, SendsThatHaveStartedUpTogetherGoInTheirStepsOrder) {
  EXPECT_EQ(channels_of_second_stage({.startup = std::chrono::milliseconds(1)}), kInThePlansOrder);
}

}  // namespace
}  // namespace gradwire::transport
