#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include <sys/socket.h>

#include "core/error.h"
#include "tests/fuzz/fuzz.h"
#include "tests/transport/sockets.h"
#include "transport/tcp/endpoint.h"

/// What a peer sends over a connection of tcp that stands: any bytes at all, to a rank that awaits
/// some messages. It takes what is right, and says that the rest is damaged or that the peer has
/// gone.
namespace gradwire::transport::tcp {
namespace {

using transport::testing::channel_of;
using transport::testing::SocketPair;

constexpr std::size_t kElements = 2048;

/// Waits as long as something moves. Whether all operations are done.
bool await(TcpEndpoint& endpoint, std::span<const std::size_t> sizes) {
  const ManualClock clock;  // so that nothing is waited for
  const Deadline now(clock, Nanoseconds::zero());
  std::size_t done = 0;
  for (auto moved = endpoint.wait(now); !moved.empty(); moved = endpoint.wait(now)) {
    for (const Progress& progress : moved) {
      fuzz::require(
          progress.operation < sizes.size() && progress.elements <= sizes[progress.operation],
          "no more arrives than was awaited");
      if (progress.elements == sizes[progress.operation]) ++done;
    }
  }
  return done == sizes.size();
}

/// Sends `gradient` in these parts, and flips one byte where `flip` is not 0.
void meddle(std::span<float> gradient, std::span<const std::size_t> sizes, std::uint8_t flip,
            fuzz::Choices& choices) {
  const Cancellation cancellation;
  SocketPair at_sender;
  SocketPair at_receiver;
  std::vector<TcpEndpoint::Channel> channels;
  channels.push_back(channel_of(std::move(at_sender.ours), true));
  TcpEndpoint sender(std::span<float>{gradient}, std::move(channels), cancellation);
  std::size_t first = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    sender.post_send(0, {.what = {.first = first, .count = sizes[i]}, .operation = i});
    first += sizes[i];
  }
  fuzz::require(await(sender, sizes), "what fits into a socket is sent");
  std::vector<std::uint8_t> bytes(kElements * sizeof(float) + 8 * kCheckBytes);
  const ssize_t got = ::recv(at_sender.theirs.get(), bytes.data(), bytes.size(), 0);
  bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  bytes.at(choices.below(bytes.size())) ^= flip;
  static_cast<void>(::send(at_receiver.theirs.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL));

  std::vector<float> received(kElements);
  channels.clear();
  channels.push_back(channel_of(std::move(at_receiver.ours), true));
  TcpEndpoint receiver(std::span<float>{received}, std::move(channels), cancellation);
  first = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    receiver.post_receive(0, {.first = first, .count = sizes[i]}, Combine::replace, i);
    first += sizes[i];
  }
  const auto all = fuzz::value_of<ChannelError>([&] { return await(receiver, sizes); });
  fuzz::require(all == (flip == 0 ? std::optional(true) : std::nullopt),
                "what was changed is damaged, and nothing else");
}

/// Any bytes, to a rank that adds or replaces.
void hear(std::span<const std::size_t> sizes, bool checked_frames, fuzz::Choices& choices) {
  const Cancellation cancellation;
  std::vector<float> gradient(kElements);
  SocketPair connection;
  std::vector<TcpEndpoint::Channel> channels;
  channels.push_back(channel_of(std::move(connection.ours), checked_frames));
  TcpEndpoint endpoint(std::span<float>{gradient}, std::move(channels), cancellation);
  std::size_t first = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Combine how = choices.flag() ? Combine::add : Combine::replace;
    endpoint.post_receive(0, {.first = first, .count = sizes[i]}, how, i);
    first += sizes[i];
  }
  while (!choices.done()) {
    const auto piece = choices.take(1 + choices.byte());
    static_cast<void>(::send(connection.theirs.get(), piece.data(), piece.size(), MSG_NOSIGNAL));
    const auto all = fuzz::value_of<ChannelError>([&] { return await(endpoint, sizes); });
    if (all.value_or(true)) return;
  }
}

}  // namespace
}  // namespace gradwire::transport::tcp

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  using namespace gradwire::transport::tcp;
  fuzz::Choices choices(data, size);
  const std::uint8_t what = choices.byte();
  std::vector<std::size_t> sizes(1 + what % 4);
  for (std::size_t& one : sizes) one = 1 + choices.below(kElements / 4);
  if (what < 128) {
    hear(sizes, what % 8 < 6, choices);
    return 0;
  }
  std::vector<float> gradient(kElements);
  for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] = static_cast<float>(i % 251);
  meddle(gradient, sizes, choices.byte(), choices);
  return 0;
}
