#pragma once

#include <cstddef>
#include <vector>

#include "core/elements.h"
#include "core/sum_check.h"
#include "library/job.h"

namespace gradwire::library {

/// What was found of all-reduces, at this rank.
struct Verified {
  std::size_t sums = 0;  ///< all-reduces
  SumFindings found;     ///< of their elements
};

/// Runs a job's collectives, and verifies the sums of every so many-th all-reduce (Settings::verify)
/// against all ranks' elements, which an all-gather brings: nothing of it adds. What is to be verified is
/// kept until check(), so that it costs a sum no more than two copies. Used by one thread at a time.
class Verification {
 public:
  /// The job must outlive it.
  explicit Verification(Job& job) : job_(job) {}

  [[nodiscard]] Rank self() const { return job_.self(); }
  /// Job::run(), which see. Checks first where too much would be kept otherwise; all ranks do so at the
  /// same call. Throws std::bad_alloc, too, and then the job is given up.
  void run(const Call& call, void* memory);
  /// Verifies what is kept, and forgets it. Collective: blocks until all ranks have called it. Returns
  /// what was found since the job began. Throws as Job::run().
  const Verified& check();

 private:
  /// An all-reduce: this rank's elements before it, and afterwards.
  struct Kept {
    Dtype type = Dtype::float32;
    std::vector<std::byte> term;
    std::vector<std::byte> sums;
  };

  /// Whether an all-reduce is one of those that are verified.
  [[nodiscard]] bool is_due(const Call& call) const;
  /// Runs an all-reduce, and keeps what it began with and made.
  void keep(const Call& call, void* memory);
  void check(Kept& kept);

  Job& job_;
  std::size_t run_ = 0;         ///< all-reduces so far
  std::size_t kept_bytes_ = 0;  ///< of what is kept
  std::vector<Kept> kept_;
  Verified verified_;
};

}  // namespace gradwire::library
