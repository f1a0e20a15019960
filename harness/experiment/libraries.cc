#include "harness/experiment/libraries.h"

#include <fmt/core.h>

#include "harness/names/peer_algorithms.h"
#include "text/yaml_reader.h"

namespace gradwire::experiment {

void check_libraries(const Experiment& experiment, const record::Libraries& libraries) {
  const bool hosts = runs_on(experiment, record::Backing::hosts);
  if (!hosts && !runs_on(experiment, record::Backing::emulated)) return;
  const names::TransportKind transport = experiment.transport.kind;
  if (const auto library = names::library_of(transport)) {
    text::at(experiment.transport_place, [&] {
      require(libraries, *library, fmt::format("transport {}", to_string(transport)));
    });
  }
  for (const Point& point : experiment.points) {
    if (!names::is_peer(point.algorithm)) continue;
    text::at(point.algorithm_place, [&] {
      require(libraries, names::library_of(point.algorithm), to_string(point.algorithm));
    });
  }
  if (hosts) {
    text::at(experiment.backing_place,
             [&] { require(libraries, record::Library::mpi, "backing hosts"); });
  }
}

}  // namespace gradwire::experiment
