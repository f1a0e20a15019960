#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "results/record/stored_run.h"
#include "results/report/answer/contest.h"

/// The rows that contests compare, and how sentences name them.
namespace gradwire::report {

/// So many winners, or clauses, a sentence has; others are counted.
inline constexpr std::size_t kMostNamed = 3;

/// How wirings are named: not at all where all are the same, and by their kind where they grow.
enum class WiringName : std::uint8_t { none, kind, whole };

/// Of the entrant at this place of a contest; it lives as long as the runs do.
[[nodiscard]] const record::Configuration& configuration_of(std::span<const record::StoredRun> runs,
                                                            const Contest& contest,
                                                            std::size_t place);

/// How a sentence about all these contests names their wirings.
[[nodiscard]] WiringName wiring_name(std::span<const record::StoredRun> runs,
                                     std::span<const Contest> contests);

/// What an entrant answers to the question: "mg-wfbp", "bml on bcube(3,2)", "bml on bcube(3,2) with
/// mg-wfbp".
[[nodiscard]] std::string name_of(const record::Configuration& configuration, Question question,
                                  WiringName wiring);

/// The names of a contest's entrants, in their order, as a sentence about it alone has them.
[[nodiscard]] std::vector<std::string> entrant_names(std::span<const record::StoredRun> runs,
                                                     const Contest& contest);

/// The median that a contest compares, of the entrant at this place: "2.345 ms".
[[nodiscard]] std::string time_of(std::span<const record::StoredRun> runs, const Contest& contest,
                                  std::size_t place);

/// The same with the row's flags: "2.345 ms (flagged: few-samples)".
[[nodiscard]] std::string flagged_time(std::span<const record::StoredRun> runs,
                                       const Contest& contest, std::size_t place);

/// The backings of contests: "emulated and simulated".
[[nodiscard]] std::string backings_of(std::span<const record::StoredRun> runs,
                                      std::span<const Contest> contests);

/// Places of entrants, for their flags to be told.
using Places = std::vector<std::size_t> (*)(const Contest& contest);

/// Those whose lead a tally counts: the first and the second.
[[nodiscard]] std::vector<std::size_t> first_two(const Contest& contest);

/// Of a matrix: the first, and at its place the schedules that may be as fast.
[[nodiscard]] std::vector<std::size_t> fastest_here(const Contest& contest);

/// Those that a clause about a matrix compares: fastest_here, and the best elsewhere.
[[nodiscard]] std::vector<std::size_t> best_places(const Contest& contest);

/// What the rows at these places have flags of, contest by contest: "; 2 of these rest on flagged
/// rows (few-samples)"; empty without flags.
[[nodiscard]] std::string marks_of(std::span<const record::StoredRun> runs,
                                   std::span<const Contest> contests, Places places);

}  // namespace gradwire::report
