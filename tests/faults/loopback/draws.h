#pragma once

#include <vector>

#include "tests/faults/loopback/dice.h"
#include "tests/faults/loopback/scenario.h"

/// How the fault of a scenario is drawn, by case.
namespace gradwire::faults {

using namespace std::chrono_literals;

/// How long nothing may move where that must be noticed. A busy machine lets a thread wait for a
/// good part of it.
inline constexpr Nanoseconds kShort = 1s;

/// Algorithm, wiring, elements, and all ranks' Plans.
[[nodiscard]] Scenario draw_ground(Dice& dice, std::size_t number);
[[nodiscard]] Rank draw_rank(Dice& dice, const Scenario& scenario);
/// Several different ones, in rising order.
[[nodiscard]] std::vector<Rank> draw_ranks(Dice& dice, const Scenario& scenario, std::size_t count);
/// Any operation of a rank, in any execution.
[[nodiscard]] Moment draw_operation(Dice& dice, const Scenario& scenario, Rank rank);

/// A channel, and who connects it.
struct Called {
  Rank caller;
  transport::tcp::ChannelName channel;
};
[[nodiscard]] Called draw_channel(Dice& dice, const Scenario& scenario);

void die_connecting(Dice& dice, Scenario& scenario);
void die_operation(Dice& dice, Scenario& scenario);
void die_between(Dice& dice, Scenario& scenario);
void die_unseen(Dice& dice, Scenario& scenario);
void die_several(Dice& dice, Scenario& scenario);
void stop(Dice& dice, Scenario& scenario);
void pause(Dice& dice, Scenario& scenario);
void never_come(Dice& dice, Scenario& scenario);

void flip_frames(Dice& dice, Scenario& scenario);
void flip_handshake(Dice& dice, Scenario& scenario);
void flip_verdict(Dice& dice, Scenario& scenario);
void flip_handshakes(Dice& dice, Scenario& scenario);
void flip_unchecked(Dice& dice, Scenario& scenario);
void swap_frames(Dice& dice, Scenario& scenario);
void repeat_frame(Dice& dice, Scenario& scenario);
void replay_frame(Dice& dice, Scenario& scenario);
void drop_frame(Dice& dice, Scenario& scenario);
void truncate_frame(Dice& dice, Scenario& scenario);
void cut_frame(Dice& dice, Scenario& scenario);
void delay_frame(Dice& dice, Scenario& scenario);
void silence_frames(Dice& dice, Scenario& scenario);
void silence_handshake(Dice& dice, Scenario& scenario);

void jump_clock(Dice& dice, Scenario& scenario);
void bring_strangers(Dice& dice, Scenario& scenario);
void bring_crowd(Dice& dice, Scenario& scenario);
void claim_first(Dice& dice, Scenario& scenario);
void claim_late(Dice& dice, Scenario& scenario);
void claim_odd(Dice& dice, Scenario& scenario);
void claim_of_other_run(Dice& dice, Scenario& scenario);
void poison_infinite(Dice& dice, Scenario& scenario);
void poison_small(Dice& dice, Scenario& scenario);
void differ(Dice& dice, Scenario& scenario);

}  // namespace gradwire::faults
