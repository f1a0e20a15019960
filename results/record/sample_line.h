#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "results/record/sample.h"

/// Samples as lines of samples.ndjson. Times are wall times in nanoseconds (*_ns), with the
/// dilation beside them. results/schema/sample.schema.json has the fields.
namespace gradwire::record {

/// The sample as a sealed line (sealed_line.h), without its newline.
[[nodiscard]] std::string sample_line(const Sample& sample);

/// Values of a sample's line that a row needs.
struct StoredSample {
  std::string key;
  std::size_t attempt = 0;
  std::size_t iteration = 0;
  IterationTimes times;
};

/// Fast reader of many lines, which parses only what a row needs and skips the rest.
class SampleLineReader {
 public:
  SampleLineReader();
  ~SampleLineReader();

  /// Reads a line, which must be followed by LineReader::kPadding readable bytes. Throws StoreError
  /// for a broken seal, a newer version, and anything but a sample. Not thread-safe.
  [[nodiscard]] StoredSample read(std::string_view line);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace gradwire::record
