#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/commands/jobs_text.h"
#include "topologies/registry.h"

namespace gradwire::commands::testing {

/// Jobs on leaf-spine(2,4,1) of which somebody says what became of them. A job has two ranks: on host 0
/// of the first leaf and host 4 of the second, then on 1 and 5, and so on.
class ToldJobs {
 public:
  /// Adds a job whose iteration took so many seconds alone and with all others.
  void add(const std::string& name, double alone, double together) {
    jobs_.push_back({.name = name});
    const std::size_t job = seats_.size();
    seats_.push_back({Rank(job), Rank(4 + job)});
    company.alone.push_back(alone);
    company.together.push_back(together);
    company.links.emplace_back(std::nullopt);
  }

  [[nodiscard]] RanJobs ran(record::Backing backing = record::Backing::simulated) const {
    return {.jobs = jobs_,
            .seats = seats_,
            .topology = *topology_,
            .company = company,
            .backing = backing};
  }

  /// A job as it is listed, to be changed.
  [[nodiscard]] jobs::ListedJob& listed(std::size_t job) { return jobs_[job]; }
  /// The link from the first leaf to the spine.
  [[nodiscard]] std::uint32_t uplink() const {
    return topologies::link_number(topology_->route(Rank(0), Rank(4))[1]);
  }

  simulator::Company company;  ///< to be filled further

 private:
  std::unique_ptr<const topologies::Topology> topology_ =
      topologies::make_topology("leaf-spine(2,4,1)");
  std::vector<jobs::ListedJob> jobs_;
  std::vector<std::vector<Rank>> seats_;
};

}  // namespace gradwire::commands::testing
