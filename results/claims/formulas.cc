#include "results/claims/formulas.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bml/plan.h"
#include "collectives/algorithms/algorithm.h"
#include "core/count.h"
#include "core/error.h"
#include "core/mtu.h"
#include "core/plan.h"
#include "core/plan_check.h"
#include "core/text/spec.h"
#include "ps/plan.h"
#include "results/report/page/references.h"
#include "ringallreduce/plan.h"
#include "schedule/backward_pass.h"
#include "schedule/collective_cost.h"
#include "schedule/optimum.h"
#include "schedule/policy.h"
#include "schedule/timeline.h"
#include "testbed/shape.h"
#include "topologies/bcube.h"
#include "topologies/cost.h"
#include "topologies/load.h"
#include "topologies/registry.h"
#include "workloads/device.h"
#include "workloads/model.h"
#include "workloads/profile.h"
#include "workloads/trace.h"

namespace gradwire::claims {
namespace {

using schedule::Affine;
using schedule::BackwardPass;

/// A formula's arguments.
class Arguments {
 public:
  explicit Arguments(std::span<const Value> values) : values_(values) {}

  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] double number(std::size_t i) const { return get<double>(i, "a number"); }
  [[nodiscard]] std::size_t whole(std::size_t i) const {
    const double value = number(i);
    if (!(value >= 0) || value != std::floor(value)) {
      throw InputError(fmt::format("argument {} is a whole number, not {}", i + 1, value));
    }
    return static_cast<std::size_t>(value);
  }
  [[nodiscard]] const std::string& text(std::size_t i) const {
    return get<std::string>(i, "a text");
  }
  [[nodiscard]] bool is_text(std::size_t i) const {
    return i < size() && std::holds_alternative<std::string>(values_[i]);
  }
  [[nodiscard]] Affine cost(std::size_t i) const {
    const auto& numbers = get<Numbers>(i, "a cost");
    if (!numbers.contains("a") || !numbers.contains("b")) {
      throw InputError(fmt::format("argument {} is a cost", i + 1));
    }
    return {Seconds(numbers.at("a")), numbers.at("b")};
  }

 private:
  template <class Kind>
  [[nodiscard]] const Kind& get(std::size_t i, const char* what) const {
    const Kind* const value = i < size() ? std::get_if<Kind>(&values_[i]) : nullptr;
    if (value == nullptr) throw InputError(fmt::format("argument {} is {}", i + 1, what));
    return *value;
  }

