#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "harness/experiment/experiment.h"

namespace gradwire::experiment {

/// Slower than named by a factor >= 1, or by what the machine needs.
struct Dilation {
  std::optional<double> factor;  ///< absent: auto
};

/// Settings that the command line gives instead of the file; absent means the file decides.
struct Overrides {
  std::optional<std::size_t> warmup;
  std::optional<std::size_t> iterations;
  std::optional<Dilation> dilation;
  std::optional<BitRate> rate;
  std::optional<std::uint64_t> seed;
  std::optional<Nanoseconds> timeout;
  std::vector<record::Backing> backings;  ///< empty: the file decides
  std::optional<execution::TransportKind> transport;
  std::optional<std::string> inventory;
};

/// The experiment as the command line wants it.
[[nodiscard]] Experiment apply(Experiment experiment, const Overrides& overrides);

/// The overrides given: {"iterations": 3, "rate_bits_per_s": 1e10}.
[[nodiscard]] nlohmann::json to_json(const Overrides& overrides);
/// Throws nlohmann::json::exception or InputError for what to_json did not make.
[[nodiscard]] Overrides overrides_from_json(const nlohmann::json& json);

/// Joins what was asked for when a run began with what is asked for when it is resumed: more
/// iterations, warm-up or patience. The inventory must be named again. Throws InputError for
/// anything else, which would change its points.
[[nodiscard]] Overrides resumed(Overrides begun, const Overrides& asked);

}  // namespace gradwire::experiment
