#include <string>

#include "core/error.h"
#include "core/text/spec.h"
#include "core/units.h"
#include "tests/fuzz/fuzz.h"

/// Names with arguments, as experiment files and command lines have them, and amounts with units.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  const std::string_view text = fuzz::text_of(data, size);
  const auto spec = fuzz::value_of<InputError>([&] { return text::parse_spec(text); });
  if (spec) {
    fuzz::require(text::parse_spec(to_string(*spec)) == *spec, "a Spec is read as it is written");
  }
  for (const auto form : {text::Parentheses::list, text::Parentheses::path}) {
    static_cast<void>(fuzz::value_of<InputError>([&] { return text::parse_call(text, form); }));
  }
  const auto duration = fuzz::value_of<InputError>([&] { return parse_duration(text); });
  fuzz::require(!duration || *duration >= Nanoseconds::zero(), "a duration is not negative");
  const auto rate = fuzz::value_of<InputError>([&] { return parse_bit_rate(text); });
  fuzz::require(!rate || (rate->is_limited() && rate->bits_per_second >= 1), "a rate has bounds");
  const auto bytes = fuzz::value_of<InputError>([&] { return parse_bytes(text); });
  if (bytes) {
    fuzz::require(parse_bytes(std::to_string(*bytes)) == *bytes, "a size is a number of bytes");
  }
  return 0;
}
