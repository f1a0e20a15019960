#include "core/plan_check_sums.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/count.h"
#include "core/plan_check_holdings.h"
#include "core/rank_text.h"

namespace gradwire::plan_check {
namespace {

std::string text(const Place& place, const Recv& recv, const Holdings::Fault& fault) {
  if (fault.kind == Holdings::Fault::Kind::twice) {
    return fmt::format("{}: adds a contribution twice in {}: rank {}'s, with what rank {} sends",
                       place.text(), plan_check::text(fault.where), fault.contributor,
                       recv.from.rank.index());
  }
  return fmt::format("{}: sends rank {} {}, of which it holds nothing",
                     Place{recv.from.rank.index(), place.lane, place.step}.text(), place.rank,
                     plan_check::text(fault.where));
}

/// Runs one step of all lanes of all ranks, one receive after the other.
///
/// That is right although all transfers of a step happen at once: no lane receives into elements
/// that it sends in the step, and no other lane writes there (check_each_rank). So every sender
/// still holds the values from the step's beginning, whatever has been received before. An executor
/// overlaps steps, but keeps the order of any two transfers whose order makes a difference
/// (core/lane_program.cc).
void run_step(std::span<const Plan> plans, std::size_t step, Holdings& holdings,
              Findings& findings) {
  for (std::size_t rank = 0; rank < plans.size(); ++rank) {
    for (std::size_t lane = 0; lane < plans[rank].lanes.size(); ++lane) {
      if (step >= plans[rank].lanes[lane].size()) continue;
      for (const Recv& recv : plans[rank].lanes[lane][step].recvs) {
        const auto fault = holdings.transfer(rank, recv);
        if (fault) findings.add(text({rank, lane, step}, recv, *fault));
      }
    }
  }
}

/// The ranks in words, cut where the list is long: "ranks 0-3, 7".
std::string names_of(const std::vector<std::size_t>& ranks) {
  constexpr std::size_t kMostRuns = 4;
  if (ranks.empty()) return "nobody";
  return (ranks.size() == 1 ? "rank " : "ranks ") + rank_text(ranks, kMostRuns);
}

/// Finds ranks that end without the contribution of every rank that began with an element. None can
/// be there twice: run_step() has reported that.
void check_results(const Goal& goal, const Holdings& holdings, Findings& findings) {
  for (std::size_t rank = 0; rank < goal.ends.size(); ++rank) {
    const auto lack = holdings.first_lack(rank, goal.ends[rank]);
    if (!lack) continue;
    findings.add(
        fmt::format("rank {}: {} ends without rank {}'s contribution: holds those of {}, lacks "
                    "those of {}",
                    rank, plan_check::text(lack->where), lack->lacked.front(), names_of(lack->held),
                    names_of(lack->lacked)));
  }
}

}  // namespace

void check_sums(std::span<const Plan> plans, const Goal& goal, Findings& findings) {
  Holdings holdings(plans, goal);
  std::size_t steps = 0;
  for (const Plan& plan : plans) steps = std::max(steps, step_count(plan));
  for (std::size_t step = 0; step < steps; ++step) run_step(plans, step, holdings, findings);
  check_results(goal, holdings, findings);
}

}  // namespace gradwire::plan_check
