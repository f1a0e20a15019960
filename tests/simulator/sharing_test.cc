#include "simulator/sharing.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/network.h"
#include "simulator/whole_rate.h"
#include "tests/simulator/filling.h"
#include "tests/simulator/instances.h"

/// Sharing that is repaired gives the rates that filling everything anew gives.
namespace gradwire::simulator {
namespace {

using testing::Draws;

constexpr double kFineRounding = 1e-12;

std::vector<LinkUse> over(std::vector<std::uint32_t> links) {
  std::vector<LinkUse> uses;
  for (const std::uint32_t link : links) uses.push_back({.link = link});
  return uses;
}

/// A flow as somebody sees it who knows its rates and nothing else.
struct SeenFlow {
  std::vector<LinkUse> uses;
  double bytes = 0;
  double milestone = 0;  ///< 0: none, or passed
  double carried = 0;
};

/// A network to which things happen by chance, beside what fills it anew. Every twentieth has many
/// links, and many flows from the beginning.
class Chance {
 public:
  explicit Chance(std::uint64_t seed)
      : draws_(seed),
        is_large_(seed % 20 == 19),
        capacities_(drawn_capacities()),
        network_(capacities_) {
    if (draws_.below(2) == 0) network_.set_bursts(1e5 * static_cast<double>(draws_.below(10)), 3);
    for (int i = 0; is_large_ && i < 150; ++i) start();
  }

  /// Starts a flow, half of them with a milestone; changes a capacity, also to 0; or lets time
  /// pass, up to an event or half way to it.
  void happen() {
    const std::size_t what = draws_.below(10);
    if (what < 4 || flows_.empty()) {
      start();
    } else if (what == 4) {
      const std::size_t link = draws_.below(capacities_.size());
      const double part = 0.5 * static_cast<double>(draws_.below(3));  // 0: it is down
      network_.set_capacity(link, part * capacities_[link]);
    } else {
      pass();
    }
  }

  /// The time, and the rates of all flows.
  std::vector<double> seen() {
    static_cast<void>(network_.next_event());  // settles
    std::vector<double> numbers{network_.now()};
    for (const auto& [id, flow] : flows_) numbers.push_back(network_.rate(id));
    return numbers;
  }

  /// Compares the rates of all flows. Returns how many there were.
  std::size_t compare() {
    static_cast<void>(network_.next_event());  // settles
    std::vector<double> now;
    for (std::size_t l = 0; l < capacities_.size(); ++l) now.push_back(network_.capacity(l));
    std::vector<std::vector<LinkUse>> uses;
    for (const auto& [id, flow] : flows_) uses.push_back(flow.uses);
    const std::vector<double> expected = testing::filled_rates(now, uses);
    std::size_t next = 0;
    for (const auto& [id, flow] : flows_) {
      const double rate = expected[next++];
      EXPECT_NEAR(network_.rate(id), rate, kFineRounding * rate);
    }
    return next;
  }

 private:
  std::vector<double> drawn_capacities() {
    std::vector<double> capacities(is_large_ ? draws_.between(20, 60) : draws_.between(2, 14));
    // Few different ones, so that many links are full at the same level.
    for (double& capacity : capacities) capacity = 1e6 * static_cast<double>(draws_.between(1, 9));
    return capacities;
  }

  void start() {
    const std::size_t most = std::min<std::size_t>(capacities_.size(), 6);
    std::vector<LinkUse> uses;
    for (const std::size_t link : draws_.choose(draws_.between(1, most), capacities_.size())) {
      const bool is_folded = draws_.below(4) == 0;
      uses.push_back({.link = static_cast<std::uint32_t>(link),
                      .times = static_cast<std::uint32_t>(is_folded ? draws_.between(2, 4) : 1)});
    }
    const double bytes = draws_.below(20) == 0 ? 0 : draws_.bytes();
    const FlowId id = network_.start(uses, bytes);
    const double milestone = bytes > 0 && draws_.below(2) == 0 ? bytes / 4 : 0;
    if (milestone > 0) network_.set_milestone(id, milestone);
    flows_[id] = {.uses = uses, .bytes = bytes, .milestone = milestone};
  }

  void pass() {
    const double next = network_.next_event();
    const double now = network_.now();
    if (next == kNever) return;
    const double to = draws_.below(3) == 0 ? now + (next - now) / 2 : next;
    for (auto& [id, flow] : flows_) flow.carried += network_.rate(id) * (to - now);
    for (const auto& event : network_.advance(to)) {
      SeenFlow& flow = flows_.at(event.flow);
      const double at = event.done ? flow.bytes : std::exchange(flow.milestone, 0);
      EXPECT_NEAR(flow.carried, at, 1e-9 * flow.bytes)
          << (event.done ? "its end" : "its milestone");
      if (event.done) flows_.erase(event.flow);
    }
    for (const auto& [id, flow] : flows_) {
      const double next_at = flow.milestone > 0 ? flow.milestone : flow.bytes;
      EXPECT_LE(flow.carried, next_at + 1e-9 * flow.bytes) << "nothing was said of it";
    }
  }

