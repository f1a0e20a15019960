#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "results/record/sample.h"

/// Samples as lines of samples.ndjson; times in nanoseconds as the clock saw them (*_ns), with the
/// dilation beside them. The fields are those of results/schema/sample.schema.json.
namespace gradwire::record {

/// A sealed line (sealed_line.h), without its newline.
[[nodiscard]] std::string sample_line(const Sample& sample);

/// What a row needs of a line.
struct StoredSample {
  std::string key;
  std::size_t attempt = 0;
  std::size_t iteration = 0;
  IterationTimes times;
};

/// Reads many lines fast: it looks at what a row needs, and skips the rest.
class SampleLineReader {
 public:
  SampleLineReader();
  ~SampleLineReader();

  /// Reads a line that LineReader::kPadding readable bytes follow. Throws StoreError for a broken
  /// seal, a newer version, and whatever is not a sample. Not thread-safe.
  [[nodiscard]] StoredSample read(std::string_view line);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace gradwire::record
