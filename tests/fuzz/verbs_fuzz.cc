#include <string>

#include "core/binary.h"
#include "tests/fuzz/fuzz.h"
#include "transport/verbs/connection_data.h"
#include "transport/verbs/message.h"

/// What ranks tell each other of their queue pairs and memory, and the numbers that come with
/// writes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  using namespace gradwire::transport::verbs;
  const std::string text(fuzz::text_of(data, size));
  if (const auto offer = from_bytes<RankOffer>(text)) {
    fuzz::require(to_bytes(*offer) == text, "an offer is read as it is written");
  }
  fuzz::Choices choices(data, size);
  std::uint32_t bits = 0;
  for (int i = 0; i < 4; ++i) bits = (bits << 8) | choices.byte();
  if (const auto message = decode(bits)) {
    fuzz::require(encode(*message) == bits, "a message is read as it is written");
  }
  return 0;
}
