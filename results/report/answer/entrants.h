#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "results/record/stored_run.h"
#include "results/report/answer/contest.h"

/// Rows that contests compare, and their names in sentences.
namespace gradwire::report {

/// Most winners, or clauses, that a sentence names; others are counted.
inline constexpr std::size_t kMostNamed = 3;

/// Form in which a sentence names wirings: none where all are the same, and their kind where they
/// grow.
enum class WiringName : std::uint8_t { none, kind, whole };

/// The configuration of an entrant, by its index in the contest; it lives as long as the runs do.
[[nodiscard]] const record::Configuration& configuration_of(std::span<const record::StoredRun> runs,
                                                            const Contest& contest,
                                                            std::size_t place);

/// The form in which a sentence about all these contests names their wirings.
[[nodiscard]] WiringName wiring_name(std::span<const record::StoredRun> runs,
                                     std::span<const Contest> contests);

/// The name of an entrant as the answer to the question: "mg-wfbp", "bml on bcube(3,2)", "bml on
/// bcube(3,2) with mg-wfbp".
[[nodiscard]] std::string name_of(const record::Configuration& configuration, Question question,
                                  WiringName wiring);

/// The names of a contest's entrants, in their order, for a sentence about it alone.
[[nodiscard]] std::vector<std::string> entrant_names(std::span<const record::StoredRun> runs,
                                                     const Contest& contest);

/// The compared median of an entrant, by its index: "2.345 ms".
[[nodiscard]] std::string time_of(std::span<const record::StoredRun> runs, const Contest& contest,
                                  std::size_t place);

/// The compared median of an entrant with the row's flags: "2.345 ms (flagged: few-samples)".
[[nodiscard]] std::string flagged_time(std::span<const record::StoredRun> runs,
                                       const Contest& contest, std::size_t place);

/// The backings of contests: "emulated and simulated".
[[nodiscard]] std::string backings_of(std::span<const record::StoredRun> runs,
                                      std::span<const Contest> contests);

/// Function that selects entrants of a contest, by index, whose flags are reported.
using Places = std::vector<std::size_t> (*)(const Contest& contest);

/// The entrants whose lead a tally counts: the first and the second.
[[nodiscard]] std::vector<std::size_t> first_two(const Contest& contest);

/// The fastest of a matrix: the first entrant, and at its place the schedules that may be as fast.
[[nodiscard]] std::vector<std::size_t> fastest_here(const Contest& contest);

/// The entrants that a clause about a matrix compares: fastest_here, and the best elsewhere.
[[nodiscard]] std::vector<std::size_t> best_places(const Contest& contest);

/// Counts the contests with flags on the rows at these indices: "; 2 of these rest on flagged rows
/// (few-samples)"; empty without flags.
[[nodiscard]] std::string marks_of(std::span<const record::StoredRun> runs,
                                   std::span<const Contest> contests, Places places);

}  // namespace gradwire::report
