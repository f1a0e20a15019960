#include "transport/verbs/endpoint.h"

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

#include <arpa/inet.h>

#include "core/error.h"
#include "transport/add.h"

namespace gradwire::transport::verbs {
namespace {

/// Completions taken from a queue at a time.
constexpr std::size_t kBatch = 32;
/// How long a leaving rank waits for its last messages to be acknowledged.
constexpr Nanoseconds kGoodbyePatience = std::chrono::seconds(1);
constexpr Nanoseconds kGoodbyePause = std::chrono::microseconds(200);

/// Whether the loss of the channel keeps it from doing what is posted.
bool matters(const VerbsEndpoint::Channel& channel) {
  if (channel.receives.busy()) return true;
  // The acknowledgement of what has left can still be under way when the peer has gone.
  return channel.loss->left ? channel.sends.waits() : channel.sends.busy();
}

}  // namespace

Staging::Staging(const std::shared_ptr<Device>& device, const StagingSize& size)
    : size_(size), memory_(size.slots * size.slot * size.element_bytes), region_(device, memory_) {}

VerbsEndpoint::VerbsEndpoint(Elements gradient, std::vector<Channel> channels,
                             std::vector<std::shared_ptr<CompletionQueue>> queues,
                             const Options& options)
    : gradient_(gradient),
      channels_(std::move(channels)),
      options_(options),
      waiter_(std::move(queues), options.cancellation, options.poll),
      last_moved_(options.clock.now()) {
  to_work_on_.reserve(channels_.size());
  lost_.reserve(channels_.size());
  std::size_t completions = 0;
  for (const auto& queue : waiter_.queues()) completions += queue->entries();
  progress_.reserve(completions);
}

VerbsEndpoint::~VerbsEndpoint() {
  try {
    say_goodbye();
  } catch (...) {  // the peers will notice by themselves, later
  }
}

void VerbsEndpoint::post_send(std::size_t channel, Extent what, std::size_t operation) {
  channels_[channel].sends.post(what, operation);
  want_work(channel);
}

void VerbsEndpoint::post_receive(std::size_t channel, Extent where, Combine how,
                                 std::size_t operation) {
  channels_[channel].receives.post(where, how, operation);
  want_work(channel);
}

std::span<const Progress> VerbsEndpoint::wait(const Deadline& deadline) {
  progress_.clear();
  bool armed = false;
  while (true) {
    if (options_.cancellation.requested()) throw Cancelled();
    check_channels();
    work();
    if (drain() > 0) {
      work();
      last_moved_ = options_.clock.now();
      if (!progress_.empty()) return progress_;
      continue;
    }
    if (deadline.passed()) return {};
    probe_if_quiet();
    // What comes before the queues are armed gives no notice: look once more after that.
    if (std::exchange(armed, !armed)) {
      waiter_.rest(std::min(deadline.left(), options_.probe_interval));
      take_alarms();
    } else {
      waiter_.arm();
    }
  }
}

void VerbsEndpoint::want_work(std::size_t channel) {
  if (std::exchange(channels_[channel].waits_for_work, true)) return;
  to_work_on_.push_back(channel);
}

void VerbsEndpoint::work() {
  for (const std::size_t number : to_work_on_) {
    Channel& channel = channels_[number];
    channel.waits_for_work = false;
    if (!channel.loss) attempt(number, [this](Channel& working) { work_on(working); });
  }
  to_work_on_.clear();
}

void VerbsEndpoint::work_on(Channel& channel) {
  while (channel.grants.has_room()) {
    const std::optional<Grant> grant = channel.receives.grant();
    if (!grant) break;
    const bool adds = grant->how == Combine::add;
    channel.grants.send_grant(
        {.kind = adds ? Message::Kind::grant_add : Message::Kind::grant_replace,
         .number = static_cast<std::uint32_t>(grant->count)});
  }
  while (channel.data.has_room()) {
    const std::optional<Departure> departure = channel.sends.depart();
    if (!departure) break;
    send_segment(channel, *departure);
  }
}

void VerbsEndpoint::send_segment(Channel& channel, const Departure& departure) {
  const Extent& extent = departure.segment.extent;
  const std::size_t element = gradient_.element_bytes();
  const std::uint64_t place = extent.first * element;
  const RemoteMemory& target = departure.slot ? channel.peer_staging : channel.peer_gradient;
  ensure(!departure.slot || extent.count <= channel.peer_slot_elements,
         "what is to be added fits a slot of the peer");
  const std::uint64_t offset =
      departure.slot ? *departure.slot * channel.peer_slot_elements * element : place;
  channel.data.write({.from = channel.gradient->address() + place,
                      .local_key = channel.gradient->local_key(),
                      .bytes = static_cast<std::uint32_t>(extent.count * element),
                      .to = target.address + offset,
                      .remote_key = target.key,
                      .message = {.kind = Message::Kind::data, .number = departure.number}});
}

std::size_t VerbsEndpoint::drain() {
  std::array<ibv_wc, kBatch> batch;
  std::size_t taken = 0;
  for (const auto& queue : waiter_.queues()) {
    // No more than the queue holds, which is what there is room to report.
    for (std::size_t left = queue->entries(); left > 0;) {
      const auto completions = queue->poll(std::span(batch).first(std::min(left, kBatch)));
      for (const ibv_wc& completion : completions) complete(completion);
      left -= completions.size();
      taken += completions.size();
      if (completions.size() < kBatch) break;
    }
  }
  return taken;
}

void VerbsEndpoint::complete(const ibv_wc& completion) {
  const Work work = decode_work(completion.wr_id);
  Channel& channel = channels_[work.channel];
  if (completion.status != IBV_WC_SUCCESS) {
    // The device may know a better reason than that its work was flushed.
    channel.data.device().take_events();
    lose_failed(channel.data.device());
    return lose(work.channel, {.why = describe(completion)});
  }
  if (work.kind == Work::Kind::receive || work.kind == Work::Kind::receive_grant) {
    return take_message(work.channel, completion);
  }
  (work.kind == Work::Kind::grant ? channel.grants : channel.data).retire(work);
  if (work.kind == Work::Kind::data) report(channel.sent_entry, channel.sends.leave());
  if (work.kind == Work::Kind::probe) channel.probing = false;
  if (work.kind == Work::Kind::closing) channel.leaving = false;
  want_work(work.channel);
}

void VerbsEndpoint::take_message(std::size_t number, const ibv_wc& completion) {
  Channel& channel = channels_[number];
  // First: what the peer may send because of this message needs a receive.
  const bool grants = decode_work(completion.wr_id).kind == Work::Kind::receive_grant;
  attempt(number,
          [&](Channel& receiving) { (grants ? receiving.grants : receiving.data).post_receive(); });
  const auto message = decode(ntohl(completion.imm_data));
  ensure(message.has_value(), "a peer sends messages of the protocol");
  switch (message->kind) {
    case Message::Kind::data:
      take_segment(channel, message->number, completion.byte_len);
      break;
    case Message::Kind::grant_replace:
      channel.sends.grant(Combine::replace, message->number);
      break;
    case Message::Kind::grant_add:
      channel.sends.grant(Combine::add, message->number);
      break;
    case Message::Kind::closing:
      lose(number, {.why = "the peer closed the connection", .left = true});
      break;
  }
  want_work(number);
}

void VerbsEndpoint::take_segment(Channel& channel, std::uint32_t number, std::size_t bytes) {
  const Arrival arrival = channel.receives.arrive(number);
  const auto place = gradient_.bytes(arrival.segment.extent);
  ensure(bytes == place.size(), "both ends cut an operation into the same segments");
  if (arrival.slot) {
    add(gradient_.type(), place, channel.staging->at(*arrival.slot).first(bytes));
  }
  report(channel.received_entry, arrival.segment);
}

void VerbsEndpoint::report(std::size_t& entry, const Segment& segment) {
  if (entry >= progress_.size() || progress_[entry].operation != segment.operation) {
    entry = progress_.size();
    progress_.push_back({.operation = segment.operation});
  }
  progress_[entry].elements = segment.elements;
}

void VerbsEndpoint::attempt(std::size_t channel, const auto& action) {
  try {
    action(channels_[channel]);
  } catch (const SystemError& error) {
    lose(channel, {.why = error.what()});
  }
}

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
