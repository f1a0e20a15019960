#include "transport/handshake.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "core/binary.h"
#include "core/error.h"
#include "tests/transport/sockets.h"

namespace gradwire::transport {
namespace {

constexpr RunKey kKey{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
constexpr RunKey kOtherKey{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17};

const Greeting kGreeting{.lane = 3,
                         .from = Rank(258),
                         .via = Port(1),
                         .to = Rank(70000),
                         .at = Port(2),
                         .ranks = 9,
                         .purpose = Purpose::store,
                         .nonce = {7, 8}};

Opening opening() {
  return {.greeting = encode(kGreeting, kKey), .challenge = {9, 10}};
}

std::string flipped(std::string bytes, std::size_t bit) {
  bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
  return bytes;
}

TEST(Greeting, SurvivesTheWire) {
  EXPECT_EQ(decode_greeting(encode(kGreeting, kKey), kKey), kGreeting);
}

// A flipped bit anywhere in magic, version or the run's number is a stranger.
TEST(Greeting, EveryBitOfTheRunCounts) {
  const std::string bytes = encode(kGreeting, kKey);
  for (std::size_t bit = 0; bit < 8 * 20; ++bit) {
    EXPECT_FALSE(decode_greeting(flipped(bytes, bit), kKey)) << bit;
  }
  EXPECT_FALSE(decode_greeting(encode(kGreeting, kOtherKey), kKey));
}

// Of another run, but not of another version or program.
TEST(Greeting, OfAnotherRunIsOne) {
  const std::string bytes = encode(kGreeting, kOtherKey);
  EXPECT_TRUE(is_greeting(bytes));
  EXPECT_FALSE(is_greeting(flipped(bytes, 64)));
  EXPECT_FALSE(is_greeting(bytes.substr(1)));
  EXPECT_FALSE(is_greeting("GRADWIRE"));
  EXPECT_FALSE(is_greeting("GET / HTTP/1.1"));
}

TEST(Greeting, IsAnsweredByTheOtherEndOfItsChannel) {
  const Greeting answer = answering(kGreeting, {4});
  EXPECT_EQ(answer.from, kGreeting.to);
  EXPECT_EQ(answer.via, kGreeting.at);
  EXPECT_EQ(answer.nonce, Nonce{4});
  EXPECT_EQ(answering(answer, kGreeting.nonce), kGreeting);
}

// RFC 4231, test case 2, whose key is shorter than ours by its zeros: HMAC pads keys with zeros.
TEST(Mac, IsHmacSha256) {
  const RunKey key{'J', 'e', 'f', 'e'};
  const std::string_view text = "what do ya want for nothing?";
  const Mac expected{0x5b, 0xdc, 0xc1, 0x46, 0xbf, 0x60, 0x75, 0x4e, 0x6a, 0x04, 0x24,
                     0x26, 0x08, 0x95, 0x75, 0xc7, 0x5a, 0x00, 0x3f, 0x08, 0x9d, 0x27,
                     0x39, 0x83, 0x9d, 0xec, 0x58, 0xb9, 0x64, 0xec, 0x38, 0x43};
  EXPECT_EQ(authenticate(key, text), expected);
}

// Rank, port, lane, run and both nonces stand in the opening; each of its bits changes both proofs.
TEST(Proof, CoversAllThatWasSaid) {
  const std::string of_caller = to_bytes(proof_of_caller(kKey, opening()));
  const std::string of_acceptor = encode(Verdict{}, kKey, opening());
  EXPECT_TRUE(is_proof_of_caller(of_caller, kKey, opening()));
  EXPECT_EQ(decode_verdict(of_acceptor, kKey, opening()), Verdict{});
  const auto expect_another = [&](const Opening& changed) {
    EXPECT_FALSE(is_proof_of_caller(of_caller, kKey, changed));
    EXPECT_FALSE(decode_verdict(of_acceptor, kKey, changed));
  };
  for (std::size_t bit = 0; bit < 8 * kGreetingBytes; ++bit) {
    Opening changed = opening();
    changed.greeting = flipped(changed.greeting, bit);
    expect_another(changed);
  }
  for (std::size_t bit = 0; bit < 8 * sizeof(Nonce); ++bit) {
    Opening changed = opening();
    changed.challenge[bit / 8] =
        static_cast<std::uint8_t>(changed.challenge[bit / 8] ^ (1 << bit % 8));
    expect_another(changed);
  }
}

TEST(Proof, TakesTheKey) {
  const std::string of_another = to_bytes(proof_of_caller(kOtherKey, opening()));
  EXPECT_FALSE(is_proof_of_caller(of_another, kKey, opening()));
  EXPECT_FALSE(decode_verdict(encode(Verdict{}, kOtherKey, opening()), kKey, opening()));
}

// What the one end proves with must not prove anything when it is sent back.
TEST(Proof, OfOneEndIsNotThatOfTheOther) {
  const std::string of_caller = to_bytes(proof_of_caller(kKey, opening()));
  for (const Judgement judgement :
       {Judgement::welcome, Judgement::unknown, Judgement::taken, Judgement::others}) {
    const Verdict verdict{.judgement = judgement, .ranks = 7, .job = {1, 2}};
    const std::string bytes = encode(verdict, kKey, opening());
    EXPECT_EQ(decode_verdict(bytes, kKey, opening()), verdict);
    EXPECT_FALSE(decode_verdict(to_bytes(verdict) + of_caller, kKey, opening()));
    EXPECT_FALSE(is_proof_of_caller(bytes.substr(bytes.size() - sizeof(Mac)), kKey, opening()));
  }
}

TEST(Proof, OfAVerdictCoversAllOfIt) {
  const std::string bytes = encode({.judgement = Judgement::taken, .ranks = 5}, kKey, opening());
  ASSERT_EQ(bytes.size(), kVerdictBytes);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    EXPECT_FALSE(decode_verdict(flipped(bytes, bit), kKey, opening())) << bit;
  }
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode_verdict(bytes.substr(0, size), kKey, opening())) << size;
  }
}

TEST(Handshake, NeverSaysTheKey) {
  const std::string beginning(kKey.begin(), kKey.begin() + 4);
  for (const std::string& said :
       {encode(kGreeting, kKey), to_bytes(proof_of_caller(kKey, opening())),
        encode(Verdict{}, kKey, opening())}) {
    EXPECT_EQ(said.find(beginning), std::string::npos);
  }
}

TEST(Socket, IsBoundToItsDevice) {
  const PortBinding lo{.device = "lo", .address = "127.0.0.1"};
  const FileDescriptor listener = tcp::listen_on(lo);
  const FileDescriptor connection = testing::connect_from(lo, tcp::address_of(listener.get()));
  for (const int fd : {listener.get(), connection.get()}) {
    char device[16] = {};
    socklen_t size = sizeof device;
    ASSERT_EQ(::getsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, device, &size), 0);
    EXPECT_STREQ(device, "lo");
  }
}

TEST(Socket, RefusalNamesBothEnds) {
  const PortBinding lo{.device = "lo", .address = "127.0.0.1"};
  FileDescriptor listener = tcp::listen_on(lo);
  const tcp::Listening gone = tcp::address_of(listener.get());
  listener.reset();
  try {
    static_cast<void>(testing::connect_from(lo, gone));
    FAIL() << "nobody listens";
  } catch (const SystemError& error) {
    EXPECT_NE(std::string(error.what()).find("127.0.0.1 on lo to 127.0.0.1:"), std::string::npos);
  }
}

}  // namespace
}  // namespace gradwire::transport
