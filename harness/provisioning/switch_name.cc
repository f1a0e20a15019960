#include "harness/provisioning/switch_name.h"

namespace gradwire::harness {

std::string switch_name(const topologies::Topology& topology, NodeId node) {
  return topology.switch_word(node);
}

}  // namespace gradwire::harness
