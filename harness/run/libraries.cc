#include "harness/run/libraries.h"

#include <fmt/core.h>

#include "collectives/algorithms/peer.h"
#include "core/text/yaml_reader.h"

namespace gradwire::run {

void require_libraries(const experiment::Experiment& experiment, const PreparedPoints& points,
                       const record::Libraries& libraries) {
  if (points.emulated.empty() && points.hosts.empty()) return;
  const execution::TransportKind transport = experiment.transport.kind;
  if (const auto library = execution::library_of(transport)) {
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
      if (each.task.workload.dense() != nullptr) {
        text::at(each.places.amount,
                 [&] { require(libraries, record::Library::openblas, each.task.workload.name()); });
      }
      const algorithms::Peer* const peer = each.task.algorithm.peer();
      if (peer == nullptr) continue;
      const record::Library library =
          peer->needs_mpi() ? record::Library::mpi : record::Library::gloo;
      text::at(each.places.algorithm,
               [&] { require(libraries, library, each.task.algorithm.name()); });
    }
  }
  if (!points.hosts.empty()) {
    text::at(experiment.backing_place,
             [&] { require(libraries, record::Library::mpi, "backing hosts"); });
  }
}

}  // namespace gradwire::run
