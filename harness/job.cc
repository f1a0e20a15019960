#include "harness/job.h"

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "harness/algorithms.h"
#include "harness/amount.h"
#include "topologies/topology.h"

namespace gradwire::harness {
namespace {

using nlohmann::json;

json to_json(const testbed::Flow& flow) {
  return {flow.from.value, flow.via.value, flow.to.value, flow.at.value};
}

testbed::Flow flow_from_json(const json& numbers) {
  const auto number = [&numbers](std::size_t i) { return numbers.at(i).get<std::size_t>(); };
  return {.from = Rank(number(0)),
          .via = Port(number(1)),
          .to = Rank(number(2)),
          .at = Port(number(3))};
}

Plan algorithm_plan(const Job& job, Rank rank) {
  const auto topology = topologies::make_topology(job.wiring);
  return make_plan(parse_spec(job.algorithm), *topology, rank,
                   amount_of(job.workload, job.elements));
}

}  // namespace

json to_json(const Job& job) {
  json flows = json::array();
  for (const testbed::Flow& flow : job.flows) flows.push_back(to_json(flow));
  json ports = json::array();
  for (const auto& port : job.ports) ports.push_back({port.device, port.address});
  return {
      {"rank", job.rank.value},   {"wiring", job.wiring},     {"algorithm", job.algorithm},
      {"workload", job.workload}, {"elements", job.elements}, {"flows", flows},
      {"ports", ports},           {"key", job.key},           {"timeout_ns", job.timeout.count()}};
}

Job job_from_json(const json& json) try {
  Job job{.rank = Rank(json.at("rank").get<std::size_t>()),
          .wiring = json.at("wiring"),
          .algorithm = json.at("algorithm"),
          .workload = json.at("workload"),
          .elements = json.at("elements"),
          .key = json.at("key"),
          .timeout = Nanoseconds(json.at("timeout_ns").get<Nanoseconds::rep>())};
  for (const auto& flow : json.at("flows")) job.flows.push_back(flow_from_json(flow));
  for (const auto& port : json.at("ports")) {
    job.ports.push_back({.device = port.at(0), .address = port.at(1)});
  }
  return job;
} catch (const nlohmann::json::exception& error) {
  throw InternalError(std::string("job: ") + error.what());
}

json to_json(const RankStep& step) {
  json result{{"start_ns", step.start.count()}, {"end_ns", step.end.count()}, {"wrong", nullptr}};
  if (step.wrong) result["wrong"] = *step.wrong;
  return result;
}

RankStep rank_step_from_json(const json& json) try {
  RankStep step{.start = Nanoseconds(json.at("start_ns").get<Nanoseconds::rep>()),
                .end = Nanoseconds(json.at("end_ns").get<Nanoseconds::rep>())};
  if (!json.at("wrong").is_null()) step.wrong = json.at("wrong").get<std::int64_t>();
  return step;
} catch (const nlohmann::json::exception& error) {
  throw InternalError(std::string("step: ") + error.what());
}

Plan plan_of(const Job& job) {
  if (!job.algorithm.empty()) return algorithm_plan(job, job.rank);
  const auto topology = topologies::make_topology(job.wiring);
  return testbed::plans_of(job.flows, topology->hosts(), job.elements)[job.rank.index()];
}

std::size_t buffer_elements(const Job& job) {
  if (job.algorithm.empty()) return testbed::buffer_elements(job.flows.size(), job.elements);
  return amount_of(job.workload, job.elements).elements;
}

std::vector<Rank> contributors(const Job& job) {
  std::vector<Rank> ranks;
  const std::size_t hosts = topologies::make_topology(job.wiring)->hosts();
  for (std::size_t i = 0; i < hosts; ++i) {
    if (algorithm_plan(job, Rank(i)).role == Role::worker) ranks.emplace_back(i);
  }
  return ranks;
}

}  // namespace gradwire::harness
