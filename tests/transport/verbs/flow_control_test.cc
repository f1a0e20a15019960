#include "transport/verbs/flow_control.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::transport::verbs {
namespace {

struct Transfer {
  Extent extent;
  Combine how = Combine::add;
};

/// One direction of a channel whose two wires keep their order and deliver when they are told to.
class Direction {
 public:
  Direction(std::vector<Transfer> transfers, const FlowLimits& limits)
      : transfers_(std::move(transfers)),
        limits_(limits),
        sender_(transfers_.size(), limits),
        receiver_(transfers_.size(), limits),
        slots_(limits.window) {}

  bool post_send() {
    if (sends_ == transfers_.size()) return false;
    sender_.post(transfers_[sends_].extent, sends_);
    ++sends_;
    return true;
  }
  bool post_receive() {
    if (receives_ == transfers_.size()) return false;
    receiver_.post(transfers_[receives_].extent, transfers_[receives_].how, receives_);
    ++receives_;
    return true;
  }
  bool send_grant() {
    const auto grant = receiver_.grant();
    if (!grant) return false;
    EXPECT_GT(grant->count, 0u);
    grants_.push_back(*grant);
    most_grants_ = std::max(most_grants_, grants_.size());
    return true;
  }
  bool deliver_grant() {
    if (grants_.empty()) return false;
    sender_.grant(grants_.front().how, grants_.front().count);
    grants_.pop_front();
    return true;
  }
  /// The write is in the receiver's memory before its message is seen, and stays there.
  bool depart() {
    const auto departure = sender_.depart();
    if (!departure) return false;
    if (departure->slot) {
      EXPECT_FALSE(slots_[*departure->slot].has_value()) << "a slot is written while in use";
      slots_[*departure->slot] = departure->segment.extent;
    }
    wire_.push_back(*departure);
    most_on_wire_ = std::max(most_on_wire_, wire_.size());
    return true;
  }
  bool deliver() {
    if (wire_.empty()) return false;
    const Departure departure = wire_.front();
    wire_.pop_front();
    ++unacknowledged_;
    const Arrival arrival = receiver_.arrive(departure.number);
    EXPECT_EQ(arrival.segment.operation, departure.segment.operation);
    EXPECT_EQ(arrival.segment.extent, departure.segment.extent);
    EXPECT_EQ(arrival.segment.elements, departure.segment.elements);
    EXPECT_EQ(arrival.segment.how, departure.segment.how);
    EXPECT_EQ(arrival.slot, departure.slot);
    if (arrival.slot) {
      EXPECT_EQ(slots_[*arrival.slot], arrival.segment.extent);
    }
    unsettled_.push_back(arrival);
    received_[arrival.segment.operation] += arrival.segment.extent.count;
    return true;
  }
  /// Who adds may be late: until then its slot stays as it is.
  bool settle() {
    if (unsettled_.empty()) return false;
    const Arrival arrival = unsettled_.front();
    unsettled_.pop_front();
    if (arrival.slot) {
      EXPECT_EQ(slots_[*arrival.slot], arrival.segment.extent) << "a slot is as it arrived";
      slots_[*arrival.slot].reset();
    }
    receiver_.settle();
    return true;
  }
  bool acknowledge() {
    if (unacknowledged_ == 0) return false;
    --unacknowledged_;
    const Segment segment = sender_.leave();
    sent_[segment.operation] += segment.extent.count;
    EXPECT_EQ(sent_[segment.operation], segment.elements);
    return true;
  }

  void expect_done() {
    EXPECT_FALSE(sender_.busy());
    EXPECT_FALSE(sender_.waits());
    EXPECT_FALSE(receiver_.busy());
    for (std::size_t i = 0; i < transfers_.size(); ++i) {
      EXPECT_EQ(sent_[i], transfers_[i].extent.count) << i;
      EXPECT_EQ(received_[i], transfers_[i].extent.count) << i;
    }
    EXPECT_LE(most_on_wire_, limits_.window);
    EXPECT_LE(most_grants_, limits_.window);
  }

