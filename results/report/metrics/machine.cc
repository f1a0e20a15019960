#include <array>

#include <fmt/core.h>

#include "results/report/metrics/topics.h"
#include "results/report/metrics/values.h"

namespace gradwire::report {
namespace {

using record::Iterations;
using record::Row;

template <auto Get>
nlohmann::json of_iterations(const Subject& subject) {
  return as_value(std::invoke(Get, subject.row.iterations));
}

nlohmann::json kept_of_attempted(const Subject& subject) {
  return fmt::format("{}/{}", subject.row.gst.n, subject.row.attempted());
}

constexpr std::array kMachineMetrics = std::to_array<Metric>({
    {.name = "iteration counts",
     .definition = "Iterations that were attempted, and why some of them do not count.",
     .kind = Kind::object,
     .json = "/iterations"},
    {.name = "attempted",
     .definition = "Iterations that were made: n of them count.",
     .kind = Kind::count,
     .json = "/iterations/attempted",
     .csv = {.name = "attempted", .after = "n"},
     .glossary = true,
     .value = of_row<&Row::attempted>},
    {.name = "warm-up",
     .definition = "Iterations that do not count because they warmed up what is measured.",
     .kind = Kind::count,
     .json = "/iterations/warmup",
     .csv = {.name = "warmup", .after = "attempted"},
     .glossary = true,
     .value = of_iterations<&Iterations::warmup>},
    {.name = "left behind",
     .definition = "Iterations of a training job's other attempts, which do not count because "
                   "their buckets may differ.",
     .kind = Kind::count,
     .json = "/iterations/earlier",
     .csv = {.name = "left_behind", .after = "warm-up"},
     .glossary = true,
     .value = of_iterations<&Iterations::earlier>},
    {.name = "disturbed",
     .definition =
         "Iterations that count and during which other programs took much of the machine.",
     .kind = Kind::count,
     .json = "/iterations/disturbed",
     .csv = {.name = "disturbed", .after = "left behind"},
     .glossary = true,
     .value = of_iterations<&Iterations::disturbed>},
    {.name = "kept",
     .definition = "Iterations that count, of those that were attempted.",
     .kind = Kind::text,
     .column = {.heading = "kept", .results = kShown},
     .value = kept_of_attempted},
    {.name = "foreign share",
     .definition = "The share of the machine that other programs had while iterations ran; median.",
     .nullable = true,
     .json = "/foreign_share",
     .csv = {"foreign_share"},
     .column = {.heading = "foreign%", .results = kShown, .factor = 100},
     .glossary = true,
     .value = of_row<&Row::foreign_share>},
});

}  // namespace

std::span<const Metric> machine_metrics() {
  return kMachineMetrics;
}

}  // namespace gradwire::report
