#pragma once

#include <set>
#include <string>

#include "topologies/registry.h"

/// For tests that hold for all wirings.
namespace gradwire::topologies::testing {

/// Small wirings by their canonical names: every kind's example but a graph's, and what is special
/// among their sizes and options.
inline std::set<std::string> wirings() {
  std::set<std::string> names{"bcube(2,1)",
                              "bcube(4,2)",
                              "bcube(2,4)",
                              "fat-tree(2)",
                              "fat-tree(6)",
                              "single-switch(2)",
                              "single-switch(9)",
                              "fat-tree(4,nics=2)",
                              "fat-tree(4,nics=2,ecmp,seed=5)",
                              "leaf-spine(3,4,2)",
                              "leaf-spine(3,2,4,speed=2.5,ecmp)",
                              "rail-only(6,3)",
                              "rail-only(2,1)",
                              "rail-optimised(3,2,2,3)",
                              "rail-optimised(1,4,2,2,speed=4)",
                              "torus(2,2)",
                              "torus(3,4)",
                              "torus(5,2)",
                              "torus(4,3,2)"};
  for (const WiringKind& kind : wiring_kinds()) {
    if (!kind.is_file) names.emplace(kind.example);
  }
  return names;
}

}  // namespace gradwire::topologies::testing
