#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace gradwire::transport::tcp {

/// Most payload bytes of a frame: large enough to make system calls and wake-ups rare, small enough
/// to be still in the second-level cache when added. Nine ranks on two cores without shapers took
/// 41 ms with 64 KiB, 35 with 128, 32 with this; shaped links showed no difference.
inline constexpr std::size_t kFrameBytes = 256 * 1024;
/// Bytes of the check behind each frame. With 4 bytes alone, the kernel would copy all data behind
/// it between addresses that are not aligned to each other, which took 15 % more of the processor.
inline constexpr std::size_t kCheckBytes = 16;

/// Position of one direction of a channel within its frames. A message is cut into frames of
/// kFrameBytes, of which the last may be shorter; both ends know its length, so a frame has no
/// header. Behind its payload stands its check, little-endian: the frame's number in the channel (8
/// bytes), the number of payload bytes (4), and the CRC32C of payload, number and length (4). So a
/// frame that is lost, repeated or in another's place fails like one that was changed. Unchecked
/// frames are payload alone.
class Frame {
 public:
  explicit Frame(bool checked) : checked_(checked) {}

  /// Payload bytes that the frame still takes of a message with `message_left` bytes left.
  [[nodiscard]] std::size_t payload_left(std::size_t message_left) const;

  /// The part of `payload`, all that is left, that a sender sends next. The check comes behind it
  /// when it is all of it. It was just read for the check, so it is in the cache when the kernel
  /// copies it.
  [[nodiscard]] std::span<std::byte> next_part(std::span<std::byte> payload);
  /// Adds received payload to the expected check.
  void mix(std::span<const std::byte> payload);

  /// The bytes of the check that have not moved: a sender sends them behind the last payload, a
  /// receiver reads them there. Empty when frames are unchecked.
  [[nodiscard]] std::span<std::byte> check_left();

  /// Notes that `payload` bytes have moved, with `left` from payload_left(), and then `check` bytes
  /// of the check. True when the frame is complete; end() must follow then.
  [[nodiscard]] bool advance(std::size_t payload, std::size_t left, std::size_t check);
  /// Whether a complete received frame's check matches its payload.
  [[nodiscard]] bool is_right() const;
  /// Ends a complete frame and begins the next.
  void end();

  /// Number of frames before this one.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  /// The CRC32C that a complete received frame should have; arrived_crc() is the one that came.
  [[nodiscard]] std::uint32_t expected_crc() const { return crc_of(expected_check()); }
  [[nodiscard]] std::uint32_t arrived_crc() const { return crc_of(check_); }

 private:
  using Check = std::array<std::byte, kCheckBytes>;

  /// The check of the payload that was mixed in.
  [[nodiscard]] Check expected_check() const;
  [[nodiscard]] static std::uint32_t crc_of(const Check& check);

  bool checked_;
  bool is_full_ = false;     ///< whether all payload has moved
  std::size_t payload_ = 0;  ///< bytes that have moved
  std::size_t mixed_ = 0;    ///< bytes that crc_ covers
  std::uint32_t crc_ = 0;
  Check check_{};
  std::size_t check_moved_ = 0;
  std::uint64_t number_ = 0;
};

}  // namespace gradwire::transport::tcp
