#include <array>

#include "results/report/metrics/topics.h"
#include "results/report/metrics/values.h"

namespace gradwire::report {
namespace {

using record::Configuration;
using record::Row;
using record::StoredRun;

template <auto Member>
nlohmann::json of_run(const Subject& subject) {
  return subject.run != nullptr ? nlohmann::json(subject.run->*Member) : nlohmann::json();
}

nlohmann::json folder(const Subject& subject) {
  return subject.run != nullptr ? nlohmann::json(subject.run->folder.string()) : nlohmann::json();
}

constexpr std::array kPointMetrics = std::to_array<Metric>({
    {.name = "experiment",
     .definition = "The experiment's name.",
     .kind = Kind::text,
     .csv = {"experiment"},
     .value = of_run<&StoredRun::name>},
    {.name = "folder",
     .definition = "The run's folder.",
     .kind = Kind::text,
     .csv = {"folder"},
     .value = folder},
    {.name = "started",
     .definition = "When the run began, in UTC.",
     .kind = Kind::text,
     .csv = {"started"},
     .value = of_run<&StoredRun::started>},
    {.name = "key",
     .definition = "Hash of all that decides what the point takes; the same in every run.",
     .kind = Kind::text,
     .json = "/key",
     .csv = {"key"},
     .value = of_row<&Row::key>},
    {.name = "point",
     .definition = "The point's number in the experiment.",
     .kind = Kind::count,
     .json = "/point",
     .value = of_configuration<&Configuration::point>},
});

}  // namespace

std::span<const Metric> point_metrics() {
  return kPointMetrics;
}

}  // namespace gradwire::report
