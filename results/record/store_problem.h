#pragma once

#include <string>

#include "core/error.h"

namespace gradwire::record {

/// Part of a run folder that could not be read, while the rest was.
struct StoreProblem {
  SourcePlace place;  ///< file, and line (1-based) in files of lines
  std::string what;

  /// The problem for people: "runs/x/samples.ndjson:12: is damaged: its checksum does not fit".
  [[nodiscard]] std::string message() const;
};

}  // namespace gradwire::record
