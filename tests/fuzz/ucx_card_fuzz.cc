#include <string>

#include "core/binary.h"
#include "tests/fuzz/fuzz.h"
#include "transport/ucx/card.h"

/// What ranks tell each other before they connect over UCX.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  using namespace gradwire::transport::ucx;
  const auto card = from_bytes<Card>(fuzz::text_of(data, size));
  if (!card) return 0;
  const std::string written = to_bytes(*card);
  const auto again = from_bytes<Card>(written);
  fuzz::require(again && to_bytes(*again) == written, "a card is read as it is written");
  return 0;
}
