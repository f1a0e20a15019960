#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.h"
#include "results/record/row.h"

/// Finding a number among stored runs.
namespace gradwire::claims {

/// One stored run, as far as claims are concerned.
struct Run {
  std::string experiment;  ///< its name
  BitRate payload;         ///< rate of gradient on a link of speed 1, undilated
  Seconds startup{};       ///< start-up time of every message, as the experiment asks for
  std::vector<record::Row> rows;
};

/// Choice of a row. What is empty or 0 is not looked at; of several that fit the first is taken.
struct Wanted {
  std::string algorithm = {};
  std::string wiring = {};
  std::string schedule = {};
  std::string workload = {};
  std::uint64_t batch = 0;
  std::uint64_t elements = 0;
};

/// A row, with what its times are measured in.
struct Result {
  const record::Row* row = nullptr;
  BitRate payload;
  Seconds startup{};

  /// Median synchronization time, in seconds.
  [[nodiscard]] double gst() const { return row->gst.median; }
  /// Median synchronization time, in units of T_F at the payload rate.
  [[nodiscard]] double gst_t_f() const;
  /// The part of the row for a training job; throws InternalError for any other.
  [[nodiscard]] const record::TrainingRow& training() const;
  /// Median iteration time of a training job, in seconds.
  [[nodiscard]] double iteration() const { return training().iteration.median; }
  /// Median time of products of matrices, in seconds; throws InternalError where there are none.
  [[nodiscard]] double products() const;
  [[nodiscard]] bool has_flag(std::string_view flag) const;
  /// Whether a port carried bytes off the Plan. Throws NotRun where the run ended before anybody
  /// looked, and InternalError for a simulated row, of which nobody can.
  [[nodiscard]] bool is_off_plan() const;
};

/// A quantity of a row by the name that claims.yaml calls it, such as "t_f"; nothing where none is
/// called so. Throws as the Result's function of that quantity.
[[nodiscard]] std::optional<double> quantity_of(const Result& row, std::string_view name);

/// A run or a row that a claim needs is not there. what() names it.
class NotRun : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The rows of one experiment on one backing.
class Rows {
 public:
  /// `run` may be null: nothing was run. It must outlive this.
  Rows(const Run* run, std::string experiment, record::Backing backing);

  /// Throws NotRun when there is none.
  [[nodiscard]] Result at(const Wanted& wanted) const;
  /// All that fit, in the experiment's order. Throws NotRun when there is none.
  [[nodiscard]] std::vector<Result> all(const Wanted& wanted) const;
  /// Whether the experiment ran emulated, too: then its simulated rows are of links as the
  /// emulated ones were found to be, with their bursts and delays.
  [[nodiscard]] bool is_also_emulated() const;
  [[nodiscard]] const std::string& experiment() const { return experiment_; }
  [[nodiscard]] record::Backing backing() const { return backing_; }
  /// The rows that at() and all() have given, each once: what a claim stands on.
  [[nodiscard]] const std::vector<const record::Row*>& used() const { return used_; }

 private:
  const Run* run_;
  std::string experiment_;
  record::Backing backing_;
  mutable std::vector<const record::Row*> used_;
};

/// All runs there are, by experiment.
class Runs {
 public:
  /// Replaces a run of the same experiment.
  void add(Run run);
  [[nodiscard]] Rows rows(std::string_view experiment, record::Backing backing) const;
  [[nodiscard]] const std::map<std::string, Run, std::less<>>& all() const { return runs_; }

 private:
  std::map<std::string, Run, std::less<>> runs_;
};

}  // namespace gradwire::claims
