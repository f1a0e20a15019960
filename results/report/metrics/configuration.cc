#include <array>

#include "results/report/metrics/topics.h"
#include "results/report/metrics/values.h"

namespace gradwire::report {
namespace {

using record::Configuration;
using record::Row;

nlohmann::json backing(const Subject& subject) {
  return to_string(subject.row.configuration.backing);
}

nlohmann::json type(const Subject& subject) {
  return to_string(subject.row.configuration.type);
}

nlohmann::json memory(const Subject& subject) {
  return to_string(subject.row.configuration.memory);
}

nlohmann::json batch(const Subject& subject) {
  const std::uint64_t batch = subject.row.configuration.batch;
  return batch > 0 ? nlohmann::json(batch) : nlohmann::json();
}

constexpr std::array kConfigurationMetrics = std::to_array<Metric>({
    {.name = "backing",
     .definition = "What carried the messages: emulated, simulated or hosts.",
     .kind = Kind::text,
     .json = "/backing",
     .csv = {"backing"},
     .column = {.heading = "backing",
                .brief = kBriefOnce,
                .results = kShown,
                .training = kShown,
                .dense = kShown},
     .glossary = true,
     .value = backing},
    {.name = "wiring",
     .definition = "The wiring in its one spelling, such as bcube(3,2).",
     .kind = Kind::text,
     .json = "/wiring",
     .csv = {"wiring"},
     .column = {.heading = "wiring",
                .brief = kBriefOnce,
                .results = kShown,
                .training = kShown,
                .dense = kShown},
     .value = of_configuration<&Configuration::wiring>},
    {.name = "algorithm",
     .definition = "The algorithm in its one spelling, such as ps(servers=1).",
     .kind = Kind::text,
     .json = "/algorithm",
     .csv = {"algorithm"},
     .column = {.heading = "algo",
                .brief = kBrief,
                .results = kShown,
                .training = kShown,
                .dense = kShown},
     .value = of_configuration<&Configuration::algorithm>},
    {.name = "collective",
     .definition = "What the algorithm is for: all-reduce, all-gather, all-to-all, ...",
     .kind = Kind::text,
     .csv = {"collective"},
     .value = of_configuration<&Configuration::collective>},
    {.name = "workload",
     .definition = "The model whose gradients are synchronized, or fully connected layers; empty "
                   "for just so many elements.",
     .kind = Kind::text,
     .json = "/workload",
     .csv = {"workload"},
     .column = {.heading = "workload", .brief = kBriefOnce, .training = kShown, .dense = kShown},
     .value = of_configuration<&Configuration::workload>},
    {.name = "batch",
     .definition = "Samples per host and iteration.",
     .kind = Kind::count,
     .nullable = true,
     .json = "/batch",
     .csv = {"batch"},
     .column = {.heading = "batch", .brief = {.training = true, .once = true}, .training = kShown},
     .glossary = true,
     .value = batch},
    {.name = "schedule",
     .definition = "What decides which gradients share a bucket.",
     .kind = Kind::text,
     .json = "/schedule",
     .csv = {"schedule"},
     .column = {.heading = "sched",
                .brief = {.training = true, .once = true},
                .results = kShown,
                .training = kShown},
     .glossary = true,
     .value = of_configuration<&Configuration::schedule>},
    {.name = "N",
     .definition = "Ranks, one on each host.",
     .kind = Kind::positive,
     .json = "/N",
     .csv = {"N"},
     .column = {.heading = "N", .brief = kBriefOnce, .results = kShown},
     .glossary = true,
     .value = of_configuration<&Configuration::ranks>},
    {.name = "k",
     .definition = "Network ports of each host.",
     .kind = Kind::positive,
     .json = "/k",
     .csv = {"k"},
     .column = {.heading = "k", .brief = kBriefOnce, .results = kShown},
     .glossary = true,
     .value = of_configuration<&Configuration::ports_per_host>},
    {.name = "S",
     .unit = "B",
     .definition = "Gradient bytes of each rank; of an all-to-all, what a rank sends, its own "
                   "block included; of groups, that of each group.",
     .kind = Kind::count,
     .json = "/bytes",
     .csv = {"bytes"},
     .column = {.heading = "size", .brief = {.plain = true, .once = true}, .results = kShown},
     .glossary = true,
     .value = of_configuration<&Configuration::bytes>},
    {.name = "elements",
     .unit = "elem",
     .definition = "Gradient elements of each rank.",
     .kind = Kind::count,
     .json = "/elements",
     .csv = {"elements"},
     .column = {.heading = "count", .results = kShown},
     .value = of_configuration<&Configuration::elements>},
    {.name = "type",
     .definition = "The type of a gradient element.",
     .kind = Kind::text,
     .json = "/type",
     .csv = {"type"},
     .column = {.heading = "type", .brief = kBriefOnce, .results = kShown},
     .value = type},
    {.name = "memory",
     .definition =
         "Where the gradient lies: in the host's memory, or in that of its device, a GPU.",
     .kind = Kind::text,
     .json = "/memory",
     .csv = {"memory"},
     .value = memory},
    {.name = "dilation",
     .definition = "How many times slower than named an emulated link runs and computing is; "
                   "every time is divided by it.",
     .json = "/dilation",
     .csv = {"dilation"},
     .glossary = true,
     .value = of_row<&Row::dilation>},
});

}  // namespace

std::span<const Metric> configuration_metrics() {
  return kConfigurationMetrics;
}

}  // namespace gradwire::report
