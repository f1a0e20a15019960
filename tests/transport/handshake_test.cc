#include "transport/tcp/handshake.h"

#include <string>

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "core/clock.h"
#include "core/error.h"
#include "transport/tcp/socket.h"

namespace gradwire::transport::tcp {
namespace {

constexpr RunKey kKey{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

const Hello kHello{
    .key = kKey, .lane = 3, .from = Rank(258), .via = Port(1), .to = Rank(70000), .at = Port(2)};

TEST(Hello, SurvivesTheWire) {
  const auto decoded = decode(encode(kHello), kKey);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->lane, 3u);
  EXPECT_EQ(decoded->from, Rank(258));
  EXPECT_EQ(decoded->via, Port(1));
  EXPECT_EQ(decoded->to, Rank(70000));
  EXPECT_EQ(decoded->at, Port(2));
}

// A flipped bit anywhere in magic, version or key is a stranger.
TEST(Hello, EveryBitOfTheCredentialsCounts) {
  for (std::size_t byte = 0; byte < 28; ++byte) {
    for (int bit = 0; bit < 8; ++bit) {
      auto bytes = encode(kHello);
      bytes[byte] = static_cast<std::uint8_t>(bytes[byte] ^ (1 << bit));
      EXPECT_FALSE(decode(bytes, kKey)) << byte << ' ' << bit;
    }
  }
}

TEST(Socket, IsBoundToItsDevice) {
  const SteadyClock clock;
  const Deadline deadline(clock, std::chrono::seconds(5));
  const PortBinding lo{.device = "lo", .address = "127.0.0.1"};
  const FileDescriptor listener = listen_on(lo);
  const FileDescriptor connection = connect_from(lo, address_of(listener.get()), deadline);
  for (const int fd : {listener.get(), connection.get()}) {
    char device[16] = {};
    socklen_t size = sizeof device;
    ASSERT_EQ(::getsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, device, &size), 0);
    EXPECT_STREQ(device, "lo");
  }
}

TEST(Socket, RefusalNamesBothEnds) {
  const SteadyClock clock;
  const PortBinding lo{.device = "lo", .address = "127.0.0.1"};
  FileDescriptor listener = listen_on(lo);
  const Listening gone = address_of(listener.get());
  listener.reset();
  try {
    static_cast<void>(connect_from(lo, gone, Deadline(clock, std::chrono::seconds(5))));
    FAIL() << "nobody listens";
  } catch (const SystemError& error) {
    EXPECT_NE(std::string(error.what()).find("127.0.0.1 on lo to 127.0.0.1:"), std::string::npos);
  }
}

}  // namespace
}  // namespace gradwire::transport::tcp
