#include "results/claims/formulas.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/text/spec.h"
#include "results/claims/formula_table.h"
#include "schedule/backward_pass.h"
#include "schedule/collective_cost.h"
#include "schedule/optimum.h"
#include "schedule/policy.h"
#include "schedule/timeline.h"
#include "workloads/device.h"
#include "workloads/model.h"
#include "workloads/profile.h"
#include "workloads/trace.h"

namespace gradwire::claims {
namespace {

using schedule::Affine;
using schedule::BackwardPass;

Numbers line(double a, double b) {
  return {{"a", a}, {"b", b}};
}

/// Cost of an all-reduce among so many ranks.
Numbers cost(const std::string& name, std::size_t ranks, double alpha, double beta, double gamma) {
  constexpr std::pair<std::string_view, Affine (*)(std::size_t, const schedule::Network&)> kCosts[]{
      {"ring", schedule::ring},
      {"ring as plotted", schedule::ring_as_plotted},
      {"binary tree", schedule::binary_tree},
      {"recursive doubling", schedule::recursive_doubling},
      {"halving-doubling", schedule::halving_doubling},
      {"double-tree", schedule::double_binary_trees},
      {"ps", schedule::parameter_server}};
  for (const auto& [known, of] : kCosts) {
    if (known == name) return numbers_of(of(ranks, {Seconds(alpha), beta, gamma}));
  }
  throw InputError(fmt::format("no cost of '{}' is known", name));
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
/// or "layers(1x1, 2x4)" (ready at 1 and 2, of 1 and 4 bytes). Made once.
const BackwardPass& pass_named(const std::string& name) {
  static std::map<std::string, BackwardPass> passes;
  const auto found = passes.find(name);
  if (found != passes.end()) return found->second;
  const text::Spec spec = text::parse_spec(name);
  BackwardPass pass;
  if (spec.name == "layers") {
    std::vector<double> ready, bytes;
    for (const std::string& layer : spec.flags) {
      ready.push_back(std::stod(layer));
      bytes.push_back(std::stod(layer.substr(layer.find('x') + 1)));
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
Numbers pass(const std::string& name) {
  const BackwardPass& pass = pass_named(name);
  double bytes = 0;
  for (const schedule::Gradient& gradient : pass.gradients) bytes += gradient.bytes;
  return {{"end", pass.end.count()}, {"bytes", bytes}};
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

/// Times of an iteration, in seconds, and its number of messages.
Numbers timeline(const std::string& name, const std::string& schedule, const Affine& cost) {
  const BackwardPass& pass = pass_named(name);
  const auto sent = schedule_named(schedule, pass, cost);
  const schedule::Timeline timeline = schedule::predict(pass, sent, cost);
  return {{"iteration", timeline.iteration.count()},
          {"compute", timeline.compute.count()},
          {"communication", timeline.communication().count()},
          {"messages", real(sent.buckets.size())}};
}

/// Iteration times of MG-WFBP and its rivals, and how many messages it has.
Numbers iterations(const std::string& pass, const Affine& cost) {
  const Numbers merged = timeline(pass, "mg-wfbp", cost);
  return {{"wfbp", timeline(pass, "wfbp", cost).at("iteration")},
          {"synceasgd", timeline(pass, "synceasgd", cost).at("iteration")},
          {"mg_wfbp", merged.at("iteration")},
          {"optimum", timeline(pass, "optimum-affine", cost).at("iteration")},
          {"messages", merged.at("messages")}};
}

/// TPDS eq. 6-8, written down once more.
double wfbp_by_recursion(const std::string& name, const Affine& cost) {
  const BackwardPass& pass = pass_named(name);
  double end = 0;
  for (const schedule::Gradient& gradient : pass.gradients) {
    end = std::max(end, gradient.ready.count()) + cost.at(gradient.bytes).count();
  }
  return std::max(end, pass.end.count());
}

/// Gain of merging the last two of three gradients, when they are ready at 1 and 1 + `gap` and the
/// first keeps the network busy until `busy`; with a = 1 and b = 1.
double gain_of_merging(double busy, double gap, double bytes) {
  const Affine cost{Seconds(1), 1};
  const BackwardPass pass = pass_of({0, 1, 1 + gap}, {std::max(busy - 1, 1e-9), bytes, 1});
  return iteration(pass, {.buckets = {{0, 1}, {1, 1}, {2, 1}}}, cost) -
         iteration(pass, {.buckets = {{0, 1}, {1, 2}}}, cost);
}

/// Whether merging gains on 264 instances what the four cases of equations 12-21 say.
/// Whether merging gains on 264 instances what the four cases of equations 12-21 say.
bool four_cases_hold() {
  for (double busy = 1; busy < 6; busy += 0.5) {
    for (double gap = 0.25; gap < 6; gap += 0.5) {
      for (const double bytes : {0.5, 2.0}) {
        const double start = std::max(busy, 1.0);
        const double wait = std::max(1 + gap - start, 0.0);
        const bool is_hidden = start + 1 + bytes <= 1 + gap;    // case 1
        const double expected = is_hidden ? -bytes : 1 - wait;  // cases 2 to 4
        if (!(std::abs(gain_of_merging(busy, gap, bytes) - expected) < 1e-6)) return false;
      }
    }
  }
  return true;
}

/// The least that any schedule takes, by trying all of them, and how many there are.
Numbers best_of_all(const std::string& name, const Affine& cost) {
  const BackwardPass& pass = pass_named(name);
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
    least = std::min(least, iteration(pass, schedule, cost));
  }
  return {{"count", real(std::size_t{1} << cuts)}, {"least", least}};
}

/// An iteration of so many seconds of computing in 24 equal layers, a third of it forward.
double equal_layers(double compute, double bytes, const std::string& schedule, const Affine& cost) {
  constexpr std::size_t kLayers = 24;
  BackwardPass pass{.gradients = {}, .end = Seconds(compute)};
  for (std::size_t layer = 1; layer <= kLayers; ++layer) {
    const double share = real(layer) / kLayers;
    pass.gradients.push_back(
        {.ready = Seconds(compute / 3 + share * compute * 2 / 3), .bytes = bytes / kLayers});
  }
  return iteration(pass, schedule_named(schedule, pass, cost), cost);
}

double absolute(double number) {
  return std::abs(number);
}

template <bool is_least>
Value extreme(const std::vector<Value>& arguments) {
  if (arguments.empty()) throw InputError("a number is missing");
  auto chosen = argument<double>(arguments.front());
  for (const Value& value : arguments) {
    const auto number = argument<double>(value);
    chosen = is_least ? std::min(chosen, number) : std::max(chosen, number);
  }
  return chosen;
}

constexpr Formula kFormulas[] = {
    {"abs", as<absolute>},
    {"min", extreme<true>},
    {"max", extreme<false>},
    {"line", as<line>},
    {"cost", as<cost>},
    {"pass", as<pass>},
    {"timeline", as<timeline>},
    {"iterations", as<iterations>},
    {"wfbp_by_recursion", as<wfbp_by_recursion>},
    {"four_cases_hold", as<four_cases_hold>},
    {"best_of_all", as<best_of_all>},
    {"equal_layers", as<equal_layers>},
};

const Formula& formula_named(std::string_view name) {
  for (const std::span<const Formula> table :
       {std::span<const Formula>(kFormulas), plan_formulas(), model_formulas()}) {
    const auto found = std::ranges::find(table, name, &Formula::name);
    if (found != table.end()) return *found;
  }
  throw InputError(fmt::format("no formula is called '{}'", name));
}

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

Value formula(std::string_view name, const std::vector<Value>& arguments) {
  static std::map<std::string, Value> known;
  const Formula& called = formula_named(name);
  std::string key(name);
  for (const Value& argument : arguments) key += "|" + name_of(argument);
  const auto computed = known.find(key);
  if (computed != known.end()) return computed->second;
  try {
    return known.emplace(key, called.compute(arguments)).first->second;
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", name, error.what()));
  } catch (const std::out_of_range&) {
    throw InputError(fmt::format("{}: there is no such item", name));
  }
}

}  // namespace gradwire::claims
