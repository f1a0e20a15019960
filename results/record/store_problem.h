#pragma once

#include <string>

#include "core/error.h"

namespace gradwire::record {

/// Something in a run folder that could not be read. The rest was.
struct StoreProblem {
  SourcePlace place;  ///< file, and line (1-based) where it has lines
  std::string what;

  /// "runs/x/samples.ndjson:12: is damaged: its checksum does not fit"
  [[nodiscard]] std::string message() const;
};

}  // namespace gradwire::record
