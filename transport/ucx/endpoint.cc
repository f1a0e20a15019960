#include "transport/ucx/endpoint.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <thread>
#include <utility>

#include <fmt/core.h>

namespace gradwire::transport::ucx {
namespace {

/// Fruitless rounds of progress before a lane sleeps: enough for an answer on its way on the same
/// machine, few against a sleep.
constexpr std::size_t kFruitless = 16;
constexpr Nanoseconds kFarewellPatience = std::chrono::seconds(1);

/// Alignment of slots. A segment lies in its slot as its place does, so that the adder reads both
/// in vectors of this many bytes.
constexpr std::size_t kVectorBytes = 16;

/// Bytes of a channel's staging memory: one slot for each segment of its window.
std::size_t staging_bytes(const UcxEndpoint::Channel& channel, const Cutting& cutting,
                          std::size_t element_bytes) {
  if (channel.largest_add == 0) return 0;
  const std::size_t most = std::min(cutting.elements, channel.largest_add) * element_bytes;
  return cutting.window * (most / kVectorBytes + 2) * kVectorBytes;
}

/// The memory where a segment arrives that is to be added to `place`.
std::span<std::byte> slot_of(const Segment& segment, std::span<const std::byte> place) {
  const auto over = reinterpret_cast<std::uintptr_t>(place.data()) % kVectorBytes;
  return segment.staging.subspan(over, place.size());
}

}  // namespace

UcxEndpoint::UcxEndpoint(std::unique_ptr<device::LaneMemory> memory,
                         std::vector<std::unique_ptr<Worker>> workers,
                         std::vector<Channel> channels, const Options& options)
    : memory_(std::move(memory)),
      kind_(kind_of(memory_->reach())),
      workers_(std::move(workers)),
      poll_(options.poll),
      cancellation_(options.cancellation),
      clock_(options.clock) {
  const Cutting& cutting = options.cutting;
  std::size_t staged = 0;
  for (const Channel& channel : channels) {
    staged += staging_bytes(channel, cutting, memory_->element_bytes());
  }
  std::span<std::byte> free = memory_->allocate_staging(staged, channels.size() * cutting.window);
  for (const auto& worker : workers_) {
    contexts_.push_back(worker->context());
    if (options.registered && staged > 0) {
      registrations_.emplace_back(worker->context()->get(), free, kind_, options.place);
    }
    polled_.push_back({.fd = worker->event(), .events = POLLIN, .revents = 0});
  }
  polled_.push_back({.fd = cancellation_.fd(), .events = POLLIN, .revents = 0});

  std::size_t operations = 0;
  with_news_.reserve(2 * channels.size());
  for (Channel& channel : channels) {
    const auto staging = free.first(staging_bytes(channel, cutting, memory_->element_bytes()));
    free = free.subspan(staging.size());
    operations += channel.use.sends + channel.use.receives;
    add_channel(std::move(channel), cutting, staging);
  }
  progress_.reserve(operations);
}

void UcxEndpoint::add_channel(Channel channel, const Cutting& cutting,
                              std::span<std::byte> staging) {
  const std::size_t number = channels_.size();
  channels_.push_back(
      {.sends = std::make_unique<Stream>(Stream::Options{.channel = number,
                                                         .kind = Operation::Kind::send,
                                                         .operations = channel.use.sends,
                                                         .cutting = cutting,
                                                         .with_news = with_news_}),
       .receives = std::make_unique<Stream>(Stream::Options{.channel = number,
                                                            .kind = Operation::Kind::receive,
                                                            .operations = channel.use.receives,
                                                            .cutting = cutting,
                                                            .staging = staging,
                                                            .with_news = with_news_}),
       .connection = std::move(channel.connection)});
  State& state = channels_.back();
  state.connection->receive_credit(0, state.sends->carrier());
}

UcxEndpoint::~UcxEndpoint() {
  for (State& state : channels_) state.connection->leave();
  progress_until([](State& state) { return state.connection->left(); });
  for (State& state : channels_) state.connection->abandon();
}

void UcxEndpoint::progress_until(bool (*fulfils)(State&)) {
  const Deadline deadline(clock_, kFarewellPatience);
  while (!std::ranges::all_of(channels_, fulfils) && !deadline.passed()) {
    if (!progress()) std::this_thread::yield();
  }
}

void UcxEndpoint::post_send(std::size_t channel, const SendRequest& request) {
  Stream& stream = *channels_[channel].sends;
  stream.push({.extent = request.what,
               .operation = request.operation,
               .element_bytes = memory_->element_bytes()});
  start(stream);
}

void UcxEndpoint::post_receive(std::size_t channel, Extent where, Combine how,
                               std::size_t operation) {
  Stream& stream = *channels_[channel].receives;
  stream.push({.extent = where,
               .how = how,
               .operation = operation,
               .element_bytes = memory_->element_bytes()});
  start(stream);
}

void UcxEndpoint::start(Stream& stream) {
  Connection& connection = *channels_[stream.channel()].connection;
  while (Segment* segment = stream.start()) {
    const auto place = memory_->at(segment->extent);
    const auto bytes = segment->how == Combine::add ? slot_of(*segment, place) : place;
    if (stream.kind() == Operation::Kind::send) {
      connection.send(bytes, kind_, stream.sequence(), *segment);
    } else {
      connection.receive(bytes, kind_, stream.sequence(), *segment);
    }
  }
}

std::span<const Progress> UcxEndpoint::wait(const Deadline& deadline) {
  progress_.clear();
  for (std::size_t fruitless = 0;;) {
    settle();
    if (cancellation_.requested()) throw Cancelled();
    if (!progress_.empty()) return progress_;
    if (progress()) {
      fruitless = 0;
      continue;
    }
    if (++fruitless < kFruitless || adding_ > 0) {
      if (deadline.passed()) return {};
      std::this_thread::yield();
      continue;
    }
    fruitless = 0;
    if (!poll_ && !arm()) continue;
    // Messages arrive in order, but a farewell is noticed before the segments that came with it are
    // settled. Only here is all of that done, so that a peer that is gone has nothing more to give.
    check_open();
    if (deadline.passed()) return {};
    if (!poll_) sleep(deadline);
  }
}

void UcxEndpoint::settle() {
  // What a device adds raises no event.
  for (State& state : channels_) {
    if (adding_ > 0 && state.receives->taken() != nullptr) state.receives->list();
  }
  // The last in goes first: a stream whose next segment ends at once continues its entry in
  // progress_.
  while (!with_news_.empty()) {
    Stream& stream = *with_news_.back();
    with_news_.pop_back();
    stream.heard();
    retire_ended(stream);
    move_credit(stream);
    start(stream);
  }
}

void UcxEndpoint::move_credit(Stream& stream) {
  Request& carrier = stream.carrier();
  if (!carrier.done() || carrier.status() != UCS_OK) return;
  Connection& connection = *channels_[stream.channel()].connection;
  if (stream.kind() == Operation::Kind::send) {
    stream.credit();
    connection.receive_credit(stream.credits(), carrier);
  } else if (stream.owes_credit()) {
    connection.send_credit(stream.credits(), carrier);
    stream.credit();
  }
}

void UcxEndpoint::retire_ended(Stream& stream) {
  for (Segment* segment = stream.finished(); segment != nullptr; segment = stream.finished()) {
    if (segment->status() != UCS_OK) break;
    if (segment->how == Combine::add) {
      const auto terms = slot_of(*segment, memory_->at(segment->extent));
      memory_->begin_add(segment->extent, terms, segment->slot);
    }
    stream.take();
    ++adding_;
  }
  for (Segment* segment = stream.taken(); segment != nullptr; segment = stream.taken()) {
    if (segment->how == Combine::add && !memory_->is_added(segment->slot)) break;
    report(*segment);
    stream.retire();
    --adding_;
  }
}

void UcxEndpoint::report(const Segment& segment) {
  if (!progress_.empty() && progress_.back().operation == segment.operation) {
    progress_.back().elements = segment.elements_done;
  } else {
    progress_.push_back({.operation = segment.operation, .elements = segment.elements_done});
  }
}

bool UcxEndpoint::progress() {
  bool any = false;
  for (const auto& worker : workers_) any |= worker->progress();
  return any;
}

void UcxEndpoint::check_open() {
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    State& state = channels_[i];
    for (Stream* stream : {state.receives.get(), state.sends.get()}) {
      if (!stream->busy()) continue;
      if (state.connection->gone()) {
        throw ChannelError(i, FabricFailure::peer_closed, state.connection->reason());
      }
      const Segment* ended = stream->finished();
      if (ended != nullptr && ended->status() != UCS_OK) {
        throw ChannelError(i, FabricFailure::peer_closed,
                           fmt::format("UCX: {}", ucs_status_string(ended->status())));
      }
    }
  }
}

bool UcxEndpoint::arm() {
  for (const auto& worker : workers_) {
    if (!worker->arm()) return false;
  }
  return with_news_.empty();  // a callback may have run though UCX says that nothing was done
}

void UcxEndpoint::sleep(const Deadline& deadline) {
  const Nanoseconds left = deadline.left();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
  const timespec timeout{.tv_sec = seconds.count(), .tv_nsec = (left - seconds).count()};
  if (::ppoll(polled_.data(), polled_.size(), &timeout, nullptr) < 0 && errno != EINTR) {
    throw SystemError("ppoll", errno);
  }
}

}  // namespace gradwire::transport::ucx
