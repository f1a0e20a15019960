#pragma once

#include <cstddef>
#include <vector>

#include "core/elements.h"
#include "core/sum_check.h"
#include "library/job.h"

namespace gradwire::library {

/// Findings about all-reduces, at this rank.
struct Verified {
  std::size_t sums = 0;  ///< all-reduces
  SumFindings found;     ///< findings about their elements
};

/// Verifier that runs a job's collectives, and checks the sums of every n-th all-reduce
/// (Settings::verify) against all ranks' elements. An all-gather brings these, which adds nothing.
/// Elements to verify are kept until check(), so that a sum costs no more than two copies extra.
/// Used by one thread at a time.
class Verification {
 public:
  /// Takes the job, which must outlive it.
  explicit Verification(Job& job) : job_(job) {}

  [[nodiscard]] Rank self() const { return job_.self(); }
  /// Runs a collective as Job::run(). Checks first where too much would be kept otherwise; all
  /// ranks do so at the same call. Throws std::bad_alloc, too, and then the job is given up.
  void run(const Call& call, void* memory);
  /// Verifies the kept all-reduces, and drops them. Collective: blocks until all ranks have called
  /// it. Returns the findings since the job began. Throws as Job::run().
  const Verified& check();

 private:
  /// Elements of this rank before and after an all-reduce.
  struct Kept {
    Dtype type = Dtype::float32;
    std::vector<std::byte> term;
    std::vector<std::byte> sums;
  };

  /// Whether an all-reduce is due for verification.
  [[nodiscard]] bool is_due(const Call& call) const;
  /// Runs an all-reduce, and keeps its elements of before and after.
  void keep(const Call& call, void* memory);
  void check(Kept& kept);

  Job& job_;
  std::size_t run_ = 0;         ///< all-reduces so far
  std::size_t kept_bytes_ = 0;  ///< bytes of all kept elements
  std::vector<Kept> kept_;
  Verified verified_;
};

}  // namespace gradwire::library
