#include "transport/verbs/endpoint.h"

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

#include <arpa/inet.h>

#include "core/error.h"

namespace gradwire::transport::verbs {
namespace {

/// Most completions taken from a queue at a time.
constexpr std::size_t kBatch = 32;

}  // namespace

VerbsEndpoint::VerbsEndpoint(std::unique_ptr<device::LaneMemory> memory,
                             std::vector<Channel> channels,
                             std::vector<std::shared_ptr<CompletionQueue>> queues,
                             const Options& options)
    : memory_(std::move(memory)),
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

void VerbsEndpoint::post_send(std::size_t channel, const SendRequest& request) {
  channels_[channel].sends.post(request.what, request.operation);
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
    std::size_t moved = drain();
    moved += settle_added();
    if (moved > 0) {
      work();
      last_moved_ = options_.clock.now();
      if (!progress_.empty()) return progress_;
      continue;
    }
    if (deadline.passed()) return {};
    if (unsettled_ > 0) {
      std::this_thread::yield();  // what a device adds gives no notice
      continue;
    }
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
  const std::size_t element = memory_->element_bytes();
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
  const Extent& place = arrival.segment.extent;
  ensure(bytes == place.count * memory_->element_bytes(),
         "both ends cut an operation into the same segments");
  memory_->see_rdma_writes();
  if (arrival.slot) {
    memory_->begin_add(place, channel.staging->at(*arrival.slot).first(bytes),
                       channel.first_addition + *arrival.slot);
  }
  channel.unsettled[channel.arrived++ % channel.unsettled.size()] = arrival;
  ++unsettled_;
  settle(channel);
}

std::size_t VerbsEndpoint::settle(Channel& channel) {
  std::size_t settled = 0;
  for (; channel.settled < channel.arrived; ++channel.settled, --unsettled_, ++settled) {
    const Arrival& oldest = channel.unsettled[channel.settled % channel.unsettled.size()];
    const bool is_done = !oldest.slot || memory_->is_added(channel.first_addition + *oldest.slot);
    if (!is_done) break;
    channel.receives.settle();
    report(channel.received_entry, oldest.segment);
  }
  return settled;
}

std::size_t VerbsEndpoint::settle_added() {
  if (unsettled_ == 0) return 0;
  std::size_t settled = 0;
  for (std::size_t number = 0; number < channels_.size(); ++number) {
    if (settle(channels_[number]) == 0) continue;
    ++settled;
    want_work(number);
  }
  return settled;
}

void VerbsEndpoint::report(std::size_t& entry, const Segment& segment) {
  if (entry >= progress_.size() || progress_[entry].operation != segment.operation) {
    entry = progress_.size();
    progress_.push_back({.operation = segment.operation});
  }
  progress_[entry].elements = segment.elements;
}

}  // namespace gradwire::transport::verbs
