#include "transport/ucx/endpoint.h"

#include <algorithm>
#include <cerrno>
#include <thread>
#include <utility>

#include <fmt/core.h>

#include "transport/add.h"

namespace gradwire::transport::ucx {
namespace {

/// How often it finds nothing to do before it sleeps: enough for an answer that is on its way on
/// the same machine, little against a sleep.
constexpr std::size_t kFruitless = 16;
constexpr Nanoseconds kFarewellPatience = std::chrono::seconds(1);

std::size_t staged_elements(const UcxEndpoint::Channel& channel, const Cutting& cutting) {
  return cutting.window * std::min(cutting.elements, channel.largest_add);
}

}  // namespace

UcxEndpoint::UcxEndpoint(Elements gradient, std::vector<std::unique_ptr<Worker>> workers,
                         std::vector<Channel> channels, const Options& options)
    : gradient_(gradient),
      workers_(std::move(workers)),
      poll_(options.poll),
      cancellation_(options.cancellation),
      clock_(options.clock) {
  const Cutting& cutting = options.cutting;
  std::size_t staged = 0;
  for (const Channel& channel : channels) staged += staged_elements(channel, cutting);
  staging_.resize(staged * gradient_.element_bytes());
  for (const auto& worker : workers_) {
    contexts_.push_back(worker->context());
    if (options.registered && staged > 0) {
      registrations_.emplace_back(worker->context()->get(), staging_, options.place);
    }
    polled_.push_back({.fd = worker->event(), .events = POLLIN, .revents = 0});
  }
  polled_.push_back({.fd = cancellation_.fd(), .events = POLLIN, .revents = 0});

  std::span<std::byte> free = staging_;
  std::size_t operations = 0;
  with_news_.reserve(2 * channels.size());
  for (Channel& channel : channels) {
    const auto staging = free.first(staged_elements(channel, cutting) * gradient_.element_bytes());
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

void UcxEndpoint::post_send(std::size_t channel, Extent what, std::size_t operation) {
  Stream& stream = *channels_[channel].sends;
  stream.push({.extent = what, .operation = operation, .element_bytes = gradient_.element_bytes()});
  start(stream);
}

void UcxEndpoint::post_receive(std::size_t channel, Extent where, Combine how,
                               std::size_t operation) {
  Stream& stream = *channels_[channel].receives;
  stream.push({.extent = where,
               .how = how,
               .operation = operation,
               .element_bytes = gradient_.element_bytes()});
  start(stream);
}

void UcxEndpoint::start(Stream& stream) {
  Connection& connection = *channels_[stream.channel()].connection;
  while (Segment* segment = stream.start()) {
    const auto place = gradient_.bytes(segment->extent);
    const auto memory = segment->how == Combine::add ? segment->staging.first(place.size()) : place;
    if (stream.kind() == Operation::Kind::send) {
      connection.send(memory, stream.sequence(), *segment);
    } else {
      connection.receive(memory, stream.sequence(), *segment);
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
    if (++fruitless < kFruitless) {
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
    if (segment->status() != UCS_OK) return;
    if (segment->how == Combine::add) {
      const auto sums = gradient_.bytes(segment->extent);
      add(gradient_.type(), sums, segment->staging.first(sums.size()));
    }
    report(*segment);
    stream.retire();
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
