#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "harness/run/jobs/emulated_jobs.h"
#include "simulator/company.h"

namespace gradwire::run {

/// Measurements of jobs alone and beside each other.
struct MeasuredCompany {
  /// Company as simulated, with measured times; pairs that were not measured have a slowdown of 0.
  simulator::Company company;
  std::uint64_t verified = 0;  ///< results
  std::uint64_t wrong = 0;     ///< elements of them
  std::size_t runs = 0;        ///< runs that were timed
  std::size_t disturbed = 0;   ///< timed runs that were disturbed
  std::set<std::string> flags;
};

/// Jobs whose company is to be measured.
struct CompanyToMeasure {
  std::span<const simulator::Tenant> tenants;
  std::span<const std::string> algorithms;
  const simulator::Company& simulated;
  std::size_t runs = 1;  ///< runs of each job alone, of all, and of each pair
};

/// Runs jobs at once, as EmulatedJobs::measure does; `what` says which they are, for progress.
using MeasureJobs = std::function<MeasuredJobs(const JobsToRun& jobs, const std::string& what)>;

/// Runs every job alone, all together and, where the simulation has pairs, the two jobs of each pair
/// that slow each other down there. An iteration is the mean of those that count, of the run in the
/// middle; while one job is not done with these, the others have iterations that do not count. Throws
/// what `measure` throws.
[[nodiscard]] MeasuredCompany measure_company(const MeasureJobs& measure,
                                              const CompanyToMeasure& jobs);

}  // namespace gradwire::run
