#include <array>

#include "results/report/metrics/topics.h"
#include "results/report/metrics/values.h"

namespace gradwire::report {
namespace {

using record::DenseRow;

/// Getter of a dense row's value; null in a row without products.
template <auto Get>
nlohmann::json of_dense(const Subject& subject) {
  const auto& dense = subject.row.dense;
  return dense ? as_value(std::invoke(Get, *dense)) : nlohmann::json();
}

constexpr std::array kDenseMetrics = std::to_array<Metric>({
    {.name = "dense",
     .definition = "What a job of fully connected layers has beside its GST; null for any other.",
     .kind = Kind::object,
     .nullable = true,
     .json = "/dense"},
    {.name = "products",
     .unit = "us",
     .definition = "Processor time of one thread for the matrix products of an iteration, of the "
                   "rank where it is longest; no dilation divides it; median.",
     .json = "/dense/products_us",
     .csv = {"products_us"},
     .column = {.heading = "products", .brief = {.dense = true}, .dense = kShown},
     .glossary = true,
     .value = of_dense<&DenseRow::products>},
    {.name = "step",
     .unit = "us",
     .definition = "GST and products of an iteration together; median.",
     .json = "/dense/step_us",
     .csv = {"step_us"},
     .column = {.heading = "step", .brief = {.dense = true}, .dense = kShown},
     .glossary = true,
     .value = of_dense<&DenseRow::step>},
    {.name = "deviation",
     .definition = "How far the worst rank's average of gradients is off one of double precision: "
                   "|W - R| / |R| of the worst layer, by Frobenius norms.",
     .nullable = true,
     .json = "/dense/deviation",
     .csv = {"deviation"},
     .column = {.heading = "deviation", .dense = kShown, .format = "{:.1e}"},
     .glossary = true,
     .value = of_dense<&DenseRow::deviation>},
});

}  // namespace

std::span<const Metric> dense_metrics() {
  return kDenseMetrics;
}

}  // namespace gradwire::report
