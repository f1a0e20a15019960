// How channels are lost, how that is found out, and how a rank leaves.
#include <algorithm>
#include <thread>
#include <utility>

#include "transport/verbs/endpoint.h"

namespace gradwire::transport::verbs {
namespace {

/// Longest time that a leaving rank waits for its last messages to be acknowledged.
constexpr Nanoseconds kGoodbyePatience = std::chrono::seconds(1);
constexpr Nanoseconds kGoodbyePause = std::chrono::microseconds(200);

/// Whether the loss of the channel keeps it from finishing what is posted.
bool matters(const VerbsEndpoint::Channel& channel) {
  if (channel.receives.busy()) return true;
  // The acknowledgement of what has left can still be under way when the peer has gone.
  return channel.loss->left ? channel.sends.waits() : channel.sends.busy();
}

}  // namespace

void VerbsEndpoint::lose(std::size_t channel, Loss loss) {
  std::optional<Loss>& known = channels_[channel].loss;
  if (known) {
    known->left = known->left && loss.left;
    return;
  }
  known = std::move(loss);
  lost_.push_back(channel);
}

void VerbsEndpoint::check_channels() const {
  for (const std::size_t number : lost_) {
    const Channel& channel = channels_[number];
    if (matters(channel)) {
      throw ChannelError(number, FabricFailure::peer_closed, channel.loss->why);
    }
  }
}

void VerbsEndpoint::take_alarms() {
  for (std::size_t i = 0; i < waiter_.queues().size(); ++i) {
    if (waiter_.take_alarm(i)) lose_failed(waiter_.queues()[i]->device());
  }
}

void VerbsEndpoint::lose_failed(const Device& device) {
  for (const AsyncFailure& failure : device.failures()) {
    for (std::size_t number = 0; number < channels_.size(); ++number) {
      const Channel& channel = channels_[number];
      if (&channel.data.device() != &device) continue;
      const bool its_own = failure.qp_number == channel.data.address().number ||
                           failure.qp_number == channel.grants.address().number;
      if (failure.qp_number != 0 && !its_own) continue;
      lose(number, {.why = failure.what});
    }
  }
}

void VerbsEndpoint::probe_if_quiet() {
  if (options_.clock.now() - last_moved_ < options_.probe_interval) return;
  last_moved_ = options_.clock.now();
  for (std::size_t number = 0; number < channels_.size(); ++number) {
    Channel& channel = channels_[number];
    // What is under way finds out by itself.
    const bool waits = channel.receives.busy() || channel.sends.waits();
    if (channel.loss || channel.probing || !waits || channel.sends.under_way() > 0) continue;
    channel.probing = true;
    attempt(number, [](Channel& waiting) { waiting.data.probe(); });
  }
}

void VerbsEndpoint::say_goodbye() {
  const auto unheard = [](const Channel& channel) { return channel.leaving && !channel.loss; };
  const Deadline deadline(options_.clock, kGoodbyePatience);
  progress_.clear();
  drain();  // for the goodbyes of peers that have left already
  for (std::size_t number = 0; number < channels_.size(); ++number) {
    if (channels_[number].loss) continue;
    channels_[number].leaving = true;
    attempt(number, [](Channel& channel) { channel.data.send_closing(); });
  }
  while (std::ranges::any_of(channels_, unheard) && !deadline.passed()) {
    progress_.clear();
    if (drain() == 0) std::this_thread::sleep_for(kGoodbyePause);
  }
}

}  // namespace gradwire::transport::verbs
