#include <string>

#include "results/record/line_file.h"
#include "results/record/ndjson.h"
#include "results/record/sample_line.h"
#include "results/record/store_error.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/sealed.h"

/// Lines of samples.ndjson, with a broken seal and with one that fits.
namespace gradwire::record {
namespace {

/// Made once, as for a whole file.
SampleLineReader& reader() {
  static SampleLineReader made;
  return made;
}

void read(std::string_view line) {
  static_assert(LineReader::kPadding == 64);
  const fuzz::PaddedLine padded(line);
  const auto sample = fuzz::value_of<StoreError>([&] { return reader().read(padded.text()); });
  if (!sample) return;
  fuzz::require(!broken_seal(line), "a sample has a seal that fits");
  fuzz::require(sample->times.gst.count() > 0, "a sample has a time");
}

}  // namespace
}  // namespace gradwire::record

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  const std::string_view text = fuzz::text_of(data, size);
  record::read(text);
  record::read(fuzz::sealed(text));
  return 0;
}
