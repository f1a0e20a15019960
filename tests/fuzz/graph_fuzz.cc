#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "core/error.h"
#include "tests/fuzz/fuzz.h"
#include "topologies/export.h"
#include "topologies/graph.h"
#include "topologies/graph_file.h"

/// Files of wirings that users write down, up to the wiring with its routes.
namespace gradwire::topologies {
namespace {

/// Routes take the square of the nodes; larger wirings are for benchmarks.
constexpr std::size_t kMostNodes = 64;

/// The same graph, written as the header says a graph is.
std::string text_of(const GraphFile& graph) {
  std::string hosts;
  std::string switches;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    (i < graph.hosts ? hosts : switches) += fmt::format("\"{}\", ", graph.nodes[i].name);
  }
  std::string text =
      fmt::format("gradwire-graph: 1\nhosts: [{}]\nswitches: [{}]\nlinks:\n", hosts, switches);
  if (!graph.title.empty()) text += fmt::format("name: \"{}\"\n", graph.title);
  const auto cables = text.find("links:\n") + 7;
  std::string links;
  for (const GraphFile::Cable& cable : graph.cables) {
    links += fmt::format("  - {{a: \"{}\", b: \"{}\", speed: {}}}\n", graph.nodes[cable.a].name,
                         graph.nodes[cable.b].name, cable.speed);
  }
  return text.insert(cables, links.empty() ? "  []\n" : links);
}

bool are_alike(const GraphFile& one, const GraphFile& other) {
  const auto same_name = [](const auto& a, const auto& b) { return a.name == b.name; };
  const auto same_cable = [](const auto& a, const auto& b) {
    return a.a == b.a && a.b == b.b && a.speed == b.speed;
  };
  return one.title == other.title && one.hosts == other.hosts &&
         std::ranges::equal(one.nodes, other.nodes, same_name) &&
         std::ranges::equal(one.cables, other.cables, same_cable);
}

}  // namespace
}  // namespace gradwire::topologies

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  using namespace gradwire::topologies;
  const std::string text(fuzz::text_of(data, size));
  const auto file = fuzz::value_of<InputError>([&] { return parse_graph(text, "fuzz.yaml"); });
  if (!file) return 0;
  if (file->nodes.size() > kMostNodes || file->cables.size() > kMostNodes) return 0;
  fuzz::require(are_alike(*file, parse_graph(text_of(*file), "again.yaml")),
                "a graph is read as it is written");
  static_cast<void>(fuzz::value_of<InputError>([&] {
    const Graph graph("graph(fuzz.yaml)", *file);
    return export_json(graph) + export_dot(graph) + export_cabling(graph);
  }));
  return 0;
}
