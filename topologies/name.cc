#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "topologies/bcube.h"
#include "topologies/fat_tree.h"
#include "topologies/graph.h"
#include "topologies/leaf_spine.h"
#include "topologies/parameters.h"
#include "topologies/rail_only.h"
#include "topologies/rail_optimised.h"
#include "topologies/single_switch.h"
#include "topologies/topology.h"
#include "topologies/torus.h"

namespace gradwire::topologies {
namespace {

using Built = std::unique_ptr<const Topology>;
using Numbers = std::span<const std::size_t>;
using Value = OptionForm::Value;

constexpr OptionForm kSpeed{"speed", Value::speed};
constexpr OptionForm kEcmp{"ecmp", Value::none};
constexpr OptionForm kSeed{"seed", Value::number};
constexpr std::array kFatTreeOptions{OptionForm{"nics", Value::number}, kEcmp, kSeed};
constexpr std::array kLeafSpineOptions{kSpeed, kEcmp, kSeed};
constexpr std::array kRailOptions{kSpeed};

std::optional<Ecmp> ecmp_of(const Parameters& parameters) {
  if (parameters.has_flag("ecmp")) return Ecmp{parameters.count_or("seed", Ecmp{}.seed)};
  if (parameters.counts.contains("seed")) {
    throw InputError("a wiring's seed says how ecmp spreads flows: write ecmp, seed=...");
  }
  return std::nullopt;
}

Built build_fat_tree(const Parameters& p) {
  return std::make_unique<FatTree>(
      p.numbers[0], FatTree::Options{.nics = p.count_or("nics", 1), .ecmp = ecmp_of(p)});
}

Built build_leaf_spine(const Parameters& p) {
  return std::make_unique<LeafSpine>(
      p.numbers[0], p.numbers[1], p.numbers[2],
      LeafSpine::Options{.speed = p.speed_or("speed", 1), .ecmp = ecmp_of(p)});
}

Built build_rail_optimised(const Parameters& p) {
  const Numbers n = p.numbers;
  const RailOptimised::Sizes sizes{.groups = n[0], .hosts = n[1], .rails = n[2], .spines = n[3]};
  return std::make_unique<RailOptimised>(sizes, p.speed_or("speed", 1));
}

/// One kind of wiring: how its name is written, and how it is built from what the name says.
struct Kind {
  std::string_view name;
  ParameterForm form;
  Built (*build)(const Parameters& parameters);
};

const std::array<Kind, 7> kKinds{{
    {"bcube",
     {"bcube(n,k)", 2, 2},
     [](const Parameters& p) -> Built {
       return std::make_unique<BCube>(p.numbers[0], p.numbers[1]);
     }},
    {"fat-tree", {"fat-tree(p)", 1, 1, kFatTreeOptions}, build_fat_tree},
    {"single-switch",
     {"single-switch(n)", 1, 1},
     [](const Parameters& p) -> Built { return std::make_unique<SingleSwitch>(p.numbers[0]); }},
    {"leaf-spine", {"leaf-spine(leaves,hosts,spines)", 3, 3, kLeafSpineOptions}, build_leaf_spine},
    {"rail-only",
     {"rail-only(n,k)", 2, 2},
     [](const Parameters& p) -> Built {
       return std::make_unique<RailOnly>(p.numbers[0], p.numbers[1]);
     }},
    {"rail-optimised",
     {"rail-optimised(groups,hosts,rails,spines)", 4, 4, kRailOptions},
     build_rail_optimised},
    {"torus",
     {"torus(a,b) or torus(a,b,c)", 2, 3},
     [](const Parameters& p) -> Built { return std::make_unique<Torus>(p.numbers); }},
}};
constexpr std::string_view kGraph = "graph";
constexpr std::string_view kGraphForm = "graph(file.yaml)";

const Kind* find_kind(std::string_view name) {
  if (name == "rail-optimized") name = "rail-optimised";
  const auto* const kind = std::ranges::find(kKinds, name, &Kind::name);
  return kind == kKinds.end() ? nullptr : kind;
}

[[noreturn]] void refuse_kind(std::string_view name) {
  std::string known;
  for (const Kind& kind : kKinds) known += fmt::format("{}, ", kind.form.form);
  throw InputError(
      fmt::format("unknown wiring {}: the known ones are {}{}", shown(name), known, kGraphForm));
}

/// A path may hold what would end a name in a table or a drawing.
Built build_graph(std::string_view path, std::string_view whole) {
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

}  // namespace

std::unique_ptr<const Topology> make_topology(std::string_view name) {
  const std::string_view whole = trimmed(name);
  const std::size_t open = whole.find('(');
  const std::string_view kind_name = trimmed(whole.substr(0, open));
  const Kind* const kind = find_kind(kind_name);
  const bool graph = kind_name == kGraph;
  if (!graph && kind == nullptr) refuse_kind(kind_name);
  const auto fail = [&](std::string_view what) {
    throw InputError(fmt::format("wiring {}: {}, write {}", shown(whole), what,
                                 graph ? kGraphForm : kind->form.form));
  };
  if (open == std::string_view::npos) fail("the parameters in parentheses are missing");
  // A path may hold parentheses.
  const std::size_t close = graph ? whole.rfind(')') : whole.find(')', open);
  if (close == std::string_view::npos || close < open) fail("the closing parenthesis is missing");
  if (close + 1 != whole.size()) fail("there is text after the closing parenthesis");
  const std::string_view list = trimmed(whole.substr(open + 1, close - open - 1));
  if (list.empty()) fail(graph ? "the file is missing" : "the parameters are missing");
  return graph ? build_graph(list, whole) : kind->build(parse_parameters(list, whole, kind->form));
}

}  // namespace gradwire::topologies
