#include "testbed/link_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradwire::testbed {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const TimePoint kStart{};
const LinkState kUp{.set_up = true,
                    .has_carrier = true,
                    .carrier_changes = 2,
                    .mtu = 9000,
                    .bridge = 7,
                    .shaped_to = 31'250'000};

LinkState changed(const auto& change) {
  LinkState state = kUp;
  change(state);
  return state;
}

const LinkState kDown = changed([](LinkState& state) { state.set_up = state.has_carrier = false; });
const LinkState kNoCarrier = changed([](LinkState& state) { state.has_carrier = false; });
const LinkState kDetached = changed([](LinkState& state) { state.bridge = 0; });

/// A history of p0 alone, or of p0 and p1.
LinkHistory history(std::vector<LinkState> first,
                    LinkHistory::Carrier carrier = LinkHistory::Carrier::needed) {
  std::vector<std::string> names{"p0", "p1"};
  names.resize(first.size());
  LinkHistory made(names, carrier);
  made.note(first, kStart);
  return made;
}

std::vector<std::string> texts(LinkHistory& history, TimePoint since = kStart) {
  std::vector<std::string> texts;
  for (const LinkHistory::Event& event : history.take_events(since)) texts.push_back(event.what);
  return texts;
}

std::vector<std::string> outages(const LinkHistory& history) {
  std::vector<std::string> texts;
  for (const LinkHistory::Outage& outage : history.outages()) texts.push_back(outage.what);
  return texts;
}

TEST(LinkHistory, BeginsWithNothing) {
  LinkHistory made = history({kUp});
  made.note(std::vector{kUp}, kStart + 1s);
  EXPECT_THAT(outages(made), IsEmpty());
  EXPECT_EQ(made.first_outage(), TimePoint::max());
  EXPECT_THAT(texts(made), IsEmpty());
}

TEST(LinkHistory, AFlapIsToldWhenItIsOver) {
  LinkHistory made = history({kUp, kUp});
  made.note(std::vector{kUp, kDown}, kStart + 1s);
  made.note(std::vector{kUp, kDown}, kStart + 1100ms);
  EXPECT_THAT(outages(made), ElementsAre("p1 is down"));
  EXPECT_EQ(made.first_outage(), kStart + 1s);
  EXPECT_THAT(texts(made), IsEmpty());
  made.note(std::vector{kUp, kUp}, kStart + 1210ms);
  EXPECT_THAT(outages(made), IsEmpty());
  EXPECT_THAT(texts(made), ElementsAre("p1 was down for 0.21 s"));
  EXPECT_THAT(texts(made), IsEmpty()) << "each is told once";
}

TEST(LinkHistory, WhatIsDownFromTheBeginningIsAnOutage) {
  const LinkHistory made = history({kUp, kDown});
  EXPECT_THAT(outages(made), ElementsAre("p1 is down"));
  EXPECT_EQ(made.first_outage(), kStart);
}

// A rank's port is of no use when the switch's end is down. A switch does not report its hosts.
TEST(LinkHistory, TheOtherEndCountsForRanksOnly) {
  LinkHistory rank = history({kUp});
  rank.note(std::vector{kNoCarrier}, kStart + 1s);
  EXPECT_THAT(outages(rank), ElementsAre("p0 is down (no carrier)"));
  LinkHistory of_switch = history({kUp}, LinkHistory::Carrier::ignored);
  of_switch.note(std::vector{kNoCarrier}, kStart + 1s);
  EXPECT_THAT(outages(of_switch), IsEmpty());
}

// The carrier went and came back between two readings: the kernel's count tells.
TEST(LinkHistory, AFlapThatNobodySawIsTold) {
  LinkHistory made = history({kUp});
  made.note(std::vector{changed([](LinkState& state) { state.carrier_changes += 2; })},
            kStart + 1s);
  EXPECT_THAT(texts(made), ElementsAre("p0 was down for a moment"));
}

TEST(LinkHistory, APortThatItsSwitchLetGoIsAnOutage) {
  LinkHistory made = history({kUp}, LinkHistory::Carrier::ignored);
  made.note(std::vector{kDetached}, kStart + 1s);
  EXPECT_THAT(outages(made), ElementsAre("p0 is detached from its switch"));
  made.note(std::vector{kUp}, kStart + 3s);
  EXPECT_THAT(texts(made), ElementsAre("p0 was detached from its switch for 2.00 s"));
}

TEST(LinkHistory, OtherSettingsAreTold) {
  LinkHistory made = history({kUp});
  const LinkState slow = changed([](LinkState& state) { state.shaped_to = 3'125'000; });
  made.note(std::vector{slow}, kStart + 1s);
  made.note(std::vector{kUp}, kStart + 2s);
  made.note(std::vector{changed([](LinkState& state) { state.shaped_to = 0; })}, kStart + 3s);
  EXPECT_THAT(texts(made), ElementsAre("the shaper of p0 went from 250 Mbit/s to 25 Mbit/s",
                                       "the shaper of p0 went from 25 Mbit/s to 250 Mbit/s",
                                       "the shaper of p0 went from 250 Mbit/s to none"));
}

// Peers go on sending packets of 9000 bytes.
TEST(LinkHistory, ASmallerMtuIsAnOutage) {
  LinkHistory made = history({kUp});
  made.note(std::vector{changed([](LinkState& state) { state.mtu = 1500; })}, kStart + 1s);
  EXPECT_THAT(outages(made), ElementsAre("p0 has MTU 1500 instead of 9000"));
  made.note(std::vector{kUp}, kStart + 1500ms);
  EXPECT_THAT(outages(made), IsEmpty());
  EXPECT_THAT(texts(made), ElementsAre("p0 had MTU 1500 instead of 9000 for 0.50 s"));
  made.note(std::vector{changed([](LinkState& state) { state.mtu = 9600; })}, kStart + 2s);
  EXPECT_THAT(outages(made), IsEmpty());
}

// What was over before an iteration began has not disturbed it; another rate has.
TEST(LinkHistory, LeavesOutWhatWasOverBefore) {
  LinkHistory made = history({kUp});
  made.note(std::vector{kDown}, kStart + 1s);
  made.note(std::vector{changed([](LinkState& state) { state.shaped_to = 0; })}, kStart + 2s);
  EXPECT_THAT(texts(made, kStart + 3s),
              ElementsAre("the shaper of p0 went from 250 Mbit/s to none"));
}

// An interface that was taken away has no settings to compare.
TEST(LinkHistory, AnInterfaceThatIsNotThereIsDown) {
  LinkHistory made = history({kUp});
  made.note(std::vector{LinkState{}}, kStart + 1s);
  EXPECT_THAT(outages(made), ElementsAre("p0 is down"));
  made.note(std::vector{kUp}, kStart + 2s);
  EXPECT_THAT(texts(made), ElementsAre("p0 was down for 1.00 s"));
}

}  // namespace
}  // namespace gradwire::testbed
