#include "results/report/metrics/glossary.h"

#include <nlohmann/json.hpp>

#include "results/report/metrics/metrics.h"

namespace gradwire::report {

nlohmann::json glossary() {
  nlohmann::json words = nlohmann::json::array();
  for (const Metric& each : metrics()) {
    if (each.glossary) words.push_back({{"name", each.name}, {"definition", each.definition}});
  }
  return words;
}

}  // namespace gradwire::report
