#include "tests/faults/loopback/draws.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "collectives/algorithms/algorithm.h"
#include "core/error.h"
#include "core/lane_program.h"
#include "core/text/spec.h"
#include "topologies/registry.h"

namespace gradwire::faults {
namespace {

using namespace std::string_view_literals;

/// Most are small, so that a run takes little time; some have messages of several frames.
std::size_t draw_elements(Dice& dice) {
  constexpr std::array kMost{std::size_t{300}, std::size_t{3'000}, std::size_t{30'000}};
  if (dice.below(25) == 0) return dice.between(250'000, 400'000);
  return dice.between(40, dice.one_of(kMost));
}

void draw_names(Dice& dice, Scenario& scenario) {
  constexpr std::array kOnSwitch{"ring"sv, "ring"sv,          "ring(pieces=2)"sv, "ps"sv,
                                 "ps"sv,   "ps(servers=2)"sv, "double-tree"sv};
  if (dice.below(3) == 0) {
    scenario.wiring = dice.flip() ? "bcube(2,2)" : "bcube(2,3)";
    scenario.algorithm = "bml";
    return;
  }
  scenario.wiring = "single-switch(" + std::to_string(dice.between(3, 8)) + ")";
  scenario.algorithm = dice.one_of(kOnSwitch);
}

}  // namespace

Scenario draw_ground(Dice& dice, std::size_t number) {
  Scenario scenario{.number = number};
  draw_names(dice, scenario);
  scenario.elements = draw_elements(dice);
  scenario.executions = dice.between(1, 3);
  scenario.topology = topologies::make_topology(scenario.wiring);
  const algorithms::Algorithm algorithm =
      algorithms::parse_algorithm(text::parse_spec(scenario.algorithm), *scenario.topology);
  const algorithms::Amount amount{.elements = scenario.elements};
  scenario.plans = algorithm.plans(amount);
  scenario.contributors = algorithm.workers(amount);
  return scenario;
}

Rank draw_rank(Dice& dice, const Scenario& scenario) {
  return Rank(dice.below(scenario.ranks()));
}

std::vector<Rank> draw_ranks(Dice& dice, const Scenario& scenario, std::size_t count) {
  std::vector<Rank> all;
  for (std::size_t i = 0; i < scenario.ranks(); ++i) all.emplace_back(i);
  while (all.size() > count) {
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(dice.below(all.size())));
  }
  return all;
}

Moment draw_operation(Dice& dice, const Scenario& scenario, Rank rank) {
  std::size_t operations = 0;
  for (const Lane& lane : scenario.plans[rank.index()].lanes) {
    for (const Step& step : lane) operations += step.sends.size() + step.recvs.size();
  }
  ensure(operations > 0, "every rank of these algorithms has operations");
  return {.at = Moment::At::operation, .number = dice.below(operations * scenario.executions)};
}

Called draw_channel(Dice& dice, const Scenario& scenario) {
  std::vector<Called> all;
  for (std::size_t i = 0; i < scenario.ranks(); ++i) {
    const std::vector<Lane>& lanes = scenario.plans[i].lanes;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      for (const Peer& peer : channels_of(lanes[lane])) {
        if (peer.rank > Rank(i)) all.push_back({Rank(i), {.lane = lane, .peer = peer}});
      }
    }
  }
  return dice.one_of(all);
}

}  // namespace gradwire::faults
