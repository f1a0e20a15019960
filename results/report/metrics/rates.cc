#include <array>

#include "results/report/metrics/topics.h"
#include "results/report/metrics/values.h"

namespace gradwire::report {
namespace {

using record::Rates;
using record::Row;
using record::WiringCost;

/// T_F; null where the links have no rate, or it is not known.
nlohmann::json t_f(const Subject& subject) {
  if (subject.run == nullptr) return nullptr;
  const nlohmann::json::json_pointer pointer("/experiment/link/rate_bits_per_s");
  const nlohmann::json& context = subject.run->context;
  if (!context.contains(pointer) || !context.at(pointer).is_number()) return nullptr;
  const BitRate rate{context.at(pointer).get<double>()};
  if (!(rate.bits_per_second > 0)) return nullptr;
  return as_value(time_to_send(static_cast<double>(subject.row.configuration.bytes()), rate));
}

template <auto Member>
nlohmann::json gigabytes(const Subject& subject) {
  return subject.row.rates().*Member / 1e9;
}

nlohmann::json efficiency(const Subject& subject) {
  return as_value(subject.row.rates().efficiency);
}

constexpr std::array kRatesMetrics = std::to_array<Metric>({
    {.name = "bound",
     .unit = "us",
     .definition =
         "A time that nothing can beat: that of the most loaded link at the payload rate, "
         "less what its burst and a head start of early ranks save, and longer only "
         "where a step waits for another; runs of before know no bursts and no head starts.",
     .nullable = true,
     .json = "/bound_us",
     .csv = {"bound_us"},
     .column = {.heading = "bound", .brief = {.plain = true}, .results = kShown},
     .glossary = true,
     .value = of_row<&Row::bound>},
    {.name = "predicted GST",
     .unit = "us",
     .definition = "GST as the simulator said before anything of the point was measured, from what "
                   "links carry alone and what a single message takes.",
     .nullable = true,
     .json = "/predicted_gst_us",
     .csv = {"predicted_gst_us"},
     .column = {.heading = "gst_pred", .brief = {.plain = true}, .results = kShown},
     .glossary = true,
     .value = of_row<&Row::predicted>},
    {.name = "GST prediction off by",
     .unit = "%",
     .definition = "100 x (predicted GST / measured GST - 1).",
     .nullable = true,
     .json = "/prediction_error_percent",
     .csv = {"prediction_error_percent"},
     .column =
         {.heading = "off%", .brief = {.plain = true}, .results = kShown, .format = "{:+.1f}"},
     .glossary = true,
     .value = of_row<&Row::gst_prediction_error_percent>},
    {.name = "latency",
     .unit = "us",
     .definition = "Of GST under dilation: what messages of hardly any bytes take, which is the "
                   "software's own and is divided by the dilation.",
     .nullable = true,
     .json = "/latency_us",
     .csv = {"latency_us"},
     .glossary = true,
     .value = of_row<&Row::latency>},
    {.name = "cut",
     .unit = "us",
     .definition = "A time that no algorithm can beat on this wiring, unless switches add, less "
                   "what bursts (but in runs before 26 November 2026) and head starts save.",
     .json = "/wiring_cost/cut_us",
     .csv = {"cut_us"},
     .column = {.heading = "cut", .results = kShown},
     .glossary = true,
     .value = of_wiring<&WiringCost::cut>},
    {.name = "T_F",
     .unit = "us",
     .definition = "S / line rate.",
     .csv = {"t_f_us"},
     .glossary = true,
     .value = t_f},
    {.name = "algbw",
     .unit = "GB/s",
     .definition = "S / GST.",
     .json = "/algbw_gbs",
     .csv = {"algbw_gbs"},
     .column = {.heading = "algbw", .results = kShown, .format = "{:.3f}"},
     .glossary = true,
     .value = gigabytes<&Rates::algbw>},
    {.name = "busbw",
     .unit = "GB/s",
     .definition =
         "algbw x 2(N - 1)/N; x (N - 1)/N for a reduce-scatter, all-gather or all-to-all, "
         "x 1 for a broadcast, reduce or send; of groups x the sum of these over the dimensions of "
         "their grid, with N of a group; of counts for each pair x the most that a rank sends to "
         "others or gets from them, in S; of hybrid parallelism x the least that the busiest NIC "
         "receives, in S.",
     .needs = "algbw",
     .json = "/busbw_gbs",
     .csv = {"busbw_gbs"},
     .column = {.heading = "busbw", .results = kShown, .format = "{:.3f}"},
     .glossary = true,
     .value = gigabytes<&Rates::busbw>},
    {.name = "nicbw",
     .unit = "GB/s",
     .definition = "busbw / k.",
     .needs = "busbw",
     .json = "/nicbw_gbs",
     .csv = {"nicbw_gbs"},
     .column =
         {.heading = "nicbw", .brief = {.plain = true}, .results = kShown, .format = "{:.3f}"},
     .glossary = true,
     .value = gigabytes<&Rates::nicbw>},
    {.name = "eff",
     .definition = "bound / GST.",
     .nullable = true,
     .json = "/efficiency",
     .csv = {"efficiency"},
     .column = {.heading = "eff%",
                .brief = {.plain = true, .dense = true},
                .results = kShown,
                .factor = 100},
     .glossary = true,
     .value = efficiency},
});

}  // namespace

std::span<const Metric> rate_metrics() {
  return kRatesMetrics;
}

}  // namespace gradwire::report
