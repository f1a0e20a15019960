#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// Differences of two runs beside their times.
namespace gradwire::report {

enum class Severity : std::uint8_t {
  refuse,  ///< times cannot be compared
  warn,    ///< may explain a difference in times, wanted or not
};

/// The severity's name: "refuse", "warn".
[[nodiscard]] std::string_view to_string(Severity severity);

struct Difference {
  Severity severity = Severity::warn;
  std::string what;  ///< path in context.json, or property of a point
  std::string a;     ///< value in A; "nothing" where there is none
  std::string b;
  std::vector<std::string> points;  ///< names of the points that differ; empty: the runs as a whole

  /// The difference for people: "experiment.link.mtu: 9000 in A, 1500 in B"; "dilation: 400 in A,
  /// 200 in B (bml on bcube(3,2), lenet5, emulated, and 2 more)".
  [[nodiscard]] std::string message() const;
};

/// Adds a difference of one point; equal differences of several points become one.
void add_point_difference(std::vector<Difference>& differences, Difference difference,
                          const std::string& point);

/// Finds the differences of two contexts: the experiment's links and computing (refuse), its other
/// settings, the build, and the number of resumptions (warn), and, if `measured`, the machine
/// (warn), as a simulation gives the same on every machine. Leaves out values that are compared
/// point by point (iterations), that are known (names, texts) or that never stay the same (load,
/// free memory). Links that at least one of the contexts does not name are refused.
[[nodiscard]] std::vector<Difference> context_differences(const nlohmann::json& a,
                                                          const nlohmann::json& b, bool measured);

}  // namespace gradwire::report
