#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// Compares the surroundings that ranks report (harness/workers/rank/surroundings.h) with each
/// other and with the experiment's expectations. Pure.
namespace gradwire::run {

/// One thing on which the ranks do not agree, or which is not as it should be.
struct HostDifference {
  std::string what;                   ///< "port 1: MTU"
  std::optional<std::string> wanted;  ///< absent: the same everywhere, whatever it is
  std::vector<std::string> values;    ///< by rank
  bool matters = true;                ///< a measurement with it would not be one
};

/// Needs of the experiment and the harness.
struct Wanted {
  std::size_t mtu = 0;
  bool rdma = false;
  bool gpu = false;
  std::optional<std::string> build = {};  ///< the harness's own; others may speak otherwise
};

/// Differences between ranks, those that matter first. Requires at least one rank. Throws
/// nlohmann::json::exception for what examine_surroundings did not make.
[[nodiscard]] std::vector<HostDifference> host_differences(std::span<const nlohmann::json> ranks,
                                                           const Wanted& wanted);

/// A table of what, values and who has them, the odd ones marked; a line each.
///
///     what            wanted  value  ranks
///     port 1: MTU     9000    9000   0-2
///                             1500   3      <- odd
[[nodiscard]] std::string format_differences(std::span<const HostDifference> differences);

}  // namespace gradwire::run
