#include "results/record/flags.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/core.h>

namespace gradwire::record {
namespace {

using Meaning = std::pair<std::string_view, std::string_view>;

constexpr std::array kMeanings = std::to_array<Meaning>({
    {kFlagFasterThanBound,
     "eff% is over 100, which nothing can reach: the bound is wrong, or a clock or a link's rate "
     "is, or the run is older than this bound"},
    {kFlagHighVariance, "cv% is over 10: something disturbed the run"},
    {kFlagFewSamples, "fewer than 6 measured iterations: no confidence interval"},
    {kFlagNotVerified, "no iteration of this row had its sums verified"},
    {kFlagUncheckedFrames, "frames had no CRC32C, as the experiment says"},
    {kFlagWrongData, "elements of a result were not the sum over all ranks"},
    {kFlagCpuBound, "the machine, not the links, set the pace"},
    {kFlagDisturbed,
     "other programs took much of the machine in the iterations that the median comes from"},
    {kFlagOffPrediction,
     "the simulator had said another GST, by over 5 %: the machine, or what is not in its model"},
    {kFlagLatency,
     "over 1 % of GST is latency of the software, which dilation does not stretch: without "
     "link.startup a real network is slower"},
    {kFlagBytesOffPlan, "a port carried bytes more than 3 % off the algorithm's plan"},
    {kFlagSlowLinks,
     "a link of the hosts, alone or with all others, carried over 5 % less than its rate"},
    {kFlagPacketLoss, "packets were lost, or sent again after a timeout"},
    {kFlagLinkChanged,
     "a link was down or had a smaller MTU for a moment, or got another rate: the run has said "
     "which and when"},
    {kFlagBurst,
     "over 1 % of the busiest port's bytes fit into a shaper's burst: GST is up to that much "
     "shorter "
     "than over links without one"},
    {kFlagUnshaped, "the links have no rate: the machine sets the pace, and there is no bound"},
    {kFlagLateCompute,
     "computing took over 2 % longer than its profile says: the machine could not keep up"},
    {kFlagDiverged, "after an update the parameters were not the same on all ranks"},
    {kFlagPadded,
     "simulated with a few elements more, so that every host has the same to do: a little too "
     "slow"},
    {kFlagOutage, "something went down in every iteration, as the experiment's failures say"},
    {kFlagIncast,
     "more arrives for one port at once than its buffer holds: on a network that drops packets it "
     "takes longer, up to hundreds of times"},
    {kFlagNotProven,
     "too many hosts to prove these Plans; the same algorithm is proven on smaller wirings"},
    {kFlagNotCounted, "the run ended before the bytes of its ports were held against the plan"},
    {kFlagResumed, "its iterations are of several runs, each with links calibrated anew"},
    {kFlagCostExtrapolated,
     "its gradient is larger than the largest of which a cost was measured: beyond that, costs are "
     "those of the fitted line"},
    {kFlagStraggler,
     "the process of the rank with this number stood still for at least 100 ms in an iteration, "
     "which took longer for it"},
    {kFlagIncomplete, "the run ended before all iterations were measured"},
});

}  // namespace

bool spoils(std::string_view flag) {
  return flag == kFlagCpuBound || flag == kFlagDisturbed || flag == kFlagBytesOffPlan ||
         flag == kFlagSlowLinks || flag == kFlagPacketLoss || flag == kFlagLinkChanged ||
         flag == kFlagLateCompute || flag == kFlagDiverged;
}

bool tells_of_machine(std::string_view flag) {
  return flag == kFlagCpuBound || flag == kFlagDisturbed || flag == kFlagSlowLinks ||
         flag == kFlagLinkChanged || flag == kFlagLateCompute;
}

std::string straggler_flag(Rank rank) {
  return fmt::format("{}-{}", kFlagStraggler, rank.index());
}

void add_once(std::vector<std::string>& flags, std::string_view flag) {
  if (std::ranges::find(flags, flag) == flags.end()) flags.emplace_back(flag);
}

std::string_view explain_flag(std::string_view flag) {
  const bool straggler = flag.starts_with(kFlagStraggler);
  const auto known =
      std::ranges::find(kMeanings, straggler ? kFlagStraggler : flag, &Meaning::first);
  return known == kMeanings.end() ? "set by the run; see samples.ndjson" : known->second;
}

}  // namespace gradwire::record
