#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "results/record/stored_run.h"
#include "results/report/answer/lead.h"

/// Contests, the questions that runs ask: which of the rows that do the same job takes the least
/// time.
namespace gradwire::report {

/// Whether the point's times were computed, not measured.
[[nodiscard]] bool is_simulated(const record::StoredPoint& point);

enum class Question : std::uint8_t {
  place,     ///< asks for the algorithm and its wiring
  schedule,  ///< asks for the schedule
  matrix,    ///< asks for the algorithm, its wiring and the schedule
};

/// The question's name: "place", "schedule", "matrix".
[[nodiscard]] std::string_view to_string(Question question);

/// Whether elements of a row's results were found not to be the sum over all ranks.
[[nodiscard]] bool has_wrong_sums(const record::Row& row);

/// Whether a row is in answers: it took time, and as far as its results were verified they are
/// sums. A wrong sum is no synchronization, however fast.
[[nodiscard]] bool is_synchronization(const record::Row& row);

/// Entrant that the first of a contest is compared with.
struct Rival {
  std::size_t entrant = 0;  ///< index among the entrants
  Lead lead;                ///< lead of the first over it
};

/// Contest of the rows of a run that differ only in what the question asks for: the same gradients
/// between as many hosts on the same backing. All are synchronizations.
struct Contest {
  std::size_t run = 0;
  Question question = Question::place;
  bool by_iteration = false;  ///< whether iterations of training jobs are compared; else GST
  /// Indices in the run's points, by ascending median, no two with the same name, at least two.
  std::vector<std::size_t> entrants;
  Lead lead;  ///< lead of the first over the second
  /// Rivals of the first in a matrix: the best of the entrants at other places, and all with
  /// another schedule at the place of the first, the best of them first.
  std::optional<Rival> elsewhere = {};
  std::vector<Rival> rescheduled = {};
  /// Whether it counts in the sentence about all runs: it is measured, or of a run that measured
  /// none of this question, and it is in no matrix that leads.
  bool leads = false;
};

/// Finds the contests, in the order of runs and of their points; place before schedule, and
/// schedule before matrix. Rows are a matrix when they have more than one place and more than one
/// schedule.
[[nodiscard]] std::vector<Contest> contests_of(std::span<const record::StoredRun> runs);

/// The summary of the times that a contest compares.
[[nodiscard]] const record::Summary& compared_times(const Contest& contest,
                                                    const record::StoredPoint& point);

}  // namespace gradwire::report
