#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "harness/experiment/yaml_reader.h"
#include "harness/report/result.h"

/// How much shorter one algorithm's or schedule's job is than others': the key `compare`.
namespace gradwire::harness {

struct Comparison {
  enum class By : std::uint8_t { algorithm, schedule } by = By::algorithm;
  std::string of;                    ///< in its one spelling, as all below
  std::vector<std::string> against;  ///< at least one
  std::string published;             ///< may be empty
  std::string source;                ///< likewise
};

/// What the points of an experiment have to be compared, in their one spelling.
struct ComparedPoints {
  std::set<std::string> algorithms;
  std::set<std::string> schedules;
};

/// The key's value. `points` are the algorithms or schedules of the experiment's points, by what is
/// compared. Throws InputError with its place, also for one that no point has.
[[nodiscard]] Comparison read_comparison(const YamlReader& reader, const SourcePlace& place,
                                         const ComparedPoints& points);

/// One row against another.
struct Gain {
  const Row* of;
  const Row* against;
  double percent;  ///< 100 (1 - JCT of / JCT against), by the medians of their iterations
};

/// All pairs of rows that agree in workload, batch and whatever is not compared (the wiring may
/// differ with the algorithm). The rows must outlive the result.
[[nodiscard]] std::vector<Gain> gains(const Comparison& comparison, std::span<const Row> rows);

/// Lines for people, with what was published beside them.
[[nodiscard]] std::string format_gains(const Comparison& comparison, std::span<const Row> rows);

[[nodiscard]] nlohmann::json to_json(const Comparison& comparison, std::span<const Row> rows);

}  // namespace gradwire::harness
