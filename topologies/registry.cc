#include "topologies/registry.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "topologies/bcube.h"
#include "topologies/fat_tree.h"
#include "topologies/graph.h"
#include "topologies/leaf_spine.h"
#include "topologies/rail_only.h"
#include "topologies/rail_optimised.h"
#include "topologies/single_switch.h"
#include "topologies/torus.h"

namespace gradwire::topologies {
namespace {

using Built = std::unique_ptr<const Topology>;
using Value = OptionForm::Value;

constexpr OptionForm kSpeed{"speed", Value::speed,
                            "an uplink's speed, times the link rate; 1 by default"};
constexpr OptionForm kEcmp{"ecmp", Value::none,
                           "switches choose uplinks by a hash of the flow; not emulated"};
constexpr OptionForm kSeed{"seed", Value::number, "of that hash; 1 by default"};
constexpr OptionForm kNics{
    "nics", Value::number,
    "ports per host, and as many whole Fat-Trees; 1 by default, not emulated "
    "with more"};
constexpr std::array kFatTreeOptions{kNics, kEcmp, kSeed};
constexpr std::array kLeafSpineOptions{kSpeed, kEcmp, kSeed};
constexpr std::array kRailOptions{kSpeed};

std::optional<Ecmp> ecmp_of(const Parameters& parameters) {
  if (parameters.has_flag("ecmp")) return Ecmp{parameters.count_or("seed", Ecmp{}.seed)};
  if (parameters.counts.contains("seed")) {
    throw InputError("a wiring's seed says how ecmp spreads flows: write ecmp, seed=...");
  }
  return std::nullopt;
}

Built build_bcube(const Parameters& p) {
  return std::make_unique<BCube>(p.numbers[0], p.numbers[1]);
}

Built build_fat_tree(const Parameters& p) {
  return std::make_unique<FatTree>(
      p.numbers[0], FatTree::Options{.nics = p.count_or("nics", 1), .ecmp = ecmp_of(p)});
}

Built build_single_switch(const Parameters& p) {
  return std::make_unique<SingleSwitch>(p.numbers[0]);
}

Built build_leaf_spine(const Parameters& p) {
  return std::make_unique<LeafSpine>(
      p.numbers[0], p.numbers[1], p.numbers[2],
      LeafSpine::Options{.speed = p.speed_or("speed", 1), .ecmp = ecmp_of(p)});
}

Built build_rail_only(const Parameters& p) {
  return std::make_unique<RailOnly>(p.numbers[0], p.numbers[1]);
}

Built build_rail_optimised(const Parameters& p) {
  const std::span<const std::size_t> n = p.numbers;
  const RailOptimised::Sizes sizes{.groups = n[0], .hosts = n[1], .rails = n[2], .spines = n[3]};
  return std::make_unique<RailOptimised>(sizes, p.speed_or("speed", 1));
}

Built build_torus(const Parameters& p) {
  return std::make_unique<Torus>(p.numbers);
}

/// Reads numbers and options as the kind has them.
template <Built (*build)(const Parameters&)>
Built build_from(const WiringKind& kind, std::string_view list, std::string_view whole) {
  const std::string form = form_of(kind);
  const std::string_view needed = kind.parameters.substr(0, kind.parameters.find('['));
  const auto numbers = [](std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count(text, ',')) + 1;
  };
  return build(parse_parameters(list, whole,
                                {.form = form,
                                 .fewest = numbers(needed),
                                 .most = numbers(kind.parameters),
                                 .options = kind.options}));
}

/// A path may hold what would end a name in a table or a drawing.
Built build_graph(const WiringKind&, std::string_view path, std::string_view whole) {
  for (const char c : path) {
    const bool control = static_cast<unsigned char>(c) < ' ' || c == 0x7f;
    if (control || c == '"' || c == '\\') {
      throw InputError(
          fmt::format("wiring {}: a graph's path has no quotes, backslashes or control characters",
                      shown(whole)));
    }
  }
  const std::string file(path);
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
               .build = build_from<build_bcube>},
    WiringKind{.name = "fat-tree",
               .parameters = "p",
               .options = kFatTreeOptions,
               .is_emulated = true,
               .about = "p^3/4 hosts below three layers of switches with p ports, of which as many "
                        "lead up as down",
               .paper = "Al-Fares, Loukissas, Vahdat, SIGCOMM 2008",
               .example = "fat-tree(4)",
               .build = build_from<build_fat_tree>},
    WiringKind{.name = "single-switch",
               .parameters = "n",
               .is_emulated = true,
               .about = "n hosts with one port each on one switch",
               .paper = "Wang et al., BML, NeurIPS 2018, section 4.2: its testbed's Fat-Tree",
               .example = "single-switch(4)",
               .build = build_from<build_single_switch>},
    WiringKind{.name = "leaf-spine",
               .parameters = "leaves,hosts,spines",
               .options = kLeafSpineOptions,
               .about =
                   "so many hosts at each leaf switch, and from every leaf one uplink to every "
                   "spine switch",
               .example = "leaf-spine(2,4,2)",
               .build = build_from<build_leaf_spine>},
    WiringKind{.name = "rail-only",
               .parameters = "n,k",
               .about =
                   "n hosts with k ports: switch i joins port i of all hosts, and nothing joins "
                   "the switches",
               .paper = "Wang et al., Rail-only, HOTI 2024",
               .example = "rail-only(4,2)",
               .build = build_from<build_rail_only>},
    WiringKind{.name = "rail-optimised",
               .parameters = "groups,hosts,rails,spines",
               .options = kRailOptions,
               .about =
                   "groups of hosts with one leaf switch per rail, that is per port of a host, "
                   "and from every leaf one uplink to every spine switch",
               .example = "rail-optimised(2,2,2,2)",
               .build = build_from<build_rail_optimised>},
    WiringKind{.name = "torus",
               .parameters = "a,b[,c]",
               .about =
                   "hosts in a grid of two or three dimensions whose ends meet, cabled to their "
                   "neighbours without switches",
               .example = "torus(3,3)",
               .build = build_from<build_torus>},
    WiringKind{.name = "graph",
               .parameters = "file.yaml",
               .is_file = true,
               .about = "hosts, switches and links as a file lists them",
               .example = "graph(experiments/graphs/two-leaves.yaml)",
               .build = build_graph},
};

