#include "topologies/graph_file.h"

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "core/to_number.h"
#include "text/text_check.h"
#include "topologies/speed.h"

namespace gradwire::topologies {
namespace {

constexpr std::size_t kLongestName = 64;
constexpr const char* kForm =
    "a graph is 'gradwire-graph: 1', 'hosts: [...]', 'switches: [...]' and 'links: [[a, b], ...]'";

SourcePlace place_of(const std::string& file, const YAML::Mark& mark) {
  if (mark.is_null()) return {file};
  return {file, static_cast<std::size_t>(mark.line) + 1, static_cast<std::size_t>(mark.column) + 1};
}

/// Stops at what a graph never has, before a tree of nodes is built.
class Guard final : public YAML::EventHandler {
 public:
  explicit Guard(const std::string& file) : file_(file) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) refuse(mark, "a file holds one document, and a second one begins here");
  }
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark& mark, const std::string&) override {
    refuse(mark, "anchors (&name) are not allowed");
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(mark, "aliases (*name) are not allowed");
  }
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string&) override {
    refuse_tag(mark, tag);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    refuse_tag(mark, tag);
  }
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    refuse_tag(mark, tag);
  }
  void OnMapEnd() override {}

 private:
  [[noreturn]] void refuse(const YAML::Mark& mark, const char* why) const {
    throw InputError(place_of(file_, mark), why);
  }
  /// "?" and "!" are what yaml-cpp gives to plain and to quoted scalars.
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (!tag.empty() && tag != "?" && tag != "!") refuse(mark, "tags (!type) are not allowed");
  }

  const std::string& file_;
  std::size_t documents_ = 0;
};

