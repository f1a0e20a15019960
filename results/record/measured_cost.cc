#include "results/record/measured_cost.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/error.h"

namespace gradwire::record {

MeasuredCost measured_cost(std::vector<schedule::TimedSize> points) {
  ensure(!points.empty(), "a cost is measured at one size at least");
  MeasuredCost cost{.points = std::move(points)};
  cost.fit = cost.points.size() > 1
                 ? schedule::fit_line(cost.points)
                 : schedule::Fit{.line = {.a = cost.points.front().time}, .r_squared = 1};
  return cost;
}

schedule::CostModel cost_model(const MeasuredCost& cost) {
  return {.cost = schedule::CostTable(cost.points), .line = cost.fit.line};
}

nlohmann::json to_json(const MeasuredCost& cost) {
  nlohmann::json points = nlohmann::json::array();
  for (const schedule::TimedSize& point : cost.points) {
    points.push_back({{"bytes", point.bytes}, {"us", point.time.count() * 1e6}});
  }
  return {{"a_us", cost.fit.line.a.count() * 1e6},
          {"b_ns_per_byte", cost.fit.line.b * 1e9},
          {"r_squared", cost.fit.r_squared},
          {"points", std::move(points)}};
}

MeasuredCost measured_cost_from_json(const nlohmann::json& json) {
  std::vector<schedule::TimedSize> points;
  for (const nlohmann::json& point : json.at("points")) {
    points.push_back(
        {.bytes = point.at("bytes"), .time = Seconds(point.at("us").get<double>() / 1e6)});
  }
  if (points.empty()) return {};  // of a job whose schedule needs no costs
  return measured_cost(std::move(points));
}

}  // namespace gradwire::record
