#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.h"
#include "tests/faults/loopback/cases.h"
#include "tests/faults/loopback/tally.h"

namespace gradwire::faults {

/// Something that is made to go wrong, to see that it is found.
enum class Canary {
  none,
  wrong_sum,  ///< verification counts nothing
  culprit,    ///< another rank is named
  hang,       ///< no run ends by itself
};

/// Runs what a seed decides, some runs beside each other, and says what became of them.
class Suite {
 public:
  struct Options {
    std::size_t runs = 10'000;
    std::uint64_t seed = 1;
    std::vector<const Case*> cases;  ///< of which runs are drawn
    std::size_t part = 1;            ///< of so many parts
    std::size_t parts = 1;
    std::optional<Nanoseconds> time;   ///< goes on for so long, however many runs that are
    std::optional<std::size_t> alone;  ///< the only run
    std::size_t jobs = 4;
    Canary canary = Canary::none;
  };
  explicit Suite(Options options);

  /// Blocks until all runs have ended. Prints those that did not end as they must, and progress.
  void run();
  [[nodiscard]] const Tally& tally() const { return tally_; }

 private:
  void work();
  /// The next run's number; nothing when there is none.
  [[nodiscard]] std::optional<std::size_t> next();
  /// All cases come equally often, in every part.
  [[nodiscard]] const Case& case_of(std::size_t number) const;
  void run_one(std::size_t number);
  void say_progress();
  void say(const std::string& line);

  Options options_;
  SteadyClock clock_;
  std::optional<Deadline> deadline_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> done_ = 0;
  std::mutex output_;
  Tally tally_;
};

}  // namespace gradwire::faults
