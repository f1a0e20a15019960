#include <array>

#include "results/report/metrics/topics.h"
#include "results/report/metrics/values.h"

namespace gradwire::report {
namespace {

using record::Row;

constexpr std::array kMetrics = std::to_array<Metric>({
    {.name = "wrong",
     .definition = "Elements that are not the exact sum, over all ranks and iterations.",
     .kind = Kind::count,
     .nullable = true,
     .json = "/wrong",
     .csv = {"wrong"},
     .column = {.heading = "#wrong", .results = kShown},
     .glossary = true,
     .value = of_row<&Row::wrong>},
    {.name = "flags",
     .definition = "Why the row is not to be taken as it stands.",
     .kind = Kind::list,
     .json = "/flags",
     .element = R"json({"type": "string"})json",
     .csv = {"flags"},
     .column = {.heading = "flags", .results = kShown},
     .value = of_row<record::row_flags>},
});

}  // namespace

std::span<const Metric> verdict_metrics() {
  return kMetrics;
}

}  // namespace gradwire::report
