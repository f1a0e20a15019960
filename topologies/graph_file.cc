#include "topologies/graph_file.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/text/text_check.h"
#include "core/text/yaml_document.h"
#include "core/to_number.h"
#include "topologies/speed.h"

namespace gradwire::topologies {
namespace {

using text::YamlDocument;
using text::YamlEntry;
using text::YamlKind;
using text::YamlNode;

constexpr std::size_t kLongestName = 64;
constexpr const char* kForm =
    "a graph is 'gradwire-graph: 1', 'hosts: [...]', 'switches: [...]' and 'links: [[a, b], ...]'";

/// Limits for the file's YAML: a cable is seven values at most, and all cables may be on one line.
constexpr text::YamlLimits kLimits{.bytes = kMaxGraphBytes,
                                   .line_bytes = kMaxGraphBytes,
                                   .nodes = 7 * (kMaxGraphCables + kMaxGraphHosts)};

class Reader {
 public:
  explicit Reader(const YamlDocument& document) : document_(document) {}

  GraphFile read() {
    const YamlNode& root = document_.root;
    if (root.kind != YamlKind::map) refuse(root.position, kForm);
    // First: what a newer form has that this one has not is no mistake.
    const YamlEntry* const version = root.find("gradwire-graph");
    if (version != nullptr && text_of(version->value) != "1") {
      refuse(version->value.position, "the form of the file is gradwire-graph: 1");
    }
    check_keys(root, {"gradwire-graph", "name", "hosts", "switches", "links"});
    static_cast<void>(required(root, "gradwire-graph"));
    if (const YamlEntry* const name = root.find("name")) graph_.title = name_of(name->value);
    read_hosts(required(root, "hosts"));
    if (const YamlEntry* const switches = root.find("switches")) add_nodes(switches->value);
    read_links(required(root, "links"));
    return std::move(graph_);
  }

 private:
  [[noreturn]] void refuse(text::TextPosition position, const std::string& why) const {
    throw InputError(document_.place(position), why);
  }

  void check_keys(const YamlNode& map, std::initializer_list<std::string_view> known) const {
    for (const YamlEntry& entry : map.entries) {
      if (std::ranges::find(known, entry.key) != known.end()) continue;
      refuse(entry.position, fmt::format("unknown key {}: the known ones are {}",
                                         text::shown(entry.key), fmt::join(known, ", ")));
    }
  }

  [[nodiscard]] const YamlNode& required(const YamlNode& map, const char* key) const {
    const YamlEntry* const entry = map.find(key);
    if (entry == nullptr) refuse(map.position, fmt::format("'{}' is missing", key));
    return entry->value;
  }

  [[nodiscard]] const std::string& text_of(const YamlNode& node) const {
    if (node.kind != YamlKind::scalar) refuse(node.position, "a single word is expected here");
    return node.text;
  }

  std::string name_of(const YamlNode& node) const {
    const std::string& name = text_of(node);
    const bool good =
        !name.empty() && name.size() <= kLongestName && std::ranges::all_of(name, [](char c) {
          return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                 std::string_view("_-./:").find(c) != std::string_view::npos;
        });
    if (!good) {
      refuse(node.position,
             fmt::format("a name is 1 to {} letters, digits and _ - . / : characters, not {}",
                         kLongestName, text::shown(name)));
    }
    return name;
  }

  void read_hosts(const YamlNode& hosts) {
    if (hosts.kind == YamlKind::scalar) {
      const auto count = to_number<std::size_t>(hosts.text);
      if (!count) {
        refuse(hosts.position, fmt::format("hosts is a list of names or a number, not {}",
                                           text::shown(hosts.text)));
      }
      check_hosts(hosts, *count);
      for (std::size_t i = 0; i < *count; ++i) add_node(hosts, fmt::format("h{}", i));
    } else {
      if (hosts.kind == YamlKind::sequence) check_hosts(hosts, hosts.items.size());
      add_nodes(hosts);
    }
    graph_.hosts = graph_.nodes.size();
  }

  void check_hosts(const YamlNode& hosts, std::size_t count) const {
    if (count < 2) refuse(hosts.position, "a graph needs two hosts at least");
    if (count > kMaxGraphHosts) {
      refuse(hosts.position, fmt::format("{} hosts are too many: at most {} are allowed in a graph",
                                         count, kMaxGraphHosts));
    }
  }

  void add_nodes(const YamlNode& list) {
    if (list.kind != YamlKind::sequence) refuse(list.position, "a list of names is expected here");
    for (const YamlNode& node : list.items) add_node(node, name_of(node));
  }

  void add_node(const YamlNode& node, const std::string& name) {
    if (!number_of_.emplace(name, graph_.nodes.size()).second) {
      refuse(node.position, fmt::format("{} is named twice", name));
    }
    graph_.nodes.push_back({name, document_.place(node.position)});
  }

  std::size_t number_of(const YamlNode& node) const {
    const auto found = number_of_.find(text_of(node));
    if (found == number_of_.end()) {
      refuse(node.position, fmt::format("unknown node {}: it is neither in hosts nor in switches",
                                        text::shown(node.text)));
    }
    return found->second;
  }

  void read_links(const YamlNode& links) {
    if (links.kind != YamlKind::sequence) {
      refuse(links.position, "links is a list of [a, b] or {a: ..., b: ..., speed: ...}");
    }
    if (links.items.size() > kMaxGraphCables) {
      refuse(links.position, fmt::format("{} links are too many: at most {} are allowed",
                                         links.items.size(), kMaxGraphCables));
    }
    for (const YamlNode& link : links.items) add_link(link);
  }

  void add_link(const YamlNode& link) {
    if (link.kind == YamlKind::map) {
      check_keys(link, {"a", "b", "speed"});
      const std::size_t a = number_of(required(link, "a"));
      const std::size_t b = number_of(required(link, "b"));
      const YamlEntry* const speed = link.find("speed");
      add_cable(link, {a, b, speed != nullptr ? speed_of(speed->value, a, b) : 1});
    } else if (link.kind == YamlKind::sequence && link.items.size() == 2) {
      add_cable(link, {number_of(link.items[0]), number_of(link.items[1])});
    } else {
      refuse(link.position, "a link is [a, b] or {a: ..., b: ..., speed: ...}");
    }
  }

  void add_cable(const YamlNode& link, const GraphFile::Cable& cable) {
    if (cable.a == cable.b) {
      refuse(link.position, fmt::format("a link from {} to itself", graph_.nodes[cable.a].name));
    }
    graph_.cables.push_back(cable);
  }

  double speed_of(const YamlNode& node, std::size_t a, std::size_t b) const {
    const std::string& text = text_of(node);
    const auto speed = to_number<double>(text);
    if (!speed || !(*speed >= kMinSpeed && *speed <= kMaxSpeed)) {
      refuse(
          node.position,
          fmt::format("link {} - {} has speed {}: a speed is a number from {} to {}, "
                      "times the link rate",
                      graph_.nodes[a].name, graph_.nodes[b].name,
                      text.size() > kLongestName ? text::shown(text) : text, kMinSpeed, kMaxSpeed));
    }
    return *speed;
  }

  const YamlDocument& document_;
  GraphFile graph_;
  std::map<std::string, std::size_t> number_of_;
};

}  // namespace

GraphFile parse_graph(const std::string& text, const std::string& path) {
  const YamlDocument document = text::parse_yaml(text, path, kLimits);
  return Reader(document).read();
}

GraphFile read_graph_file(const std::string& path) {
  const YamlDocument document = text::load_yaml(path, kLimits);
  return Reader(document).read();
}

}  // namespace gradwire::topologies