  Draws draws_;
  bool is_large_;
  std::vector<double> capacities_;
  FluidNetwork network_;
  std::map<FlowId, SeenFlow> flows_;
};

// Starts, ends, milestones, bursts, failures and folded flows: the same rates after each, and a flow
// ends when it has carried its bytes at these rates.
TEST(Sharing, IsAsFillingAnewHasIt) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Chance chance(seed);
    for (int i = 0; i < 60; ++i) {
      chance.happen();
      compared += chance.compare();
      ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed << ", event " << i;
    }
  }
  EXPECT_GT(compared, 500'000u);
}

// Twice the same calls, twice the same bits.
TEST(Sharing, IsDeterministic) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Chance once(seed);
    Chance again(seed);
    for (int i = 0; i < 60; ++i) {
      once.happen();
      again.happen();
      ASSERT_EQ(once.seen(), again.seen()) << "seed " << seed << ", event " << i;
    }
  }
}

// Link 0 of 2 B/s has x and y at 1; link 1 of 5 B/s has y, and z twice at 2. With 6 B/s link 0
// could give both 3. But that frees y, which then presses on link 1, whose level was lower than 3:
// its three flows have 5/3 each, and x has the rest.
TEST(Sharing, ALinkThatRisesPressesOnOneBelow) {
  Sharing sharing(std::vector<double>{2, 5});
  const FlowId x = sharing.add(over({0}));
  const FlowId y = sharing.add(over({0, 1}));
  const FlowId z = sharing.add(over({1}));
  sharing.add(over({1}));
  sharing.repair();
  EXPECT_EQ(sharing.rate(x), 1);
  EXPECT_EQ(sharing.rate(y), 1);
  EXPECT_EQ(sharing.rate(z), 2);
  sharing.set_capacity(0, 6);
  sharing.repair();
  EXPECT_DOUBLE_EQ(sharing.rate(y), 5.0 / 3);
  EXPECT_DOUBLE_EQ(sharing.rate(z), 5.0 / 3);
  EXPECT_DOUBLE_EQ(sharing.rate(x), 6 - 5.0 / 3);
}

// Of 10 B/s a slow flow has 1 because of link 1, and a fast one the rest. That the fast one ends
// gives no rate to anybody: filling up to 1 never saw it.
TEST(Sharing, WhatWasFastLeavesWhatIsSlower) {
  Sharing sharing(std::vector<double>{10, 1});
  const FlowId slow = sharing.add(over({0, 1}));
  const FlowId fast = sharing.add(over({0}));
  sharing.repair();
  EXPECT_EQ(sharing.rate(slow), 1);
  EXPECT_EQ(sharing.rate(fast), 9);
  const std::uint64_t given = sharing.rates_given();
  sharing.remove(std::vector{fast});
  sharing.repair();
  EXPECT_EQ(sharing.rate(slow), 1);
  EXPECT_EQ(sharing.rates_given(), given);
}

// What goes at once leaves behind what it leaves one by one: of 400 flows over 20 links all, most, or
// a few of those that cross some link.
TEST(Sharing, WhatGoesAtOnceIsAsOneByOne) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Draws draws(seed);
    Sharing at_once(std::vector<double>(20, 1e9));
    Sharing one_by_one(std::vector<double>(20, 1e9));
    std::vector<FlowId> flows;
    std::vector<std::size_t> first_links;
    for (int i = 0; i < 400; ++i) {
      const auto links = draws.choose(3, 20);
      const auto uses = over({links.begin(), links.end()});
      flows.push_back(at_once.add(uses));
      ASSERT_EQ(one_by_one.add(uses), flows.back());
      first_links.push_back(links.front());
    }
    at_once.repair();
    one_by_one.repair();
    std::vector<FlowId> gone;
    std::vector<FlowId> left;
    for (std::size_t i = 0; i < flows.size(); ++i) {
      // Link 0 loses all that has it first, the others more or less of theirs.
      const bool goes = first_links[i] == 0 || draws.below(20) < first_links[i];
      (goes ? gone : left).push_back(flows[i]);
    }
    at_once.remove(gone);
    for (const FlowId flow : gone) one_by_one.remove(std::vector{flow});
    at_once.repair();
    one_by_one.repair();
    for (const FlowId flow : left) ASSERT_EQ(at_once.rate(flow), one_by_one.rate(flow)) << seed;
    for (std::size_t link = 0; link < 20; ++link) {
      ASSERT_EQ(at_once.load(link), one_by_one.load(link)) << "seed " << seed << ", link " << link;
    }
    at_once.remove(left);
    at_once.repair();
    for (std::size_t link = 0; link < 20; ++link) ASSERT_EQ(at_once.load(link), 0);
  }
}

// 1/3 comes and goes in other portions, once 300 times, then 3 times 100, with 1e9 in between. A
// plain sum is off by 1e-7 after one round.
TEST(WholeRate, LeavesNothingBehind) {
  const Quantum quantum(1e9);
  const WholeRate third = quantum.whole(1.0 / 3);
  WholeRate sum = 0;
  for (int round = 0; round < 100; ++round) {
    sum += third * 300;
    sum += quantum.whole(1e9);
    for (int i = 0; i < 3; ++i) sum -= third * 100;
    EXPECT_EQ(quantum.rate(sum), 1e9);
    sum -= quantum.whole(1e9);
  }
  EXPECT_EQ(quantum.rate(sum), 0);
}

// To 2^-70 of the largest.
TEST(WholeRate, KeepsSmallRates) {
  const Quantum quantum(1e12);
  for (double rate = 1e12; rate > 1e3; rate /= 1.7) {
    EXPECT_NEAR(quantum.rate(quantum.whole(rate)), rate, 1e-12 * rate);
  }
}

}  // namespace
}  // namespace gradwire::simulator
