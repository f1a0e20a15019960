#include <array>

#include "results/report/metrics/topics.h"
#include "results/report/metrics/values.h"

namespace gradwire::report {
namespace {

using record::Row;

nlohmann::json integrity(const Subject& subject) {
  const std::string& integrity = subject.row.integrity;
  return integrity.empty() ? nlohmann::json() : nlohmann::json(integrity);
}

constexpr std::array kVerdictMetrics = std::to_array<Metric>({
    {.name = "wrong",
     .definition = "Elements that are not the exact sum, over all ranks and iterations.",
     .kind = Kind::count,
     .nullable = true,
     .json = "/wrong",
     .csv = {"wrong"},
     .column = {.heading = "#wrong", .brief = kBrief, .results = kShown},
     .glossary = true,
     .value = of_row<&Row::wrong>},
    {.name = "integrity",
     .definition =
         "What checked the bits on their way: crc32c of every frame, or off; icrc of RDMA "
         "devices; tcp-checksum of the kernel, which links may leave out.",
     .kind = Kind::text,
     .nullable = true,
     .json = "/integrity",
     .csv = {"integrity"},
     .glossary = true,
     .value = integrity},
    {.name = "flags",
     .definition = "Why the row is not to be taken as it stands.",
     .kind = Kind::list,
     .json = "/flags",
     .element = R"json({"type": "string"})json",
     .csv = {"flags"},
     .column = {.heading = "flags", .brief = kBrief, .results = kShown},
     .value = of_row<record::row_flags>},
});

}  // namespace

std::span<const Metric> verdict_metrics() {
  return kVerdictMetrics;
}

}  // namespace gradwire::report
