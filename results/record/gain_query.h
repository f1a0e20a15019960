#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gradwire::record {

/// Comparison of jobs that an experiment asks for (its key `compare`): how much shorter the
/// iterations of one algorithm or schedule are than those of others.
struct GainQuery {
  enum class By : std::uint8_t { algorithm, schedule } by = By::algorithm;
  std::string of;                    ///< canonical spelling, as those below
  std::vector<std::string> against;  ///< at least one
  std::string published;             ///< a paper's statement; may be empty
  std::string source;                ///< place where the paper makes it; may be empty
};

}  // namespace gradwire::record
