#include "harness/commands/dry_run.h"

#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/text/table.h"
#include "core/units.h"
#include "harness/run/machine_needs.h"

namespace gradwire::commands {
namespace {

constexpr std::array kHeadings = std::to_array<text::Heading>({
    {"point"},
    {"backing", "", true},
    {"wiring", "", true},
    {"algo", "", true},
    {"workload", "", true},
    {"batch"},
    {"sched", "", true},
    {"N"},
    {"k"},
    {"size", "(B)"},
    {"bound", "(us)"},
    {"memory"},
});

std::vector<std::string> cells(const run::PreparedPoint& point) {
  const record::Configuration& c = point.configuration;
  const bool measured = c.backing != record::Backing::simulated;
  return {fmt::to_string(c.point),
          to_string(c.backing),
          c.wiring,
          c.algorithm,
          c.workload.empty() ? "-" : c.workload,
          c.batch == 0 ? "-" : fmt::to_string(c.batch),
          c.schedule,
          fmt::to_string(c.ranks),
          fmt::to_string(c.ports_per_host),
          fmt::to_string(c.bytes()),
          point.bound ? text::microseconds(*point.bound) : "-",
          measured ? format_bytes(run::gradient_bytes(point)) : "-"};
}

}  // namespace

void print_dry_run(const experiment::Experiment& experiment, const run::PreparedPoints& prepared,
                   const std::optional<record::SweepPart>& part) {
  const std::string which = part ? fmt::format(", of which part {} is run", to_string(*part)) : "";
  fmt::print("# {}: {} points{}, {} + {} iterations each; nothing is run\n", experiment.name,
             experiment.points.size(), which, experiment.warmup, experiment.iterations);
  std::vector<std::vector<std::string>> lines;
  for (const auto* points : {&prepared.emulated, &prepared.hosts, &prepared.simulated}) {
    for (const run::PreparedPoint& point : *points) lines.push_back(cells(point));
  }
  fmt::print("{}", text::format_columns(kHeadings, lines));
}

}  // namespace gradwire::commands
