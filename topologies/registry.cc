#include "topologies/registry.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/text/spec.h"
#include "core/text/suggest.h"
#include "core/text/text_check.h"
#include "topologies/bcube.h"
#include "topologies/fat_tree.h"
#include "topologies/graph.h"
#include "topologies/leaf_spine.h"
#include "topologies/rail_only.h"
#include "topologies/rail_optimised.h"
#include "topologies/single_switch.h"
#include "topologies/speed.h"
#include "topologies/torus.h"

namespace gradwire::topologies {
namespace {

using Built = std::unique_ptr<const Topology>;
using text::OptionForm;
using Value = OptionForm::Value;

constexpr OptionForm kSpeed{"speed", Value::decimal, "1", "an uplink's speed, times the link rate"};
constexpr OptionForm kEcmp{"ecmp", Value::none, "",
                           "switches choose uplinks by a hash of the flow; not emulated"};
constexpr OptionForm kSeed{"seed", Value::number, "1", "of that hash; needs ecmp"};
constexpr OptionForm kNics{
    "nics", Value::number, "1",
    "ports per host, and as many whole Fat-Trees; not emulated with more than one"};
constexpr std::array kFatTreeOptions{kNics, kEcmp, kSeed};
constexpr std::array kLeafSpineOptions{kSpeed, kEcmp, kSeed};
constexpr std::array kRailOptions{kSpeed};

std::optional<Ecmp> ecmp_of(const text::Arguments& options) {
  if (options.has("ecmp")) return Ecmp{options.number("seed")};
  if (options.has("seed")) {
    throw InputError("a wiring's seed says how ecmp spreads flows: write ecmp, seed=...");
  }
  return std::nullopt;
}

double speed_of(const text::Arguments& options) {
  return options.decimal("speed", kMinSpeed, kMaxSpeed);
}

Built build_bcube(const WiringParameters& p) {
  return std::make_unique<BCube>(p.numbers[0], p.numbers[1]);
}

Built build_fat_tree(const WiringParameters& p) {
  return std::make_unique<FatTree>(
      p.numbers[0], FatTree::Options{.nics = p.options.number("nics"), .ecmp = ecmp_of(p.options)});
}

Built build_single_switch(const WiringParameters& p) {
  return std::make_unique<SingleSwitch>(p.numbers[0]);
}

Built build_leaf_spine(const WiringParameters& p) {
  return std::make_unique<LeafSpine>(
      p.numbers[0], p.numbers[1], p.numbers[2],
      LeafSpine::Options{.speed = speed_of(p.options), .ecmp = ecmp_of(p.options)});
}

Built build_rail_only(const WiringParameters& p) {
  return std::make_unique<RailOnly>(p.numbers[0], p.numbers[1]);
}

Built build_rail_optimised(const WiringParameters& p) {
  const std::span<const std::size_t> n = p.numbers;
  const RailOptimised::Sizes sizes{.groups = n[0], .hosts = n[1], .rails = n[2], .spines = n[3]};
  return std::make_unique<RailOptimised>(sizes, speed_of(p.options));
}

Built build_torus(const WiringParameters& p) {
  return std::make_unique<Torus>(p.numbers);
}

/// Builds the wiring of a graph's file. Its path may hold characters that would end a name in a
/// table or a drawing.
Built build_graph(const WiringParameters& p) {
  for (const char c : p.path) {
    const bool control = static_cast<unsigned char>(c) < ' ' || c == 0x7f;
    if (control || c == '"' || c == '\\') {
      throw InputError(
          fmt::format("wiring {}: a graph's path has no quotes, backslashes or control characters",
                      text::shown(p.path)));
    }
  }
  const std::string file(p.path);
  return std::make_unique<Graph>(fmt::format("graph({})", file), read_graph_file(file));
}

constexpr std::array kKinds{
    WiringKind{.name = "bcube",
               .parameters = "n,k",
               .is_emulated = true,
               .about = "n^k hosts with k ports on k levels of switches with n ports: hosts whose "
                        "numbers to the base n differ in one digit share a switch",
               .paper = "Guo et al., BCube, SIGCOMM 2009",
               .example = "bcube(3,2)",
               .build = build_bcube},
    WiringKind{.name = "fat-tree",
               .parameters = "p",
               .options = kFatTreeOptions,
               .is_emulated = true,
               .about = "p^3/4 hosts below three layers of switches with p ports, of which as many "
                        "lead up as down",
               .paper = "Al-Fares, Loukissas, Vahdat, SIGCOMM 2008",
               .example = "fat-tree(4)",
               .build = build_fat_tree},
    WiringKind{.name = "single-switch",
               .parameters = "n",
               .is_emulated = true,
               .about = "n hosts with one port each on one switch",
               .paper = "Wang et al., BML, NeurIPS 2018, section 4.2: its testbed's Fat-Tree",
               .example = "single-switch(4)",
               .build = build_single_switch},
    WiringKind{.name = "leaf-spine",
               .parameters = "leaves,hosts,spines",
               .options = kLeafSpineOptions,
               .about =
                   "so many hosts at each leaf switch, and from every leaf one uplink to every "
                   "spine switch",
               .example = "leaf-spine(2,4,2)",
               .build = build_leaf_spine},
    WiringKind{.name = "rail-only",
               .parameters = "n,k",
               .about =
                   "n hosts with k ports: switch i joins port i of all hosts, and nothing joins "
                   "the switches",
               .paper = "Wang et al., Rail-only, HOTI 2024",
               .example = "rail-only(4,2)",
               .build = build_rail_only},
    WiringKind{.name = "rail-optimised",
               .parameters = "groups,hosts,rails,spines",
               .options = kRailOptions,
               .about =
                   "groups of hosts with one leaf switch per rail, that is per port of a host, "
                   "and from every leaf one uplink to every spine switch",
               .example = "rail-optimised(2,2,2,2)",
               .build = build_rail_optimised},
    WiringKind{.name = "torus",
               .parameters = "a,b[,c]",
               .about =
                   "hosts in a grid of two or three dimensions whose ends meet, cabled to their "
                   "neighbours without switches",
               .example = "torus(3,3)",
               .build = build_torus},
    WiringKind{.name = "graph",
               .parameters = "file.yaml",
               .is_file = true,
               .about = "hosts, switches and links as a file lists them",
               .example = "graph(experiments/graphs/two-leaves.yaml)",
               .build = build_graph},
};

/// The part of a name before its parentheses.
std::string_view kind_of(std::string_view wiring) {
  const std::string_view whole = text::trimmed(wiring);
  return text::trimmed(whole.substr(0, whole.find('(')));
}

const WiringKind& find_kind(std::string_view name) {
  if (name == "rail-optimized") name = "rail-optimised";
  const auto* const kind = std::ranges::find(kKinds, name, &WiringKind::name);
  if (kind != kKinds.end()) return *kind;
  std::vector<std::string> names;
  std::vector<std::string> forms;
  for (const WiringKind& each : kKinds) {
    names.emplace_back(each.name);
    forms.push_back(form_of(each));
  }
  throw InputError(fmt::format("{}; there are: {}", text::unknown_name("wiring", name, names),
                               fmt::join(forms, ", ")));
}

/// The number of sizes in "n,k".
std::size_t count_numbers(std::string_view parameters) {
  return static_cast<std::size_t>(std::ranges::count(parameters, ',')) + 1;
}

/// The leading arguments, which are numbers; options follow them.
std::vector<std::size_t> read_numbers(const WiringKind& kind, const text::Call& call) {
  const std::size_t fewest = count_numbers(kind.parameters.substr(0, kind.parameters.find('[')));
  const std::size_t most = count_numbers(kind.parameters);
  std::vector<std::size_t> numbers;
  for (const std::string_view argument : call.arguments) {
    const bool word = !argument.empty() && std::isalpha(static_cast<unsigned char>(argument[0]));
    if (argument.find('=') != std::string_view::npos || (word && numbers.size() >= fewest)) break;
    numbers.push_back(numbers.size() < most ? text::parse_count(argument) : 0);
  }
  if (numbers.size() < fewest || numbers.size() > most) {
    throw InputError("that is not the right number of parameters");
  }
  return numbers;
}

}  // namespace

std::span<const WiringKind> wiring_kinds() {
  return kKinds;
}

bool names_a_file(std::string_view name) {
  const auto* const kind = std::ranges::find(kKinds, kind_of(name), &WiringKind::name);
  return kind != kKinds.end() && kind->is_file;
}

std::string form_of(const WiringKind& kind) {
  return fmt::format("{}({})", kind.name, kind.parameters);
}

std::unique_ptr<const Topology> make_topology(std::string_view name) {
  const std::string_view whole = text::trimmed(name);
  const WiringKind& kind = find_kind(kind_of(name));
  const std::string form = form_of(kind);
  text::Call call;
  std::vector<std::size_t> numbers;
  try {
    call =
        text::parse_call(whole, kind.is_file ? text::Parentheses::path : text::Parentheses::list);
    if (call.arguments.empty()) throw InputError("the parameters in parentheses are missing");
    if (!kind.is_file) numbers = read_numbers(kind, call);
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("wiring {}: {}; write {}", text::shown(whole), error.what(), form));
  }
  if (kind.is_file) {
    return kind.build({.numbers = {}, .options = {form, {}, {}}, .path = call.arguments.front()});
  }
  const std::span options = std::span(call.arguments).subspan(numbers.size());
  return kind.build({.numbers = std::move(numbers),
                     .options = {form, text::make_spec(kind.name, options), kind.options}});
}

}  // namespace gradwire::topologies
