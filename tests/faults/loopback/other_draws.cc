#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "collectives/algorithms/algorithm.h"
#include "core/error.h"
#include "core/text/spec.h"
#include "tests/faults/loopback/draws.h"

/// Strangers, claims, odd values and Plans, and a clock that jumps.
namespace gradwire::faults {
namespace {

using namespace std::string_view_literals;
using Limits = std::numeric_limits<float>;

/// A channel, its caller as the guide, and its acceptor as the door.
Visit draw_visit(Dice& dice, const Scenario& scenario, Visit::Who who) {
  const Called called = draw_channel(dice, scenario);
  return {.who = who,
          .door = called.channel.peer.rank,
          .guide = called.caller,
          .claimed = called.caller,
          .channel = called.channel,
          .seed = dice.below(1'000'000)};
}

Poison draw_poison(Dice& dice, const Scenario& scenario, float value) {
  return {.rank = dice.one_of(scenario.contributors),
          .execution = dice.below(scenario.executions),
          .element = dice.below(scenario.elements),
          .value = value};
}

/// What the odd rank runs instead, on the same wiring.
OddPlan draw_odd_plan(Dice& dice, const Scenario& scenario) {
  constexpr std::array kOnSwitch{"ring"sv, "ring(pieces=3)"sv, "ps"sv, "double-tree"sv};
  OddPlan odd{.rank = draw_rank(dice, scenario),
              .algorithm = scenario.algorithm,
              .elements = scenario.elements};
  if (dice.flip()) {
    odd.elements = dice.flip() ? scenario.elements + 1 : scenario.elements + dice.between(2, 500);
  } else if (scenario.algorithm == "bml") {
    odd.algorithm = "staged-bcube";
  } else {
    while (odd.algorithm == scenario.algorithm) odd.algorithm = dice.one_of(kOnSwitch);
  }
  return odd;
}

}  // namespace

void jump_clock(Dice&, Scenario& scenario) {
  scenario.clock_jumps = true;
  scenario.stall = 10s;
  scenario.connecting = 10s;
  scenario.meeting = 10s;
}

void bring_strangers(Dice& dice, Scenario& scenario) {
  scenario.visit = draw_visit(dice, scenario, Visit::Who::strangers);
  scenario.visit->count = dice.between(1, 30);
}

void bring_crowd(Dice& dice, Scenario& scenario) {
  scenario.visit = draw_visit(dice, scenario, Visit::Who::crowd);
  scenario.visit->count = dice.between(100, 400);
}

void claim_first(Dice& dice, Scenario& scenario) {
  scenario.visit = draw_visit(dice, scenario, Visit::Who::first_claim);
}

void claim_late(Dice& dice, Scenario& scenario) {
  scenario.visit = draw_visit(dice, scenario, Visit::Who::late_claim);
}

void claim_odd(Dice& dice, Scenario& scenario) {
  Visit visit = draw_visit(dice, scenario, Visit::Who::odd_claim);
  switch (dice.below(4)) {
    case 0:  // a rank that there is not
      visit.claimed = Rank(scenario.ranks() + dice.below(1000));
      break;
    case 1:  // the acceptor itself
      visit.claimed = visit.door;
      break;
    case 2:
      visit.channel.lane += dice.between(10, 1000);
      break;
    default:
      visit.channel.peer.via = Port(visit.channel.peer.via.index() + dice.between(5, 7));
  }
  scenario.visit = visit;
}

void claim_of_other_run(Dice& dice, Scenario& scenario) {
  scenario.visit = draw_visit(dice, scenario, Visit::Who::other_run);
}

void poison_infinite(Dice& dice, Scenario& scenario) {
  constexpr std::array kValues{Limits::quiet_NaN(), -Limits::quiet_NaN(), Limits::infinity(),
                               -Limits::infinity()};
  scenario.poison = draw_poison(dice, scenario, dice.one_of(kValues));
}

void poison_small(Dice& dice, Scenario& scenario) {
  constexpr std::array kValues{-0.0F, Limits::denorm_min(), -Limits::denorm_min(),
                               Limits::min() / 2};
  scenario.poison = draw_poison(dice, scenario, dice.one_of(kValues));
}

void differ(Dice& dice, Scenario& scenario) {
  const OddPlan odd = draw_odd_plan(dice, scenario);
  scenario.odd_plan = odd;
  scenario.culprits = {odd.rank};
  scenario.plans[odd.rank.index()] =
      algorithms::parse_algorithm(text::parse_spec(odd.algorithm), *scenario.topology)
          .plan(odd.rank, {.elements = odd.elements});
}

}  // namespace gradwire::faults
