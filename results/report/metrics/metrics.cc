#include "results/report/metrics/metrics.h"

#include <algorithm>
#include <string>

#include "core/error.h"
#include "results/report/metrics/topics.h"

namespace gradwire::report {
namespace {

std::vector<Metric> all_topics() {
  std::vector<Metric> all;
  for (const auto topic : {point_metrics(), configuration_metrics(), gst_metrics(), rate_metrics(),
                           bucket_metrics(), iteration_metrics(), cost_metrics(), dense_metrics(),
                           machine_metrics(), verdict_metrics(), wiring_metrics()}) {
    all.insert(all.end(), topic.begin(), topic.end());
  }
  return all;
}

}  // namespace

std::span<const Metric> metrics() {
  static const std::vector<Metric> all = all_topics();
  return all;
}

const Metric& metric(std::string_view name) {
  const auto found = std::ranges::find(metrics(), name, &Metric::name);
  ensure(found != metrics().end(), "the metric that is asked for is in the table");
  return *found;
}

const Metric* metric_at(std::string_view pointer) {
  if (pointer.empty()) return nullptr;
  const auto found = std::ranges::find(metrics(), pointer, &Metric::json);
  return found == metrics().end() ? nullptr : &*found;
}

std::vector<const Metric*> shown(Place (*place)(const Metric&)) {
  std::vector<const Metric*> order;
  for (const Metric& each : metrics()) {
    if (place(each).shown && place(each).after.empty()) order.push_back(&each);
  }
  for (const Metric& each : metrics()) {
    if (place(each).after.empty()) continue;
    const auto before = std::ranges::find(order, place(each).after, &Metric::name);
    ensure(before != order.end(), "the metric that another one follows is in the same form");
    order.insert(before + 1, &each);
  }
  return order;
}

}  // namespace gradwire::report