  std::span<const Value> values_;
};

double truth(bool is_so) {
  return is_so ? 1 : 0;
}

template <class Number>
double real(Number number) {
  return static_cast<double>(number);
}

// Wirings and Plans.

/// A wiring and every rank's Plan on it.
struct Planned {
  std::unique_ptr<const topologies::Topology> topology;
  std::vector<Plan> plans;
  std::size_t elements = 0;
};

/// By the names that experiments use, of a workload or of a number of elements. Without either, of so
/// many elements that every algorithm divides them evenly. Made once.
const Planned& planned(const Arguments& of) {
  static std::map<std::string, Planned> all;
  const std::string amount_text =
      of.is_text(2) ? of.text(2) : fmt::to_string(of.size() > 2 ? of.whole(2) : 0);
  Planned& plans = all[fmt::format("{} on {} of {}", of.text(0), of.text(1), amount_text)];
  if (!plans.plans.empty()) return plans;
  plans.topology = topologies::make_topology(of.text(1));
  const topologies::Topology& topology = *plans.topology;
  const workloads::Workload workload =
      of.is_text(2)
          ? workloads::parse_workload(of.text(2))
          : workloads::Workload(workloads::Elements{
                of.size() > 2 ? of.whole(2) : 16 * topology.hosts() * topology.ports_per_host()});
  const algorithms::Algorithm algorithm =
      algorithms::parse_algorithm(text::parse_spec(of.text(0)), topology, workload);
  const algorithms::Amount amount = algorithm.amount_of(workload);
  plans.elements = amount.elements;
  plans.plans = algorithm.plans(amount);
  return plans;
}

Value wiring(const Arguments& of) {
  const auto topology = topologies::make_topology(of.text(0));
  const topologies::Cost cost = topologies::cost_of(*topology);
  return Numbers{{"hosts", real(topology->hosts())},
                 {"nics", real(topology->ports_per_host())},
                 {"switches", real(cost.switches)},
                 {"switch_ports", real(cost.switch_ports)},
                 {"ports_per_switch", real(topology->ports_per_switch())}};
}

/// Servers one hop away from each in BCube(n,k).
Value neighbours(const Arguments& of) {
  const topologies::BCube wiring(of.whole(0), of.whole(1));
  std::size_t count = 0;
  for (std::size_t level = 0; level < wiring.k(); ++level) {
    count += wiring.neighbours(Rank(0), level).size();
  }
  return real(count);
}

/// Step after step, what the slowest link takes; in units of T_F.
Value plan_t_f(const Arguments& of) {
  const Planned& plans = planned(of);
  return topologies::step_bound(*plans.topology, plans.plans) / real(plans.elements);
}

/// Elements that all ports send together, and receive together: each is counted once.
Value sent(const Arguments& of) {
  std::uint64_t sum = 0;
  for (const Plan& plan : planned(of).plans) {
    for (const PortCount& port : count_ports(plan)) sum += port.sent;
  }
  return real(sum);
}

/// What rank 4th of the arguments sends and receives through its first port.
Value port(const Arguments& of) {
  const PortCount port = count_ports(planned(of).plans.at(of.whole(3))).front();
  return Numbers{{"sent", real(port.sent)}, {"received", real(port.received)}};
}

/// Whether all sums are right, by the symbolic checker.
Value is_proven(const Arguments& of) {
  const Planned& plans = planned(of);
  return truth(check_plans(plans.plans, plans.elements).empty());
}

/// The most that a link carries in one step of all lanes and ranks.
Value step_load(const Arguments& of) {
  const Planned& plans = planned(of);
  return real(topologies::load_of_step(*plans.topology, plans.plans, of.whole(3)).max());
}

/// Whether in every step every cable carries as much as every other, in both directions.
bool is_even(const Planned& plans) {
  const std::size_t steps = plans.plans.front().lanes.front().size();
  for (std::size_t step = 0; step < steps; ++step) {
    const auto load = topologies::load_of_step(*plans.topology, plans.plans, step);
    for (std::size_t link = 0; link < plans.topology->links().size(); ++link) {
      for (const bool from_a : {true, false}) {
        if (load.at({LinkId(link), from_a}) != load.max()) return false;
      }
    }
  }
  return true;
}

/// Whether no two lanes of a rank send through the same port in one step.
bool lanes_have_ports_of_their_own(const Planned& plans) {
  for (const Plan& plan : plans.plans) {
    for (std::size_t step = 0; step < plan.lanes.front().size(); ++step) {
      std::set<Port> ports;
      for (const Lane& lane : plan.lanes) {
        const auto& sends = lane.at(step).sends;
        for (const Send& send : sends) {
          if (send.to.via != sends.front().to.via) return false;
        }
        if (!sends.empty() && !ports.insert(sends.front().to.via).second) return false;
      }
    }
  }
  return true;
}

Value uses_links_evenly(const Arguments& of) {
  const Planned& plans = planned(of);
  return truth(lanes_have_ports_of_their_own(plans) && is_even(plans));
}

/// BML's pieces of so many elements on BCube(n,k): how many begin at different elements, how many
/// are empty, and their sizes.
Value bml_pieces(const Arguments& of) {
  const topologies::BCube wiring(of.whole(0), of.whole(1));
  std::set<std::size_t> starts, sizes;
  std::size_t empty = 0;
  for (std::size_t thread = 0; thread < wiring.k(); ++thread) {
    for (std::size_t owner = 0; owner < wiring.hosts(); ++owner) {
      const Extent piece = bml::extent_of(wiring.digits(), of.whole(2), {thread, Rank(owner)});
      starts.insert(piece.first);
      sizes.insert(piece.count);
      if (piece.empty()) ++empty;
    }
  }
  return Numbers{{"count", real(starts.size())},
                 {"smallest", real(*sizes.begin())},
                 {"largest", real(*sizes.rbegin())},
                 {"empty", real(empty)}};
}

/// What a parameter server takes on a BCube(n,2) along its own routes, in T_F: the load of a link
/// when every pair of servers exchanges 1/N of the gradient, twice.
Value ps_on_bcube(const Arguments& of) {
  const topologies::BCube wiring(of.whole(0), 2);
  topologies::LinkLoad load(wiring);
  for (std::size_t from = 0; from < wiring.hosts(); ++from) {
    for (std::size_t to = 0; to < wiring.hosts(); ++to) {
      if (from != to) load.add(Rank(from), Rank(to), 1);
    }
  }
  return 2 * real(load.max()) / real(wiring.hosts());
}

/// Whether the ring of 5 moves in its first step the chunks of the printed table of a stage.
Value follows_table(const Arguments& of) {
  const bool gathers = of.text(0) == "all-gather";
  const Value ring[] = {std::string("ring"), std::string("single-switch(5)"), 5.0};
  const nlohmann::json& table = report::published(gathers ? "BDU-6b" : "BDU-6a").value;
  const std::vector<Plan>& plans = planned(Arguments(ring)).plans;
  for (std::size_t rank = 0; rank < plans.size(); ++rank) {
    const Step& does = plans[rank].lanes.front().at(gathers ? 4 : 0);
    if (does.sends.front().what.first != table.at(rank).at(0)) return 0.0;
    if (does.recvs.front().where.first != table.at(rank).at(1)) return 0.0;
  }
  return 1.0;
}

/// A ring over a wiring of 4 leaves with 4 hosts each, in T_F; `scattered`: every host beside one of
/// another leaf.
Value ring_over_leaves(const Arguments& of) {
  const auto topology = topologies::make_topology(of.text(0));
  const bool is_scattered = of.size() > 1 && of.text(1) == "scattered";
  std::vector<Rank> order;
  for (std::size_t i = 0; is_scattered && i < 16; ++i) order.push_back(Rank(i % 4 * 4 + i / 4));
  const std::size_t elements = topology->hosts();
  std::vector<Plan> plans;
  for (std::size_t rank = 0; rank < topology->hosts(); ++rank) {
    plans.push_back(ringallreduce::plan(*topology, Rank(rank), elements, {.order = order}));
  }
  return topologies::step_bound(*topology, plans) / real(elements);
}

// Models, and jobs of the BML paper.

/// Read once.
const workloads::Model& model_of(const std::string& name) {
  static std::map<std::string, workloads::Model> models;
  const auto found = models.find(name);
  if (found != models.end()) return found->second;
  return models.emplace(name, workloads::load_model(name)).first->second;
}

/// A model's counts, those of its fully connected layers among them: their weights K N, the sum of
/// N + K, and their parameters with biases.
Value model(const Arguments& of) {
  const workloads::Model& model = model_of(of.text(0));
  double norm_macs = 0;
  std::uint64_t weights = 0, units = 0, parameters = 0;
  for (std::size_t i = 0; i < model.tensors.size(); ++i) {
    const workloads::Tensor& tensor = model.tensors[i];
    if (tensor.is_norm()) norm_macs += real(tensor.forward_macs);
    if (tensor.shape.size() != 2) continue;
    weights += tensor.elements;
    units += tensor.shape[0] + tensor.shape[1];
    parameters += tensor.elements;
    if (i + 1 < model.tensors.size()) parameters += model.tensors[i + 1].elements;
  }
  return Numbers{{"tensors", real(model.tensors.size())},    {"elements", real(model.elements())},
                 {"macs", real(model.dense_forward_macs())}, {"norm_macs", norm_macs},
                 {"dense_weights", real(weights)},           {"dense_units", real(units)},
                 {"dense_parameters", real(parameters)}};
}

Value tensor_elements(const Arguments& of) {
  return real(model_of(of.text(0)).tensors.at(of.whole(1)).elements);
}

/// How many tensors of a model have so many bytes.
Value tensors_of_bytes(const Arguments& of) {
  return real(std::ranges::count(model_of(of.text(0)).tensors, of.whole(1) / 4,
                                 &workloads::Tensor::elements));
}

Value device(const Arguments& of) {
  return Numbers{{"flops", workloads::find_device(of.text(0)).flops},
                 {"efficiency", workloads::kDefaultEfficiency}};
}

/// A job of the BML paper's Figures 6 and 7 on BCube(3,2). The paper prints no formula of a job, and
/// neither its GPUs' times: they are derived from multiply-adds and an assumed share of the peak.
struct Job {
  const workloads::Model& model;
  std::uint64_t batch = 0;
  double efficiency = 0;
  bool overlaps =
      false;  ///< gradients are sent layer by layer, as section 4.1 says, not afterwards
};

/// An iteration: with "bml", or with servers of balanced shares or of whole tensors. A tensor that
/// is sent alone lies whole on one server, all others push to it and pull one after the other.
double iteration_of(const Job& job, std::string_view algorithm) {
  constexpr std::size_t kServers = 9;
  const double per_byte = 8 / (40e9 * testbed::payload_fraction(kDefaultMtu));
  const BackwardPass pass = schedule::backward_pass(
      workloads::derive(job.model, {.device = workloads::find_device("k40c"),
                                    .devices = 2,
                                    .batch = job.batch,
                                    .efficiency = job.efficiency}));
  const bool is_bml = algorithm == "bml", is_whole = algorithm == "ps(per-tensor)";
  if (job.overlaps) {
    const double alone = is_bml     ? bml::closed_form(3, 2)
                         : is_whole ? 2.0 * (kServers - 1)
                                    : two_t_f(kServers);
    return schedule::predict(pass, schedule::wfbp(pass), Affine{.b = alone * per_byte})
        .iteration.count();
  }
  ps::Options options;
  if (is_whole) {
    options = {.placement = ps::Placement::per_tensor, .tensors = workloads::extents_of(job.model)};
  }
  const double all =
      is_bml ? bml::closed_form(3, 2) : ps::closed_form(kServers, job.model.elements(), options);
  return pass.end.count() + 4 * real(job.model.elements()) * per_byte * all;
}

double share_of(const Job& job, std::string_view against) {
  return iteration_of(job, "bml") / iteration_of(job, against);
}

/// An iteration with BML as a share of one with another algorithm: model, batch, share of the peak,
/// the other algorithm, "overlapped" or "afterwards".
Value share(const Arguments& of) {
  return share_of({model_of(of.text(0)), of.whole(1), of.number(2), of.text(4) == "overlapped"},
                  of.text(3));
}

/// By how many percent jobs are shorter. What rounds to none is none, not "-0.0".
Value reduction(const Arguments& of) {
  constexpr double kNone = 0.05;
  const double percent = 100 * (1 - of.number(0));
  return std::abs(percent) < kNone ? 0 : percent;
}

/// The reductions of a model's jobs at the largest and the smallest batch against whole tensors on
/// servers, with the share of the peak that comes nearest to both printed ends. `off` is the larger
/// of the two deviations.
Value fit(const Arguments& of) {
  constexpr double kSmallest = 0.001, kStep = 1.03;
  const workloads::Model& model = model_of(of.text(0));
  const auto reduced = [&](std::size_t batch, double efficiency) {
    return 100 *
           (1 - share_of({model, batch, efficiency, of.text(3) == "overlapped"}, "ps(per-tensor)"));
  };
  Numbers best{{"off", INFINITY}};
  for (double efficiency = kSmallest; efficiency <= 1; efficiency *= kStep) {
    const double low = reduced(of.whole(1), efficiency), high = reduced(of.whole(2), efficiency);
    const double off =
        std::max(std::abs(low / of.number(4) - 1), std::abs(high / of.number(5) - 1));
    if (off >= best.at("off")) continue;
    best = {{"efficiency", efficiency}, {"low", low}, {"high", high}, {"off", off}};
  }
  return best;
}

// Costs and schedules.

/// What an all-reduce of N costs: its name, N, alpha, beta, gamma. Without the last two, a alone.
Value cost(const Arguments& of) {
  constexpr std::pair<std::string_view, Affine (*)(std::size_t, const schedule::Network&)> kCosts[]{
      {"ring", schedule::ring},
      {"ring as plotted", schedule::ring_as_plotted},
      {"binary tree", schedule::binary_tree},
      {"recursive doubling", schedule::recursive_doubling},
      {"halving-doubling", schedule::halving_doubling},
      {"double-tree", schedule::double_binary_trees},
      {"ps", schedule::parameter_server}};
  for (const auto& [name, of_network] : kCosts) {
    if (name != of.text(0)) continue;
    return numbers_of(
        of_network(of.whole(1),
                   {.alpha = Seconds(of.number(2)), .beta = of.number(3), .gamma = of.number(4)}));
  }
  throw InputError(fmt::format("no cost of '{}' is known", of.text(0)));
}

BackwardPass pass_of(const std::vector<double>& ready, const std::vector<double>& bytes) {
  BackwardPass pass;
  for (std::size_t i = 0; i < ready.size(); ++i) {
    pass.gradients.push_back({.ready = Seconds(ready[i]), .bytes = bytes[i]});
  }
  pass.end = Seconds(ready.back());
  return pass;
}

/// A pass by its name: a published trace, "derived(batch=128, device=v100, model=resnet152)",
/// "layers(1x1, 2x4)" (ready at 1 and 2, of 1 and 4 bytes), or "even(370e-3, ...)". Made once.
const BackwardPass& pass_named(const std::string& name) {
  static std::map<std::string, BackwardPass> passes;
  const auto found = passes.find(name);
  if (found != passes.end()) return found->second;
  const text::Spec spec = text::parse_spec(name);
  BackwardPass pass;
  if (spec.name == "layers") {
    std::vector<double> ready, bytes;
    for (const std::string& layer : spec.flags) {
      const std::size_t x = layer.find('x');
      if (x == std::string::npos) throw InputError("a layer is READYxBYTES");
      ready.push_back(std::stod(layer.substr(0, x)));
      bytes.push_back(std::stod(layer.substr(x + 1)));
    }
    pass = pass_of(ready, bytes);
  } else if (spec.name == "derived") {
    pass = schedule::backward_pass(
        workloads::derive(model_of(spec.options.at("model")),
                          {.device = workloads::find_device(spec.options.at("device")),
                           .batch = std::stoul(spec.options.at("batch"))}));
  } else {
    pass = schedule::backward_pass(workloads::published_trace(name));
  }
  return passes.emplace(name, std::move(pass)).first->second;
}

/// The end of computing, and the bytes of all gradients.
Value pass(const Arguments& of) {
  const BackwardPass& pass = pass_named(of.text(0));
  double bytes = 0;
  for (const schedule::Gradient& gradient : pass.gradients) bytes += gradient.bytes;
  return Numbers{{"end", pass.end.count()}, {"bytes", bytes}};
}

schedule::Schedule schedule_named(std::string_view name, const BackwardPass& pass,
                                  const Affine& cost) {
  if (name == "none") return schedule::no_overlap(pass);
  if (name == "wfbp") return schedule::wfbp(pass);
  if (name == "synceasgd") return schedule::synceasgd(pass);
  if (name == "mg-wfbp") return schedule::mg_wfbp(pass, cost);
  if (name == "optimum") return schedule::optimum(pass, cost);
  if (name == "optimum-affine") return schedule::optimum_affine(pass, cost);
  throw InputError(fmt::format("no schedule is called '{}'", name));
}

double iteration(const BackwardPass& pass, const schedule::Schedule& schedule, const Affine& cost) {
  return schedule::predict(pass, schedule, cost).iteration.count();
}

/// What an iteration takes: pass, schedule, cost.
Value timeline(const Arguments& of) {
  const BackwardPass& pass = pass_named(of.text(0));
  const auto schedule = schedule_named(of.text(1), pass, of.cost(2));
  const schedule::Timeline timeline = schedule::predict(pass, schedule, of.cost(2));
  return Numbers{{"iteration", timeline.iteration.count()},
                 {"compute", timeline.compute.count()},
                 {"communication", timeline.communication().count()},
                 {"messages", real(schedule.buckets.size())}};
}

/// How long the iterations of MG-WFBP and its rivals take, and its messages: pass, cost.
Value iterations(const Arguments& of) {
  const BackwardPass& pass = pass_named(of.text(0));
  const Affine cost = of.cost(1);
  const auto time = [&](std::string_view name) {
    return iteration(pass, schedule_named(name, pass, cost), cost);
  };
  return Numbers{{"wfbp", time("wfbp")},
                 {"synceasgd", time("synceasgd")},
                 {"mg_wfbp", time("mg-wfbp")},
                 {"optimum", time("optimum-affine")},
                 {"messages", real(schedule::mg_wfbp(pass, cost).buckets.size())}};
}

/// TPDS eq. 6-8, written down once more.
Value wfbp_by_recursion(const Arguments& of) {
  const BackwardPass& pass = pass_named(of.text(0));
  double end = 0;
  for (const schedule::Gradient& gradient : pass.gradients) {
    end = std::max(end, gradient.ready.count()) + of.cost(1).at(gradient.bytes).count();
  }
  return std::max(end, pass.end.count());
}

/// What merging the last two of three gradients gains, when they are ready at 1 and 1 + `gap` and
/// the first keeps the network busy until `busy`; with a = 1 and b = 1.
double gain_of_merging(double busy, double gap, double bytes) {
  const Affine cost{Seconds(1), 1};
  const BackwardPass pass = pass_of({0, 1, 1 + gap}, {std::max(busy - 1, 1e-9), bytes, 1});
  return iteration(pass, {.buckets = {{0, 1}, {1, 1}, {2, 1}}}, cost) -
         iteration(pass, {.buckets = {{0, 1}, {1, 2}}}, cost);
}

/// Whether merging gains on 264 instances what the four cases of equations 12-21 say.
Value four_cases_hold(const Arguments& /*of*/) {
  for (double busy = 1; busy < 6; busy += 0.5) {
    for (double gap = 0.25; gap < 6; gap += 0.5) {
      for (const double bytes : {0.5, 2.0}) {
        const double start = std::max(busy, 1.0);
        const double wait = std::max(1 + gap - start, 0.0);
        const bool is_hidden = start + 1 + bytes <= 1 + gap;    // case 1
        const double expected = is_hidden ? -bytes : 1 - wait;  // cases 2 to 4
        if (!(std::abs(gain_of_merging(busy, gap, bytes) - expected) < 1e-6)) return 0.0;
      }
    }
  }
  return 1.0;
}

/// The least that any schedule takes, by trying all of them, and how many there are.
Value best_of_all(const Arguments& of) {
  const BackwardPass& pass = pass_named(of.text(0));
  const std::size_t cuts = pass.gradients.size() - 1;
  double least = INFINITY;
  for (std::size_t set = 0; set < std::size_t{1} << cuts; ++set) {
    schedule::Schedule schedule{.buckets = {{0, 1}}};
    for (std::size_t i = 0; i < cuts; ++i) {
      if ((set >> i & 1) != 0) {
        schedule.buckets.push_back({i + 1, 1});
      } else {
        ++schedule.buckets.back().count;
      }
    }
    least = std::min(least, iteration(pass, schedule, of.cost(1)));
  }
  return Numbers{{"count", real(std::size_t{1} << cuts)}, {"least", least}};
}

/// An iteration of so much computing in 24 equal layers, a third of it forward: seconds of computing,
/// bytes, schedule, cost.
Value equal_layers(const Arguments& of) {
  constexpr std::size_t kLayers = 24;
  const double compute = of.number(0);
  BackwardPass pass{.gradients = {}, .end = Seconds(compute)};
  for (std::size_t layer = 1; layer <= kLayers; ++layer) {
    const double share = real(layer) / kLayers;
    pass.gradients.push_back(
        {.ready = Seconds(compute / 3 + share * compute * 2 / 3), .bytes = of.number(1) / kLayers});
  }
  return iteration(pass, schedule_named(of.text(2), pass, of.cost(3)), of.cost(3));
}

/// The gradient of y = w x on 2 replicas of 3 samples each; loss: mean of (y - 1)^2 / 2 over all 6,
/// and decay. Of the whole batch, and summed over the replicas with a half or all of the decay.
Value decayed_gradients(const Arguments& /*of*/) {
  const double inputs[2][3] = {{1, 2, 3}, {4, 5, 6}};
  constexpr double kWeight = 0.5, kDecay = 0.1;
  double whole = kDecay * kWeight, summed = 0, undivided = 0;
  for (const auto& replica : inputs) {
    double gradient = 0;
    for (const double x : replica) gradient += (kWeight * x - 1) * x / 6;
    whole += gradient;
    summed += gradient + kDecay / 2 * kWeight;
    undivided += gradient + kDecay * kWeight;
  }
  return Numbers{{"whole", whole}, {"summed", summed}, {"undivided", undivided}};
}

// Arithmetic.

Value least(const Arguments& of) {
  double least = of.number(0);
  for (std::size_t i = 1; i < of.size(); ++i) least = std::min(least, of.number(i));
  return least;
}

Value greatest(const Arguments& of) {
  double greatest = of.number(0);
  for (std::size_t i = 1; i < of.size(); ++i) greatest = std::max(greatest, of.number(i));
  return greatest;
}

struct Formula {
  std::string_view name;
  Value (*compute)(const Arguments& of);
};

constexpr Formula kFormulas[] = {
    {"abs", [](const Arguments& of) -> Value { return std::abs(of.number(0)); }},
    {"best_of_all", best_of_all},
    {"bml",
     [](const Arguments& of) -> Value { return bml::closed_form(of.whole(0), of.whole(1)); }},
    {"bml_pieces", bml_pieces},
    {"cost", cost},
    {"decayed_gradients", decayed_gradients},
    {"device", device},
    {"equal_layers", equal_layers},
    {"fit", fit},
    {"follows_table", follows_table},
    {"four_cases_hold", four_cases_hold},
    {"is_proven", is_proven},
    {"iterations", iterations},
    {"line",
     [](const Arguments& of) -> Value {
       return numbers_of({Seconds(of.number(0)), of.number(1)});
     }},
    {"max", greatest},
    {"min", least},
    {"model", model},
    {"neighbours", neighbours},
    {"pass", pass},
    {"payload_share",
     [](const Arguments& /*of*/) -> Value { return testbed::payload_fraction(kDefaultMtu); }},
    {"plan_t_f", plan_t_f},
    {"port", port},
    {"ps",
     [](const Arguments& of) -> Value {
       return ps::closed_form(of.whole(0), of.whole(1), {.servers = of.whole(2)});
     }},
    {"ps_on_bcube", ps_on_bcube},
    {"reduction", reduction},
    {"ring", [](const Arguments& of) -> Value { return ringallreduce::closed_form(of.whole(0)); }},
    {"ring_over_leaves", ring_over_leaves},
    {"sent", sent},
    {"share", share},
    {"step_load", step_load},
    {"tensor_elements", tensor_elements},
    {"tensors_of_bytes", tensors_of_bytes},
    {"timeline", timeline},
    {"two_t_f", [](const Arguments& of) -> Value { return two_t_f(of.whole(0)); }},
    {"uses_links_evenly", uses_links_evenly},
    {"wfbp_by_recursion", wfbp_by_recursion},
    {"wiring", wiring},
};

/// A name for arguments; of a row there is none.
std::string name_of(const Value& value) {
  if (const auto* const number = std::get_if<double>(&value)) return fmt::to_string(*number);
  if (const auto* const text = std::get_if<std::string>(&value)) return fmt::format("'{}'", *text);
  const auto* const numbers = std::get_if<Numbers>(&value);
  if (numbers == nullptr) throw InputError("a formula takes no row, but its quantities");
  std::string name;
  for (const auto& [key, number] : *numbers) name += fmt::format("{}={};", key, number);
  return name;
}

}  // namespace

Numbers numbers_of(const Affine& line) {
  return {{"a", line.a.count()}, {"b", line.b}};
}

Value formula(std::string_view name, std::span<const Value> arguments) {
  static std::map<std::string, Value> known;
  const auto* const found = std::ranges::find(kFormulas, name, &Formula::name);
  if (found == std::end(kFormulas)) {
    throw InputError(fmt::format("no formula is called '{}'", name));
  }
  std::string key(name);
  for (const Value& argument : arguments) key += "|" + name_of(argument);
  const auto computed = known.find(key);
  if (computed != known.end()) return computed->second;
  return known.emplace(key, found->compute(Arguments(arguments))).first->second;
}

}  // namespace gradwire::claims
