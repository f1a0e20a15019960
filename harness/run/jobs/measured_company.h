#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "harness/run/jobs/emulated_jobs.h"
#include "simulator/company.h"

namespace gradwire::run {

/// What was measured of jobs alone and beside each other.
struct MeasuredCompany {
  /// As simulated, with measured times; pairs that were not measured have a slowdown of 0.
  simulator::Company company;
  std::uint64_t verified = 0;  ///< results
  std::uint64_t wrong = 0;     ///< elements of them
  std::size_t runs = 0;        ///< that were timed
  std::size_t disturbed = 0;   ///< of these
  std::set<std::string> flags;
};

/// Jobs whose company is to be measured.
struct CompanyToMeasure {
  std::span<const simulator::Tenant> tenants;
  std::span<const std::string> algorithms;
  const simulator::Company& simulated;
  std::size_t runs = 1;  ///< of each job alone, of all, and of each pair
};

/// Runs every job alone, all together and, where the simulation has pairs, the two jobs of each pair
/// that slow each other down there. An iteration is the mean of those that count, of the run in the
/// middle. Throws as EmulatedJobs::measure.
[[nodiscard]] MeasuredCompany measure_company(EmulatedJobs& emulation,
                                              const CompanyToMeasure& jobs);

}  // namespace gradwire::run
