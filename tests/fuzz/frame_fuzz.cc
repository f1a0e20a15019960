#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "tests/fuzz/fuzz.h"
#include "transport/tcp/frame.h"

/// Frames between a sender and a receiver that move in pieces of any size, with a byte changed,
/// or a frame left out or said twice: what is not as it was sent fails its check.
namespace gradwire::transport::tcp {
namespace {

/// All bytes of one message's frames. The payload is what the input has.
std::vector<std::byte> sent(Frame& frame, std::span<std::byte> message) {
  std::vector<std::byte> bytes;
  for (std::size_t done = 0; done < message.size();) {
    const std::size_t left = frame.payload_left(message.size() - done);
    const auto part = frame.next_part(message.subspan(done, left));
    const bool whole = part.size() == left;
    const auto check = whole ? frame.check_left() : std::span<std::byte>{};
    bytes.insert(bytes.end(), part.begin(), part.end());
    bytes.insert(bytes.end(), check.begin(), check.end());
    done += part.size();
    if (frame.advance(part.size(), left, check.size())) frame.end();
  }
  return bytes;
}

/// Receives a message of so many bytes in pieces; whether every frame was right.
bool is_received(Frame& frame, std::span<const std::byte> bytes, std::size_t size,
                 fuzz::Choices& choices) {
  for (std::size_t done = 0; done < size;) {
    bool complete = false;
    while (!complete) {
      const std::size_t left = frame.payload_left(size - done);
      const auto some = bytes.first(std::min(bytes.size(), 1 + choices.below(4096)));
      fuzz::require(!some.empty(), "no more is awaited than was sent");
      const auto payload = some.first(std::min(left, some.size()));
      frame.mix(payload);
      const auto check = frame.check_left();
      const auto of_check =
          some.subspan(payload.size(), std::min(check.size(), some.size() - payload.size()));
      std::ranges::copy(of_check, check.begin());
      complete = frame.advance(payload.size(), left, of_check.size());
      bytes = bytes.subspan(payload.size() + of_check.size());
      done += payload.size();
    }
    if (!frame.is_right()) return false;
    frame.end();
  }
  return true;
}

}  // namespace
}  // namespace gradwire::transport::tcp

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  using namespace gradwire::transport::tcp;
  fuzz::Choices choices(data, size);
  const int fault = choices.byte() % 4;
  const std::size_t where = choices.below(65536);
  const auto flip = static_cast<std::byte>(1 + choices.below(255));
  const auto first = choices.take(1 + choices.byte());
  const auto second = choices.take(1 + choices.byte());
  if (first.empty() || second.empty()) return 0;
  Frame sender(true);
  std::vector<std::byte> one(first.size());
  std::vector<std::byte> other(second.size());
  std::memcpy(one.data(), first.data(), first.size());
  std::memcpy(other.data(), second.data(), second.size());
  std::vector<std::byte> bytes = sent(sender, one);
  const std::vector<std::byte> next = sent(sender, other);
  if (fault == 1) bytes[where % bytes.size()] ^= flip;
  Frame receiver(true);
  const bool right = is_received(receiver, bytes, one.size(), choices);
  fuzz::require(right == (fault != 1), "a frame is right unless it was changed");
  if (!right) return 0;
  if (fault == 2) {  // the first again
    fuzz::require(!is_received(receiver, bytes, one.size(), choices), "no frame comes twice");
  } else {
    fuzz::require(is_received(receiver, next, other.size(), choices), "the next frame is right");
  }
  return 0;
}
