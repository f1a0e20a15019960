#include "transport/tcp/frame.h"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "transport/crc32c.h"

namespace gradwire::transport::tcp {
namespace {

// RFC 3720, appendix B.4, and the check value of every catalogue of CRCs.
TEST(Crc32c, IsThatOfTheStandard) {
  const auto crc_of = [](std::string_view text) {
    return crc32c(0, std::as_bytes(std::span(text)));
  };
  EXPECT_EQ(crc_of("123456789"), 0xe3069283u);
  EXPECT_EQ(crc_of(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc_of(std::string(32, '\xff')), 0x62a8ab43u);
  EXPECT_EQ(crc_of(""), 0u);
}

TEST(Crc32c, GoesOnWhereItStopped) {
  std::vector<std::byte> bytes(100'000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * i >> 3);
  const std::uint32_t whole = crc32c(0, bytes);
  for (const std::size_t cut : {1u, 7u, 64u, 4097u, 99'999u}) {
    EXPECT_EQ(crc32c(crc32c(0, std::span(bytes).first(cut)), std::span(bytes).subspan(cut)), whole);
  }
}

/// Moves payload through a sender's and a receiver's frame, as `change` changes what is on the wire.
/// Whether the receiver finds it right.
template <class Change>
bool arrives(Frame& sender, Frame& receiver, std::vector<std::byte> payload, Change change) {
  const std::size_t size = payload.size();
  EXPECT_EQ(sender.next_part(payload).size(), size);
  std::vector<std::byte> wire = payload;
  for (const std::byte byte : sender.check_left()) wire.push_back(byte);
  EXPECT_TRUE(sender.advance(size, size, kCheckBytes));
  sender.end();

  change(wire);
  EXPECT_EQ(receiver.payload_left(size), size);
  receiver.mix(std::span(wire).first(size));
  EXPECT_FALSE(receiver.advance(size, size, 0));
  EXPECT_EQ(receiver.payload_left(0), 0u);
  std::ranges::copy(std::span(wire).subspan(size), receiver.check_left().begin());
  EXPECT_TRUE(receiver.advance(0, 0, kCheckBytes));
  const bool is_right = receiver.is_right();
  receiver.end();
  return is_right;
}

TEST(Frame, EveryBitCounts) {
  constexpr std::size_t kSize = 12;
  for (std::size_t bit = 0; bit < 8 * (kSize + kCheckBytes); ++bit) {
    Frame sender(true);
    Frame receiver(true);
    const auto flip = [bit](std::vector<std::byte>& wire) {
      wire[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    };
    EXPECT_FALSE(arrives(sender, receiver, std::vector<std::byte>(kSize), flip)) << bit;
    EXPECT_TRUE(arrives(sender, receiver, std::vector<std::byte>(kSize), [](auto&) {}))
        << "the next one";
  }
}

// The same bytes as the frame before, where another one should be.
TEST(Frame, InTheWrongPlaceIsWrong) {
  Frame sender(true);
  Frame receiver(true);
  const std::vector<std::byte> payload(8);
  std::vector<std::byte> first;
  EXPECT_TRUE(arrives(sender, receiver, payload, [&](auto& wire) { first = wire; }));
  EXPECT_FALSE(arrives(sender, receiver, payload, [&](auto& wire) { wire = first; }));
}

TEST(Frame, EndsWithTheMessageOrWhenItIsLongEnough) {
  Frame frame(true);
  EXPECT_EQ(frame.payload_left(100), 100u);
  EXPECT_EQ(frame.payload_left(kFrameBytes + 4), kFrameBytes);
  EXPECT_FALSE(frame.advance(1000, kFrameBytes, 0));
  EXPECT_EQ(frame.payload_left(kFrameBytes), kFrameBytes - 1000);
  EXPECT_FALSE(frame.advance(kFrameBytes - 1000, kFrameBytes - 1000, 15));
  EXPECT_EQ(frame.payload_left(4), 0u) << "before its check has moved";
  EXPECT_EQ(frame.check_left().size(), 1u);
  EXPECT_TRUE(frame.advance(0, 0, 1));
  frame.end();
  EXPECT_EQ(frame.number(), 1u);
  EXPECT_EQ(frame.payload_left(4), 4u);
}

// However much of what was offered the kernel takes, the check is that of the whole payload.
TEST(Frame, IsReadAheadOfTheKernelInParts) {
  std::vector<std::byte> payload(kFrameBytes);
  for (std::size_t i = 0; i < payload.size(); ++i) payload[i] = static_cast<std::byte>(i * i >> 5);
  for (const std::size_t taken : {1000u, 70'000u, 131'072u}) {
    Frame sender(true);
    std::size_t sent = 0;
    while (sent < payload.size()) {
      const auto left = std::span(payload).subspan(sent);
      const auto part = sender.next_part(left);
      ASSERT_EQ(part.data(), left.data());
      const std::size_t now = std::min(taken, part.size());
      EXPECT_FALSE(sender.advance(now, left.size(), 0));
      sent += now;
    }
    Frame receiver(true);
    receiver.mix(payload);
    EXPECT_FALSE(receiver.advance(payload.size(), payload.size(), 0));
    std::ranges::copy(sender.check_left(), receiver.check_left().begin());
    EXPECT_TRUE(receiver.advance(0, 0, kCheckBytes));
    EXPECT_TRUE(receiver.is_right()) << taken;
  }
}

TEST(Frame, UncheckedIsPayloadAlone) {
  Frame frame(false);
  std::vector<std::byte> payload(kFrameBytes);
  EXPECT_EQ(frame.next_part(payload).size(), kFrameBytes);
  EXPECT_TRUE(frame.check_left().empty());
  EXPECT_TRUE(frame.advance(kFrameBytes, kFrameBytes, 0));
  EXPECT_TRUE(frame.is_right());
}

}  // namespace
}  // namespace gradwire::transport::tcp
