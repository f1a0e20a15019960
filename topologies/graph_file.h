#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/error.h"

/// The YAML file that describes a user's wiring:
///
///     gradwire-graph: 1
///     name: two-leaves                       # may be left out
///     hosts: [h0, h1, h2, h3]                # or a number: 4 names them h0 to h3
///     switches: [leaf0, leaf1]               # may be left out
///     links:
///       - [h0, leaf0]                        # a cable of the experiment's link rate
///       - {a: leaf0, b: leaf1, speed: 4}     # four times as fast
///
/// Every node hands out its ports in the order of the links. Links that stand twice are parallel
/// cables. Names are letters, digits and the characters _ - . / : and not longer than 64.
namespace gradwire::topologies {

struct GraphFile {
  struct Node {
    std::string name;
    SourcePlace place;
  };
  /// A cable between two nodes. Its ends are node numbers: hosts first, then switches.
  struct Cable {
    std::size_t a = 0;
    std::size_t b = 0;
    double speed = 1;
  };

  std::string title;  ///< may be empty
  std::vector<Node> nodes;
  std::size_t hosts = 0;
  std::vector<Cable> cables;
};

inline constexpr std::size_t kMaxGraphBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxGraphHosts = 4096;
inline constexpr std::size_t kMaxGraphCables = 65'535;

/// Reads a file without waiting: a pipe or a device is refused. Throws InputError with file, line
/// and column if it cannot be read, is larger than kMaxGraphBytes, is not YAML that
/// core/text/yaml_document.h reads, or is not of the form above: an unknown or doubled key, an
/// unknown node, a node named twice, a cable from a node to itself, a speed that is not positive,
/// more hosts or cables than allowed.
[[nodiscard]] GraphFile read_graph_file(const std::string& path);

/// Reads the text of a file like read_graph_file(); messages call it `path`.
[[nodiscard]] GraphFile parse_graph(const std::string& text, const std::string& path);

}  // namespace gradwire::topologies
