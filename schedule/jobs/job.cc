#include "schedule/jobs/job.h"

#include <fmt/core.h>

#include "core/name_table.h"

namespace gradwire::jobs {
namespace {

constexpr NameTable<Collective, 7> kCollectives({{"all-reduce", Collective::all_reduce},
                                                 {"reduce-scatter", Collective::reduce_scatter},
                                                 {"all-gather", Collective::all_gather},
                                                 {"broadcast", Collective::broadcast},
                                                 {"reduce", Collective::reduce},
                                                 {"all-to-all", Collective::all_to_all},
                                                 {"send", Collective::send}});

}  // namespace

std::string_view to_string(Collective collective) {
  return kCollectives.name_of(collective);
}

std::optional<Collective> find_collective(std::string_view name) {
  return kCollectives.find(name);
}

std::size_t nodes_of(const Job& job) {
  std::size_t nodes = 0;
  for (const Part& part : job.ranks) nodes += job.programs.at(part.program).nodes.size();
  return nodes;
}

std::string describe(const Call& call) {
  std::string text = fmt::format("{} of {} {} elements", to_string(call.what), call.elements,
                                 to_string(call.dtype));
  if (call.what == Collective::broadcast) text += fmt::format(" from place {}", call.root);
  if (call.what == Collective::reduce) text += fmt::format(" to place {}", call.root);
  return text;
}

std::string describe(const Program& program, std::size_t node) {
  const std::string& name = program.nodes.at(node).name;
  return name.empty() ? fmt::format("node {}", node) : fmt::format("node {} ({})", node, name);
}

}  // namespace gradwire::jobs
