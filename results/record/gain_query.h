#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gradwire::record {

/// Which jobs an experiment wants compared (its key `compare`): how much shorter the iterations of
/// one algorithm or schedule are than those of others.
struct GainQuery {
  enum class By : std::uint8_t { algorithm, schedule } by = By::algorithm;
  std::string of;                    ///< in its one spelling, as all below
  std::vector<std::string> against;  ///< at least one
  std::string published;             ///< what a paper says of it; may be empty
  std::string source;                ///< where the paper says so; may be empty
};

}  // namespace gradwire::record
