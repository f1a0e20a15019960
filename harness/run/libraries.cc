#include "harness/run/libraries.h"

#include <fmt/core.h>

#include "core/text/yaml_reader.h"
#include "harness/names/peer_algorithms.h"

namespace gradwire::run {

void require_libraries(const experiment::Experiment& experiment, const PreparedPoints& points,
                       const record::Libraries& libraries) {
  if (points.emulated.empty() && points.hosts.empty()) return;
  const names::TransportKind transport = experiment.transport.kind;
  if (const auto library = names::library_of(transport)) {
    text::at(experiment.transport_place, [&] {
      require(libraries, *library, fmt::format("transport {}", to_string(transport)));
    });
  }
  if (experiment.memory == Memory::device) {
    text::at(experiment.memory_place,
             [&] { require(libraries, record::Library::cuda, "memory: device"); });
  }
  for (const auto* measured : {&points.emulated, &points.hosts}) {
    for (const PreparedPoint& each : *measured) {
      if (each.dense) {
        text::at(each.point.amount_place,
                 [&] { require(libraries, record::Library::openblas, each.point.workload); });
      }
      if (!is_peer(each)) continue;
      const text::Spec& algorithm = each.point.algorithm;
      text::at(each.point.algorithm_place,
               [&] { require(libraries, names::library_of(algorithm), to_string(algorithm)); });
    }
  }
  if (!points.hosts.empty()) {
    text::at(experiment.backing_place,
             [&] { require(libraries, record::Library::mpi, "backing hosts"); });
  }
}

}  // namespace gradwire::run
