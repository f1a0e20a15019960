#include <algorithm>

#include "core/error.h"
#include "core/lane_program.h"
#include "tests/faults/loopback/draws.h"
#include "transport/handshake.h"
#include "transport/tcp/frame.h"

/// WhatOfStream happens to what one rank sends another.
namespace gradwire::faults {
namespace {

using transport::tcp::ChannelName;
using WhatOfStream = StreamFault::What;

constexpr std::size_t kHandshakeUnits = 2;

/// The bytes of each frame that a rank sends over a channel in one execution.
std::vector<std::size_t> frames_of(const Scenario& scenario, Rank sender,
                                   const ChannelName& channel) {
  const Plan& plan = scenario.plans[sender.index()];
  const LaneProgram program(plan.lanes.at(channel.lane), plan.stepping_of(channel.lane));
  const auto peers = program.channels();
  const auto found = std::ranges::find(peers, channel.peer);
  ensure(found != peers.end(), "a channel has two ends");
  const auto index = static_cast<std::size_t>(found - peers.begin());
  const std::size_t check = scenario.check_frames ? transport::tcp::kCheckBytes : 0;
  std::vector<std::size_t> frames;
  for (const std::size_t number : program.queue(index, Operation::Kind::send)) {
    std::size_t left = program.operations()[number].extent.count * sizeof(float);
    while (left > 0) {
      const std::size_t payload = std::min(left, transport::tcp::kFrameBytes);
      frames.push_back(payload + check);
      left -= payload;
    }
  }
  return frames;
}

/// One direction of any channel that carries something in it.
StreamFault draw_stream(Dice& dice, const Scenario& scenario, WhatOfStream what) {
  const Called called = draw_channel(dice, scenario);
  const Peer& peer = called.channel.peer;
  const ChannelName accepted{.lane = called.channel.lane,
                             .peer = {.rank = called.caller, .via = peer.at, .at = peer.via}};
  StreamFault fault{
      .what = what, .caller = called.caller, .channel = called.channel, .to_caller = dice.flip()};
  const auto frames = [&] {
    return fault.to_caller ? frames_of(scenario, peer.rank, accepted)
                           : frames_of(scenario, called.caller, called.channel);
  };
  fault.frames = frames();
  if (fault.frames.empty()) {
    fault.to_caller = !fault.to_caller;
    fault.frames = frames();
  }
  return fault;
}

/// The bytes of one of its units.
std::size_t size_of(const StreamFault& fault, std::size_t unit) {
  return fault.frames[(unit - kHandshakeUnits) % fault.frames.size()];
}

std::size_t frames_in_all(const Scenario& scenario, const StreamFault& fault) {
  return fault.frames.size() * scenario.executions;
}

/// One bit, several anywhere, or a burst.
void draw_bits(Dice& dice, StreamFault& fault, std::size_t bytes) {
  const std::size_t bits = 8 * bytes;
  const std::size_t kind = dice.below(3);
  const std::size_t count = kind == 0 ? 1 : dice.between(2, 40);
  const std::size_t first = dice.below(bits);
  for (std::size_t i = 0; i < count; ++i) {
    fault.bits.push_back(kind == 2 ? std::min(first + i, bits - 1) : dice.below(bits));
  }
  // WhatOfStream is flipped twice has not changed.
  std::ranges::sort(fault.bits);
  const auto same = std::ranges::unique(fault.bits);
  fault.bits.erase(same.begin(), same.end());
}

/// Draws a frame out of all but the first `not_first` and the last `not_last`, if there are so many.
StreamFault draw_frame_fault(Dice& dice, Scenario& scenario, WhatOfStream what,
                             std::size_t not_first, std::size_t not_last) {
  scenario.stall = kShort;
  StreamFault fault = draw_stream(dice, scenario, what);
  while (frames_in_all(scenario, fault) <= not_first + not_last) ++scenario.executions;
  const std::size_t frames = frames_in_all(scenario, fault);
  fault.unit = kHandshakeUnits + dice.between(not_first, frames - 1 - not_last);
  return fault;
}

/// The fault meets a unit of the handshake; the bytes of that unit.
std::size_t strike_handshake(Dice& dice, StreamFault& fault) {
  using namespace transport;
  fault.unit = dice.below(kHandshakeUnits);
  if (fault.to_caller) return fault.unit == 0 ? kChallengeBytes : kVerdictBytes;
  return fault.unit == 0 ? kGreetingBytes : sizeof(Mac);
}

}  // namespace

void flip_frames(Dice& dice, Scenario& scenario) {
  StreamFault fault = draw_frame_fault(dice, scenario, WhatOfStream::flip, 0, 0);
  scenario.stall = 10s;
  draw_bits(dice, fault, size_of(fault, fault.unit));
  scenario.stream = fault;
}

void flip_handshake(Dice& dice, Scenario& scenario) {
  StreamFault fault = draw_stream(dice, scenario, WhatOfStream::flip);
  std::size_t bytes = strike_handshake(dice, fault);
  if (fault.to_caller) {  // the verdict is another case
    fault.unit = 0;
    bytes = sizeof(transport::Nonce);
  }
  draw_bits(dice, fault, bytes);
  scenario.stream = fault;
}

void flip_verdict(Dice& dice, Scenario& scenario) {
  StreamFault fault = draw_stream(dice, scenario, WhatOfStream::flip);
  fault.to_caller = true;
  fault.unit = 1;
  draw_bits(dice, fault, transport::kVerdictBytes);
  scenario.stream = fault;
}

void flip_handshakes(Dice& dice, Scenario& scenario) {
  scenario.connecting = kShort;
  StreamFault fault = draw_stream(dice, scenario, WhatOfStream::flip);
  draw_bits(dice, fault, strike_handshake(dice, fault));
  fault.every_time = true;
  scenario.stream = fault;
}

void flip_unchecked(Dice& dice, Scenario& scenario) {
  scenario.check_frames = false;
  flip_frames(dice, scenario);
}

void swap_frames(Dice& dice, Scenario& scenario) {
  scenario.stream = draw_frame_fault(dice, scenario, WhatOfStream::swap, 0, 1);
}

void repeat_frame(Dice& dice, Scenario& scenario) {
  scenario.stream = draw_frame_fault(dice, scenario, WhatOfStream::repeat, 0, 1);
  scenario.stall = 10s;
}

void replay_frame(Dice& dice, Scenario& scenario) {
  StreamFault fault = draw_frame_fault(dice, scenario, WhatOfStream::replay, 1, 0);
  fault.other = dice.between(kHandshakeUnits, fault.unit - 1);
  scenario.stream = fault;
}

void drop_frame(Dice& dice, Scenario& scenario) {
  scenario.stream = draw_frame_fault(dice, scenario, WhatOfStream::drop, 0, 0);
}

void truncate_frame(Dice& dice, Scenario& scenario) {
  StreamFault fault = draw_frame_fault(dice, scenario, WhatOfStream::truncate, 0, 0);
  fault.kept = dice.below(size_of(fault, fault.unit));
  scenario.stream = fault;
}

void cut_frame(Dice& dice, Scenario& scenario) {
  truncate_frame(dice, scenario);
  scenario.stream->what = WhatOfStream::cut;
  scenario.stall = 10s;
}

void delay_frame(Dice& dice, Scenario& scenario) {
  scenario.stream = draw_frame_fault(dice, scenario, WhatOfStream::delay, 0, 0);
  scenario.stream->delay = std::chrono::milliseconds(dice.between(1, 100));
  scenario.stall = 10s;
}

void silence_frames(Dice& dice, Scenario& scenario) {
  truncate_frame(dice, scenario);
  scenario.stream->what = WhatOfStream::silence;
}

void silence_handshake(Dice& dice, Scenario& scenario) {
  scenario.connecting = kShort;
  StreamFault fault = draw_stream(dice, scenario, WhatOfStream::silence);
  fault.kept = dice.below(strike_handshake(dice, fault));
  fault.every_time = true;
  scenario.stream = fault;
}

}  // namespace gradwire::faults
