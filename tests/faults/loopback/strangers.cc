#include "tests/faults/loopback/strangers.h"

#include <algorithm>
#include <array>
#include <chrono>

#include <poll.h>
#include <sys/socket.h>

#include "core/binary.h"
#include "core/error.h"
#include "tests/faults/loopback/dice.h"
#include "tests/transport/sockets.h"
#include "transport/handshake.h"

namespace gradwire::faults {
namespace {

using namespace std::chrono_literals;
using namespace transport;

const PortBinding kLoopback{.device = "lo", .address = "127.0.0.1"};
/// For as many ports as a claim may name.
const std::vector<PortBinding> kPorts(16, kLoopback);
/// How long somebody with another run's key calls again when the door is shut.
constexpr Nanoseconds kStubborn = 60ms;
constexpr RunKey kOtherKey{0x5a, 0x17};

std::string greeting_of(const Visit& visit, const RunKey& key) {
  const Peer& peer = visit.channel.peer;
  return encode(Greeting{.lane = static_cast<std::uint32_t>(visit.channel.lane),
                         .from = visit.claimed,
                         .via = peer.via,
                         .to = peer.rank,
                         .at = peer.at,
                         .nonce = random_nonce()},
                key);
}

std::string noise(Dice& dice, std::size_t bytes) {
  std::string text(bytes, '\0');
  for (char& byte : text) byte = static_cast<char>(dice.below(256));
  return text;
}

/// Greeting and proof as they were heard when another connection was made with another challenge.
std::string recorded(const Visit& visit, const RunKey& key) {
  const Opening opening{.greeting = greeting_of(visit, key), .challenge = random_nonce()};
  return opening.greeting + to_bytes(proof_of_caller(key, opening));
}

/// What a stranger says; `kind` decides.
std::string words_of(std::size_t kind, Dice& dice, const Visit& visit, const RunKey& key) {
  switch (kind) {
    case 0:
      return "";
    case 1:
      return noise(dice, dice.between(1, 7));
    case 2:
      return noise(dice, dice.between(8, 300));
    case 3:
      return "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    case 4:  // the beginning of a TLS ClientHello
      return std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) + noise(dice, 200);
    case 5:
      return "GRADWIRE" + noise(dice, dice.below(48));
    case 6:
      return recorded(visit, key);
    case 7:
      return greeting_of(visit, kOtherKey) + noise(dice, sizeof(Mac));
    case 8:
      return std::string(dice.between(1, 100'000), '\xff');
    default:  // a Greeting as it must be, and a proof without the key
      return greeting_of(visit, key) + noise(dice, sizeof(Mac));
  }
}
constexpr std::size_t kKinds = 10;

}  // namespace

Strangers::Strangers(const Visit& visit, const RunKey& key, Incident& incident)
    : visit_(visit), key_(key), incident_(incident) {}

Strangers::~Strangers() {
  over_.request();
  if (thread_.joinable()) thread_.join();
}

void Strangers::come(const std::vector<tcp::Listening>& doors) {
  incident_.note();
  if (visit_.who == Visit::Who::strangers || visit_.who == Visit::Who::crowd) {
    bring_all(doors);
  } else {
    claim(doors.at(visit_.channel.peer.at.index()));
  }
}

void Strangers::bring_all(const std::vector<tcp::Listening>& doors) {
  Dice dice(visit_.seed, 0);
  for (std::size_t i = 0; i < visit_.count; ++i) {
    const bool is_crowd = visit_.who == Visit::Who::crowd;
    const std::size_t kind = is_crowd ? 0 : dice.below(kKinds);
    const std::string words = words_of(kind, dice, visit_, key_);
    FileDescriptor connection = transport::testing::connect_to(dice.one_of(doors));
    static_cast<void>(::send(connection.get(), words.data(), words.size(), MSG_NOSIGNAL));
    const bool leaves = !is_crowd && dice.below(3) == 0;
    if (!leaves) connections_.push_back(std::move(connection));
  }
  const tcp::Listening door = dice.one_of(doors);
  connections_.push_back(transport::testing::connect_to(door));
  thread_ = std::thread(&Strangers::linger, this, connections_.back().get(),
                        greeting_of(visit_, key_), door);
}

void Strangers::linger(int connection, const std::string& words, const tcp::Listening& door) {
  const auto pause = [this](int milliseconds) {
    pollfd waiter{.fd = over_.fd(), .events = POLLIN, .revents = 0};
    ::poll(&waiter, 1, milliseconds);
  };
  for (std::size_t i = 0; i < words.size() && !over_.requested(); ++i) {
    if (::send(connection, words.data() + i, 1, MSG_NOSIGNAL) != 1) break;
    pause(1);
  }
  while (!over_.requested()) {
    try {
      const FileDescriptor visitor = transport::testing::connect_to(door);
      static_cast<void>(::send(visitor.get(), words.data(), words.size(), MSG_NOSIGNAL));
      pause(5);
    } catch (const SystemError&) {  // nobody listens any more
      pause(5);
    }
  }
}

void Strangers::claim(const tcp::Listening& door) {
  const SteadyClock clock;
  const RunKey& key = visit_.who == Visit::Who::other_run ? kOtherKey : key_;
  tcp::Caller caller({.self = visit_.claimed, .key = key, .ports = kPorts, .clock = clock});
  caller.call(visit_.channel, door);
  const Deadline deadline(clock, visit_.who == Visit::Who::other_run ? kStubborn : 5s);
  try {
    while (!caller.is_done()) {
      std::vector<pollfd> polled;
      caller.watch(polled);
      ::poll(polled.data(), polled.size(), 2);
      caller.work(polled);
      if (deadline.passed() && !caller.is_done()) {
        answer_ = caller.obstacle(visit_.channel);
        return;
      }
    }
    granted_ = caller.take_connected();
  } catch (const FabricError& error) {
    answer_ = error.detail();
  }
}

}  // namespace gradwire::faults
