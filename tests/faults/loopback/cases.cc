#include "tests/faults/loopback/cases.h"

#include <array>

#include "tests/faults/loopback/draws.h"

namespace gradwire::faults {
namespace {

constexpr std::array kCases{
    Case{"die-connecting", 1, "a rank dies while it connects", Must::name_rank, die_connecting},
    Case{"die-operation", 1, "a rank dies at an operation", Must::name_rank, die_operation},
    Case{"die-between", 1, "a rank dies between executions", Must::name_rank, die_between},
    Case{"die-unseen", 1, "the same, and only its peers tell", Must::name_rank, die_unseen},
    Case{"die-several", 2, "several ranks die at once", Must::name_rank, die_several},
    Case{"stop", 5, "a rank stops for ever", Must::name_rank, stop},
    Case{"pause", 5, "a rank pauses for less than the timeout", Must::complete, pause},
    Case{"flip-frame", 14, "bits flip in a frame", Must::name_link, flip_frames},
    Case{"flip-once", 14, "bits flip in a handshake, once", Must::complete, flip_handshake},
    Case{"flip-verdict", 14, "bits flip in the acceptor's verdict", Must::name_link, flip_verdict},
    Case{"flip-always", 14, "bits flip in every handshake", Must::name_link, flip_handshakes},
    Case{"flip-unchecked", 14, "bits flip in a frame without a check", Must::count_wrong,
         flip_unchecked},
    Case{"swap", 15, "a frame comes behind the next", Must::name_link, swap_frames},
    Case{"repeat", 15, "a frame comes twice", Must::name_link, repeat_frame},
    Case{"replay", 15, "an earlier frame comes in place of one", Must::name_link, replay_frame},
    Case{"drop", 15, "a frame is left out", Must::name_link, drop_frame},
    Case{"truncate", 15, "a frame's end is left out", Must::name_link, truncate_frame},
    Case{"cut", 15, "the connection closes inside a frame", Must::name_link, cut_frame},
    Case{"delay", 15, "a frame comes late", Must::complete, delay_frame},
    Case{"silence", 16, "one direction of a connection goes silent", Must::name_link,
         silence_frames},
    Case{"silence-connecting", 16, "the same in every handshake", Must::name_link,
         silence_handshake},
    Case{"clock", 20, "the wall clock jumps to and fro", Must::complete, jump_clock},
    Case{"strangers", 24, "up to 30 strangers of all kinds", Must::complete, bring_strangers},
    Case{"crowd", 24, "100 to 400 strangers who stay", Must::complete, bring_crowd},
    Case{"claim-first", 25, "a channel is claimed with the key before its rank comes",
         Must::name_link, claim_first},
    Case{"claim-late", 25, "the same after it", Must::complete, claim_late},
    Case{"claim-odd", 25, "a rank, lane or port that is not expected is claimed", Must::complete,
         claim_odd},
    Case{"claim-other-run", 25, "a channel is claimed with another run's key", Must::complete,
         claim_of_other_run},
    Case{"nan", 27, "NaN or infinity in a gradient", Must::count_wrong, poison_infinite},
    Case{"denormal", 27, "-0 or a denormal in a gradient", Must::count_wrong, poison_small},
    Case{"differ", 28, "a rank makes another Plan", Must::name_odd, differ},
    Case{"never-come", 30, "ranks never come to the rendezvous", Must::name_all, never_come},
};

}  // namespace

std::span<const Case> all_cases() {
  return kCases;
}

Scenario draw(const Case& kind, std::uint64_t seed, std::size_t number) {
  Dice dice(seed, number);
  Scenario scenario = draw_ground(dice, number);
  scenario.must = kind.must;
  kind.draw(dice, scenario);
  return scenario;
}

}  // namespace gradwire::faults
