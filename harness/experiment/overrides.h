#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "harness/experiment/experiment.h"

namespace CLI {
class App;
}

namespace gradwire::harness {

/// Slower than named by a factor >= 1, or by what the machine needs.
struct Dilation {
  std::optional<double> factor;  ///< absent: auto
};

/// What the command line says instead of the file; absent means the file decides.
struct Overrides {
  std::optional<std::size_t> warmup;
  std::optional<std::size_t> iterations;
  std::optional<Dilation> dilation;
  std::optional<BitRate> rate;
  std::optional<std::uint64_t> seed;
  std::optional<Nanoseconds> timeout;
  std::vector<std::string> backings;  ///< empty: the file decides
};

/// Adds -w/--warmup, -n/--iterations, --dilation, --rate, --seed, --timeout and --backing, which
/// accept what
/// the experiment file accepts for these keys. `overrides` must outlive the parsing.
void add_override_options(CLI::App& app, Overrides& overrides);

/// The experiment as the command line wants it.
[[nodiscard]] Experiment apply(Experiment experiment, const Overrides& overrides);

/// The overrides given, by the file's keys: {"iterations": 3, "rate": "10 Gbit/s"}.
[[nodiscard]] nlohmann::json to_json(const Overrides& overrides);

}  // namespace gradwire::harness
