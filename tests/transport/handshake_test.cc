#include "transport/tcp/handshake.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "core/error.h"
#include "tests/transport/sockets.h"

namespace gradwire::transport::tcp {
namespace {

constexpr RunKey kKey{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
constexpr RunKey kOtherKey{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17};

const Hello kHello{.lane = 3,
                   .from = Rank(258),
                   .via = Port(1),
                   .to = Rank(70000),
                   .at = Port(2),
                   .nonce = {7, 8}};

Opening opening() {
  return {.hello = encode(kHello, kKey), .challenge = {9, 10}};
}

TEST(Hello, SurvivesTheWire) {
  const auto decoded = decode(encode(kHello, kKey), kKey);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->lane, 3u);
  EXPECT_EQ(decoded->from, Rank(258));
  EXPECT_EQ(decoded->via, Port(1));
  EXPECT_EQ(decoded->to, Rank(70000));
  EXPECT_EQ(decoded->at, Port(2));
  EXPECT_EQ(decoded->nonce, kHello.nonce);
}

// A flipped bit anywhere in magic, version or the run's number is a stranger.
TEST(Hello, EveryBitOfTheRunCounts) {
  for (std::size_t byte = 0; byte < 20; ++byte) {
    for (int bit = 0; bit < 8; ++bit) {
      auto bytes = encode(kHello, kKey);
      bytes[byte] = static_cast<std::uint8_t>(bytes[byte] ^ (1 << bit));
      EXPECT_FALSE(decode(bytes, kKey)) << byte << ' ' << bit;
    }
  }
  EXPECT_FALSE(decode(encode(kHello, kOtherKey), kKey));
}

// RFC 4231, test case 2, whose key is shorter than ours by its zeros: HMAC pads keys with zeros.
TEST(Mac, IsHmacSha256) {
  const RunKey key{'J', 'e', 'f', 'e'};
  const std::string text = "what do ya want for nothing?";
  const std::vector<std::uint8_t> message(text.begin(), text.end());
  const Mac expected{0x5b, 0xdc, 0xc1, 0x46, 0xbf, 0x60, 0x75, 0x4e, 0x6a, 0x04, 0x24,
                     0x26, 0x08, 0x95, 0x75, 0xc7, 0x5a, 0x00, 0x3f, 0x08, 0x9d, 0x27,
                     0x39, 0x83, 0x9d, 0xec, 0x58, 0xb9, 0x64, 0xec, 0x38, 0x43};
  EXPECT_EQ(authenticate(key, message), expected);
}

// Rank, port, lane, run and both nonces stand in the opening; each of its bits changes both proofs.
TEST(Proof, CoversAllThatWasSaid) {
  const Mac of_caller = proof_of_caller(kKey, opening());
  const VerdictBytes of_acceptor = encode(Verdict::welcome, kKey, opening());
  const auto expect_another = [&](const Opening& changed) {
    EXPECT_FALSE(equal(proof_of_caller(kKey, changed), of_caller));
    EXPECT_FALSE(decode(of_acceptor, kKey, changed));
  };
  for (std::size_t bit = 0; bit < 8 * kHelloBytes; ++bit) {
    Opening changed = opening();
    changed.hello[bit / 8] = static_cast<std::uint8_t>(changed.hello[bit / 8] ^ (1 << bit % 8));
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
  EXPECT_FALSE(equal(proof_of_caller(kKey, opening()), proof_of_caller(kOtherKey, opening())));
  EXPECT_FALSE(decode(encode(Verdict::welcome, kOtherKey, opening()), kKey, opening()));
}

// What the one end proves with must not prove anything when it is sent back.
TEST(Proof, OfOneEndIsNotThatOfTheOther) {
  const Mac of_caller = proof_of_caller(kKey, opening());
  for (const Verdict verdict : {Verdict::welcome, Verdict::unknown, Verdict::taken}) {
    VerdictBytes reflected{static_cast<std::uint8_t>(verdict)};
    std::ranges::copy(of_caller, reflected.begin() + 1);
    EXPECT_FALSE(decode(reflected, kKey, opening()));
    EXPECT_EQ(decode(encode(verdict, kKey, opening()), kKey, opening()), verdict);
  }
}

TEST(Proof, OfARefusalIsNoWelcome) {
  VerdictBytes bytes = encode(Verdict::taken, kKey, opening());
  bytes[0] = static_cast<std::uint8_t>(Verdict::welcome);
  EXPECT_FALSE(decode(bytes, kKey, opening()));
}

TEST(Handshake, NeverSaysTheKey) {
  const auto says_it = [](std::span<const std::uint8_t> bytes) {
    return !std::ranges::search(bytes, std::span(kKey).first<4>()).empty();
  };
  EXPECT_FALSE(says_it(encode(kHello, kKey)));
  EXPECT_FALSE(says_it(proof_of_caller(kKey, opening())));
  EXPECT_FALSE(says_it(encode(Verdict::welcome, kKey, opening())));
}

TEST(Socket, IsBoundToItsDevice) {
  const PortBinding lo{.device = "lo", .address = "127.0.0.1"};
  const FileDescriptor listener = listen_on(lo);
  const FileDescriptor connection = testing::connect_from(lo, address_of(listener.get()));
  for (const int fd : {listener.get(), connection.get()}) {
    char device[16] = {};
    socklen_t size = sizeof device;
    ASSERT_EQ(::getsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, device, &size), 0);
    EXPECT_STREQ(device, "lo");
  }
}

TEST(Socket, RefusalNamesBothEnds) {
  const PortBinding lo{.device = "lo", .address = "127.0.0.1"};
  FileDescriptor listener = listen_on(lo);
  const Listening gone = address_of(listener.get());
  listener.reset();
  try {
    static_cast<void>(testing::connect_from(lo, gone));
    FAIL() << "nobody listens";
  } catch (const SystemError& error) {
    EXPECT_NE(std::string(error.what()).find("127.0.0.1 on lo to 127.0.0.1:"), std::string::npos);
  }
}

}  // namespace
}  // namespace gradwire::transport::tcp
