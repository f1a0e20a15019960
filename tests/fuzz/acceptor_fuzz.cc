#include <string>
#include <string_view>
#include <vector>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "core/binary.h"
#include "core/error.h"
#include "tests/fuzz/fuzz.h"
#include "transport/tcp/acceptor.h"

/// Callers at the doors of a rank, who say what the input has, in the pieces that it has. Nobody
/// comes in who does not know the key. Unix sockets stand for those of TCP, whose ports would run
/// out; the Acceptor asks nothing of them that these have not.
namespace gradwire::transport::tcp {
namespace {

constexpr RunKey kDoorKey{5};
const Greeting kGreeting{.lane = 2, .from = Rank(0), .via = Port(1), .to = Rank(1), .at = Port(0)};
const ChannelName kExpected{.lane = 2, .peer = {.rank = Rank(0), .via = Port(0), .at = Port(1)}};

/// A listener under a name that the kernel chooses, and that name.
struct Door {
  FileDescriptor listener;
  sockaddr_un address{};
  socklen_t size = sizeof(sa_family_t);

  Door()
      : listener(
            checked(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), "socket")) {
    address.sun_family = AF_UNIX;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    checked(::bind(listener.get(), generic, size), "bind");
    size = sizeof address;
    checked(::getsockname(listener.get(), generic, &size), "getsockname");
    checked(::listen(listener.get(), 8), "listen");
  }

  [[nodiscard]] FileDescriptor call() const {
    FileDescriptor caller(
        checked(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), "socket"));
    checked(::connect(caller.get(), reinterpret_cast<const sockaddr*>(&address), size), "connect");
    return caller;
  }
};

/// Lets the acceptor work until nothing is left to do.
void work(Acceptor& acceptor) {
  while (true) {
    std::vector<pollfd> polled;
    acceptor.watch(polled);
    const int ready = ::poll(polled.data(), polled.size(), 0);
    acceptor.work(polled);
    if (ready <= 0) return;
  }
}

void say(const FileDescriptor& caller, std::string_view bytes) {
  [[maybe_unused]] const auto sent =
      ::send(caller.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);  // it may be dropped already
}

/// A caller who has the key: says the Greeting, and answers the challenge unless the input says so.
void come_in(const Door& door, Acceptor& acceptor, bool answers) {
  const FileDescriptor caller = door.call();
  Opening opening{.greeting = encode(kGreeting, kDoorKey)};
  say(caller, opening.greeting);
  work(acceptor);
  std::string said(kChallengeBytes, '\0');
  const auto got = ::recv(caller.get(), said.data(), said.size(), 0);
  const auto challenge = decode_challenge(said);
  fuzz::require(got == static_cast<ssize_t>(said.size()) && challenge && challenge->is_of_run,
                "a rank is challenged");
  opening.challenge = challenge->nonce;
  std::string proof = to_bytes(proof_of_caller(kDoorKey, opening));
  if (!answers) proof.back() = static_cast<char>(proof.back() ^ 1);
  say(caller, proof);
  work(acceptor);
  fuzz::require(acceptor.take_admitted().size() == (answers ? 1U : 0U),
                "who has the key comes in, and nobody else");
}

}  // namespace
}  // namespace gradwire::transport::tcp

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  using namespace gradwire::transport;
  using namespace gradwire::transport::tcp;
  using Acceptor = gradwire::transport::tcp::Acceptor;
  fuzz::Choices choices(data, size);
  Door door;
  FileDescriptor listener(::dup(door.listener.get()));
  std::vector<FileDescriptor> listeners;
  listeners.push_back(std::move(listener));
  ManualClock clock;
  Acceptor acceptor(std::move(listeners),
                    {.self = Rank(1), .key = kDoorKey, .expected = {kExpected}, .clock = clock});
  const bool ends_with_rank = choices.flag();
  const bool has_key = choices.flag();
  const std::string right = encode(kGreeting, kDoorKey);
  std::vector<FileDescriptor> callers;
  for (int turns = 0; !choices.done() && turns < 16; ++turns) {
    const std::uint8_t what = choices.byte();
    if (callers.empty() || what % 4 == 0) callers.push_back(door.call());
    if (what % 4 == 1) clock.advance(std::chrono::milliseconds(what * 10));
    if (what % 4 == 2) say(callers.back(), right.substr(0, what % (kGreetingBytes + 1)));
    const auto words = choices.take(choices.byte());
    say(callers.back(), fuzz::text_of(words.data(), words.size()));
    if (what >= 128) callers.pop_back();
    work(acceptor);
  }
  fuzz::require(acceptor.take_admitted().empty(), "nobody comes in without the key");
  if (ends_with_rank) come_in(door, acceptor, has_key);
  return 0;
}
