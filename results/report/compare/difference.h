#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// What two runs do not have in common beside their times.
namespace gradwire::report {

enum class Severity : std::uint8_t {
  refuse,  ///< the times cannot be compared
  warn,    ///< may be the reason for a difference in times, wanted or not
};

/// "refuse", "warn".
[[nodiscard]] std::string_view to_string(Severity severity);

struct Difference {
  Severity severity = Severity::warn;
  std::string what;  ///< a path in context.json, or a property of a point
  std::string a;     ///< its value in A; "nothing" where there is none
  std::string b;
  std::vector<std::string> points;  ///< those that differ, by name; empty: the runs as a whole

  /// "experiment.link.mtu: 9000 in A, 1500 in B"; "dilation: 400 in A, 200 in B (bml on bcube(3,2),
  /// lenet5, emulated, and 2 more)".
  [[nodiscard]] std::string message() const;
};

/// Notes a difference of one point; differences of several points that agree become one.
void add_point_difference(std::vector<Difference>& differences, Difference difference,
                          const std::string& point);

/// Where the contexts differ: the experiment's links and computing (refuse), its other settings,
/// the build, and how often the run was resumed (warn), and, if `measured`, the machine (warn): a
/// simulation gives the same on every machine. What is compared point by point (iterations) or is
/// known (names, texts) and what never stays the same (load, free memory) is left out. Links
/// that one of them does not name, or both, are refused.
[[nodiscard]] std::vector<Difference> context_differences(const nlohmann::json& a,
                                                          const nlohmann::json& b, bool measured);

}  // namespace gradwire::report
