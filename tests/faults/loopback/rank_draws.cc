#include "tests/faults/loopback/draws.h"

/// What ranks do to themselves.
namespace gradwire::faults {
namespace {

using What = RankFault::What;

/// How long a rank waits for the others at a meeting where it must notice that one does not come:
/// others may still execute.
constexpr Nanoseconds kShortMeeting = 2500ms;

Moment draw_meeting(Dice& dice, std::size_t first, std::size_t last) {
  return {.at = dice.flip() ? Moment::At::coming : Moment::At::leaving,
          .number = dice.between(first, last)};
}

/// Around the executions. When the last meeting is left, nobody waits for anybody any more.
Moment draw_between(Dice& dice, const Scenario& scenario) {
  const std::size_t last = kFirstExecution + 2 * scenario.executions - 1;
  Moment when = draw_meeting(dice, kFirstExecution, last);
  if (when.number == last) when.at = Moment::At::coming;
  return when;
}

void add(Scenario& scenario, Rank rank, What what, const Moment& when) {
  scenario.rank_faults.push_back({.what = what, .rank = rank, .when = when});
  if (what != What::pauses) scenario.culprits.push_back(rank);
}

}  // namespace

void die_connecting(Dice& dice, Scenario& scenario) {
  add(scenario, draw_rank(dice, scenario), What::dies, draw_meeting(dice, kAgreeing, kConnected));
}

void die_operation(Dice& dice, Scenario& scenario) {
  const Rank rank = draw_rank(dice, scenario);
  add(scenario, rank, What::dies, draw_operation(dice, scenario, rank));
}

void die_between(Dice& dice, Scenario& scenario) {
  add(scenario, draw_rank(dice, scenario), What::dies, draw_between(dice, scenario));
}

void die_unseen(Dice& dice, Scenario& scenario) {
  scenario.deaths_are_seen = false;
  scenario.meeting = kShortMeeting;
  scenario.connecting = kShort;
  switch (dice.below(4)) {
    case 0:
      return die_connecting(dice, scenario);
    case 1:
      return die_between(dice, scenario);
    default:
      return die_operation(dice, scenario);
  }
}

void die_several(Dice& dice, Scenario& scenario) {
  const bool at_once = dice.flip();
  const Moment together = draw_meeting(dice, kAgreeing, kFirstExecution);
  const std::size_t count = dice.between(2, scenario.ranks() - 1);
  for (const Rank rank : draw_ranks(dice, scenario, count)) {
    add(scenario, rank, What::dies, at_once ? together : draw_operation(dice, scenario, rank));
  }
}

void stop(Dice& dice, Scenario& scenario) {
  scenario.stall = kShort;
  scenario.meeting = kShortMeeting;
  const Rank rank = draw_rank(dice, scenario);
  const bool inside = dice.below(3) > 0;
  add(scenario, rank, What::stops,
      inside ? draw_operation(dice, scenario, rank) : draw_between(dice, scenario));
}

void pause(Dice& dice, Scenario& scenario) {
  scenario.stall = 10s;
  const Rank rank = draw_rank(dice, scenario);
  const bool inside = dice.flip();
  const Moment when = inside ? draw_operation(dice, scenario, rank) : draw_between(dice, scenario);
  add(scenario, rank, What::pauses, when);
  scenario.rank_faults.back().pause = std::chrono::milliseconds(dice.between(5, 150));
}

void never_come(Dice& dice, Scenario& scenario) {
  scenario.meeting = kShort;
  const std::size_t count = dice.between(1, scenario.ranks() - 1);
  const Moment when{.at = Moment::At::coming, .number = dice.between(kAgreeing, kListening)};
  for (const Rank rank : draw_ranks(dice, scenario, count)) add(scenario, rank, What::stops, when);
}

}  // namespace gradwire::faults