YAML::Node load(const std::string& text, const std::string& file) {
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    Guard guard(file);
    while (parser.HandleNextDocument(guard)) continue;
    return YAML::Load(text);
  } catch (const YAML::Exception& error) {
    throw InputError(place_of(file, error.mark), error.msg);
  }
}

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  GraphFile read(const YAML::Node& root) {
    if (!root.IsMap()) refuse(root, kForm);
    // First: what a newer form has that this one has not is no mistake.
    const YAML::Node version = root["gradwire-graph"];
    if (version && text_of(version) != "1")
      refuse(version, "the form of the file is gradwire-graph: 1");
    check_keys(root, {"gradwire-graph", "name", "hosts", "switches", "links"});
    static_cast<void>(required(root, "gradwire-graph"));
    if (const YAML::Node name = root["name"]) graph_.title = name_of(name);
    read_hosts(required(root, "hosts"));
    if (const YAML::Node switches = root["switches"]) add_nodes(switches);
    const YAML::Node links = required(root, "links");
    if (!links.IsSequence())
      refuse(links, "links is a list of [a, b] or {a: ..., b: ..., speed: ...}");
    if (links.size() > kMaxGraphCables) {
      refuse(links, fmt::format("{} links are too many: at most {} are allowed", links.size(),
                                kMaxGraphCables));
    }
    for (const YAML::Node& link : links) add_link(link);
    return std::move(graph_);
  }

 private:
  [[noreturn]] void refuse(const YAML::Node& node, const std::string& why) const {
    throw InputError(place_of(file_, node.Mark()), why);
  }

  void check_keys(const YAML::Node& map, std::initializer_list<std::string_view> known) const {
    std::vector<std::string> seen;
    for (const auto& entry : map) {
      const std::string key = text_of(entry.first);
      if (std::ranges::find(known, key) == known.end()) {
        refuse(entry.first, fmt::format("unknown key {}: the known ones are {}", text::shown(key),
                                        fmt::join(known, ", ")));
      }
      if (std::ranges::find(seen, key) != seen.end()) {
        refuse(entry.first, fmt::format("the key {} is given twice", key));
      }
      seen.push_back(key);
    }
  }

  YAML::Node required(const YAML::Node& map, const char* key) const {
    const YAML::Node value = map[key];
    if (!value) refuse(map, fmt::format("'{}' is missing", key));
    return value;
  }

  std::string text_of(const YAML::Node& node) const {
    if (!node.IsScalar()) refuse(node, "a single word is expected here");
    return node.Scalar();
  }

  std::string name_of(const YAML::Node& node) const {
    const std::string name = text_of(node);
    const bool good =
        !name.empty() && name.size() <= kLongestName && std::ranges::all_of(name, [](char c) {
          return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                 std::string_view("_-./:").find(c) != std::string_view::npos;
        });
    if (!good) {
      refuse(node, fmt::format("a name is 1 to {} letters, digits and _ - . / : characters, not {}",
                               kLongestName, text::shown(name)));
    }
    return name;
  }

  void read_hosts(const YAML::Node& hosts) {
    if (hosts.IsScalar()) {
      const std::string text = hosts.Scalar();
      const auto count = to_number<std::size_t>(text);
      if (!count) {
        refuse(hosts,
               fmt::format("hosts is a list of names or a number, not {}", text::shown(text)));
      }
      check_hosts(hosts, *count);
      for (std::size_t i = 0; i < *count; ++i) add_node(hosts, fmt::format("h{}", i));
    } else {
      if (hosts.IsSequence()) check_hosts(hosts, hosts.size());
      add_nodes(hosts);
    }
    graph_.hosts = graph_.nodes.size();
  }

  void check_hosts(const YAML::Node& hosts, std::size_t count) const {
    if (count < 2) refuse(hosts, "a graph needs two hosts at least");
    if (count > kMaxGraphHosts) {
      refuse(hosts, fmt::format("{} hosts are too many: at most {} are allowed in a graph", count,
                                kMaxGraphHosts));
    }
  }

  void add_nodes(const YAML::Node& list) {
    if (!list.IsSequence()) refuse(list, "a list of names is expected here");
    for (const YAML::Node& node : list) add_node(node, name_of(node));
  }

  void add_node(const YAML::Node& node, const std::string& name) {
    if (!number_of_.emplace(name, graph_.nodes.size()).second) {
      refuse(node, fmt::format("{} is named twice", name));
    }
    graph_.nodes.push_back({name, place_of(file_, node.Mark())});
  }

  std::size_t number_of(const YAML::Node& node) const {
    const auto found = number_of_.find(text_of(node));
    if (found == number_of_.end()) {
      refuse(node, fmt::format("unknown node {}: it is neither in hosts nor in switches",
                               text::shown(node.Scalar())));
    }
    return found->second;
  }

  void add_link(const YAML::Node& link) {
    if (link.IsMap()) {
      check_keys(link, {"a", "b", "speed"});
      const std::size_t a = number_of(required(link, "a"));
      const std::size_t b = number_of(required(link, "b"));
      const YAML::Node speed = link["speed"];
      add_cable(link, {a, b, speed ? speed_of(speed, a, b) : 1});
    } else if (link.IsSequence() && link.size() == 2) {
      add_cable(link, {number_of(link[0]), number_of(link[1])});
    } else {
      refuse(link, "a link is [a, b] or {a: ..., b: ..., speed: ...}");
    }
  }

  void add_cable(const YAML::Node& link, const GraphFile::Cable& cable) {
    if (cable.a == cable.b) {
      refuse(link, fmt::format("a link from {} to itself", graph_.nodes[cable.a].name));
    }
    graph_.cables.push_back(cable);
  }

  double speed_of(const YAML::Node& node, std::size_t a, std::size_t b) const {
    const std::string text = text_of(node);
    const auto speed = to_number<double>(text);
    if (!speed || !(*speed >= kMinSpeed && *speed <= kMaxSpeed)) {
      refuse(node, fmt::format("link {} - {} has speed {}: a speed is a number from {} to {}, "
                               "times the link rate",
                               graph_.nodes[a].name, graph_.nodes[b].name,
                               text.size() > kLongestName ? text::shown(text) : text, kMinSpeed,
                               kMaxSpeed));
    }
    return *speed;
  }

  const std::string& file_;
  GraphFile graph_;
  std::map<std::string, std::size_t> number_of_;
};

}  // namespace

GraphFile parse_graph(const std::string& text, const std::string& path) {
  if (text.size() > kMaxGraphBytes) {
    throw InputError(SourcePlace{path},
                     fmt::format("a graph file has {} bytes at most", kMaxGraphBytes));
  }
  return Reader(path).read(load(text, path));
}

GraphFile read_graph_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  // One byte more than allowed, so that a file that never ends is refused too.
  std::string text(kMaxGraphBytes + 1, '\0');
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file && !file.eof()) throw InputError(SourcePlace{path}, "the graph cannot be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  return parse_graph(text, path);
}

}  // namespace gradwire::topologies
