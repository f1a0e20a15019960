#include "harness/run/points_of_part.h"

#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/error.h"
#include "core/hasher.h"

namespace gradwire::run {
namespace {

/// Hash that is the same in all parts of a sweep, on whatever machine they are made ready.
std::string hash_of(const PreparedPoints& points) {
  Hasher hasher;
  for (const auto* backing : {&points.emulated, &points.hosts, &points.simulated}) {
    hasher.mix(backing->size());
    for (const PreparedPoint& point : *backing) hasher.mix(point.key);
  }
  return fmt::format("{:016x}", hasher.value());
}

void require_one_dilation(const experiment::Experiment& experiment, const record::SweepPart& part) {
  const bool chooses = experiment::runs_on(experiment, record::Backing::emulated) &&
                       experiment.rate.is_limited() && !experiment.dilation;
  if (!chooses || part.of == 1) return;
  throw InputError(
      "every part of an emulation would choose a dilation of its own; give all of them the same, "
      "such as --dilation 100");
}

}  // namespace

record::PartRecord keep_part(const experiment::Experiment& experiment,
                             const record::SweepPart& part, PreparedPoints& points) {
  require_one_dilation(experiment, part);
  record::PartRecord record{.part = part, .planned = points.size(), .sweep = hash_of(points)};
  for (auto* backing : {&points.emulated, &points.hosts, &points.simulated}) {
    std::erase_if(*backing, [&part](const PreparedPoint& point) {
      return !part.has(point.configuration.point);
    });
  }
  return record;
}

void keep_part_of(const record::StoredRun& run, const experiment::Experiment& experiment,
                  PreparedPoints& points) {
  const auto before = record::part_record(run.context);
  if (!before) return;
  const record::PartRecord now = keep_part(experiment, before->part, points);
  if (now.sweep == before->sweep) return;
  throw InputError(
      SourcePlace{.file = run.folder.string()},
      fmt::format("is part {} of points that are no longer what they were: did a trace, "
                  "a graph, a ring's order or gradwire change?",
                  to_string(before->part)));
}

}  // namespace gradwire::run