 private:
  std::vector<Transfer> transfers_;
  FlowLimits limits_;
  SendFlow sender_;
  ReceiveFlow receiver_;
  std::size_t sends_ = 0;
  std::size_t receives_ = 0;
  std::deque<Grant> grants_;
  std::deque<Departure> wire_;
  std::deque<Arrival> unsettled_;
  std::vector<std::optional<Extent>> slots_;
  std::size_t unacknowledged_ = 0;
  std::size_t most_on_wire_ = 0;
  std::size_t most_grants_ = 0;
  std::map<std::size_t, std::size_t> sent_;
  std::map<std::size_t, std::size_t> received_;
};

constexpr bool (Direction::*kMoves[])() = {&Direction::post_send,  &Direction::post_receive,
                                           &Direction::send_grant, &Direction::deliver_grant,
                                           &Direction::depart,     &Direction::deliver,
                                           &Direction::settle,     &Direction::acknowledge};

/// Moves at random, each kind with its own likelihood, until nothing can.
void run_at_random(Direction& direction, std::mt19937& random) {
  std::vector<double> weights;
  for ([[maybe_unused]] auto move : kMoves)
    weights.push_back(static_cast<double>(1 + random() % 20));
  std::discrete_distribution<std::size_t> choose(weights.begin(), weights.end());
  for (bool moved = true; moved;) {
    for (int i = 0; i < 50; ++i) (direction.*kMoves[choose(random)])();
    moved = false;
    for (const auto move : kMoves) moved = (direction.*move)() || moved;
  }
}

TEST(FlowControl, EverythingArrivesInAnyInterleaving) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    const FlowLimits limits{.segment = 1 + random() % 10, .window = kLeastWindow + random() % 5};
    std::vector<Transfer> transfers;
    for (std::size_t i = 0, first = 0; i < 1 + random() % 30; ++i) {
      const std::size_t count = 1 + random() % 60;
      transfers.push_back({.extent = {.first = first, .count = count},
                           .how = random() % 2 == 0 ? Combine::add : Combine::replace});
      first += count;
    }
    Direction direction(transfers, limits);
    run_at_random(direction, random);
    direction.expect_done();
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(FlowControl, ASegmentWaitsForItsGrantAndForItsSend) {
  constexpr FlowLimits kLimits{.segment = 10, .window = 4};
  SendFlow sender(1, kLimits);
  sender.post({.first = 0, .count = 5}, 3);
  EXPECT_FALSE(sender.depart());
  EXPECT_TRUE(sender.waits());
  sender.grant(Combine::replace, 2);
  const auto departure = sender.depart();
  ASSERT_TRUE(departure);
  EXPECT_FALSE(departure->slot);
  EXPECT_FALSE(sender.waits());
  EXPECT_TRUE(sender.busy());
  EXPECT_EQ(sender.leave().elements, 5u);
  EXPECT_FALSE(sender.busy());
  EXPECT_FALSE(sender.depart());  // granted, but there is nothing to send
  sender.post({.first = 5, .count = 1}, 4);
  EXPECT_TRUE(sender.depart());
}

TEST(FlowControl, AGrantIsOfOneKindAndWithinTheWindow) {
  constexpr FlowLimits kLimits{.segment = 10, .window = 4};
  ReceiveFlow receiver(3, kLimits);
  EXPECT_FALSE(receiver.grant());
  receiver.post({.first = 0, .count = 15}, Combine::add, 0);
  receiver.post({.first = 15, .count = 10}, Combine::add, 1);
  receiver.post({.first = 25, .count = 99}, Combine::replace, 2);
  auto grant = receiver.grant();
  ASSERT_TRUE(grant);
  EXPECT_EQ(grant->how, Combine::add);
  EXPECT_EQ(grant->count, 3u);
  grant = receiver.grant();
  ASSERT_TRUE(grant);
  EXPECT_EQ(grant->how, Combine::replace);
  EXPECT_EQ(grant->count, 1u);
  EXPECT_FALSE(receiver.grant());
  EXPECT_EQ(receiver.arrive(0).slot, std::optional<std::size_t>(0));
  EXPECT_FALSE(receiver.grant()) << "its slot is in use until it is added";
  receiver.settle();
  EXPECT_EQ(receiver.grant()->count, 1u);
}

TEST(FlowControl, WhatBreaksTheProtocolIsRefused) {
  constexpr FlowLimits kLimits{.segment = 10, .window = 4};
  SendFlow sender(1, kLimits);
  EXPECT_THROW(sender.grant(Combine::add, 5), InternalError);
  EXPECT_THROW(static_cast<void>(sender.leave()), InternalError);
  ReceiveFlow receiver(1, kLimits);
  EXPECT_THROW(static_cast<void>(receiver.arrive(0)), InternalError);  // not granted
  receiver.post({.first = 0, .count = 15}, Combine::add, 0);
  EXPECT_TRUE(receiver.grant());
  EXPECT_THROW(static_cast<void>(receiver.arrive(1)), InternalError);  // out of order
  EXPECT_THROW(receiver.settle(), InternalError);                      // nothing has arrived
}

}  // namespace
}  // namespace gradwire::transport::verbs