const WiringKind& find_kind(std::string_view name) {
  if (name == "rail-optimized") name = "rail-optimised";
  const auto* const kind = std::ranges::find(kKinds, name, &WiringKind::name);
  if (kind != kKinds.end()) return *kind;
  std::string known;
  for (const WiringKind& each : kKinds) {
    known += fmt::format("{}{}", known.empty() ? "" : ", ", form_of(each));
  }
  throw InputError(fmt::format("unknown wiring {}: the known ones are {}", shown(name), known));
}

}  // namespace

std::span<const WiringKind> wiring_kinds() {
  return kKinds;
}

std::string form_of(const WiringKind& kind) {
  return fmt::format("{}({})", kind.name, kind.parameters);
}

std::unique_ptr<const Topology> make_topology(std::string_view name) {
  const std::string_view whole = trimmed(name);
  const std::size_t open = whole.find('(');
  const WiringKind& kind = find_kind(trimmed(whole.substr(0, open)));
  const auto fail = [&](std::string_view what) {
    throw InputError(fmt::format("wiring {}: {}, write {}", shown(whole), what, form_of(kind)));
  };
  if (open == std::string_view::npos) fail("the parameters in parentheses are missing");
  // A path may hold parentheses.
  const std::size_t close = kind.is_file ? whole.rfind(')') : whole.find(')', open);
  if (close == std::string_view::npos || close < open) fail("the closing parenthesis is missing");
  if (close + 1 != whole.size()) fail("there is text after the closing parenthesis");
  const std::string_view list = trimmed(whole.substr(open + 1, close - open - 1));
  if (list.empty()) fail(kind.is_file ? "the file is missing" : "the parameters are missing");
  return kind.build(kind, list, whole);
}

}  // namespace gradwire::topologies
