#include "harness/job.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "harness/algorithms.h"
#include "harness/amount.h"
#include "harness/peer_algorithms.h"
#include "topologies/registry.h"

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

json to_json(const TrainingJob& training) {
  json layers = json::array();
  for (const workloads::Layer& layer : training.layers) {
    layers.push_back({layer.forward.count(), layer.backward.count(), layer.tensors});
  }
  return {{"layers", std::move(layers)},
          {"schedule", training.schedule},
          {"dilation", training.dilation},
          {"load", to_string(training.load)}};
}

TrainingJob training_from_json(const json& value) {
  TrainingJob training{.schedule = value.at("schedule"),
                       .dilation = value.at("dilation"),
                       .load = load_of(value.at("load"))};
  for (const auto& layer : value.at("layers")) {
    training.layers.push_back({.tensors = layer.at(2),
                               .forward = Seconds(layer.at(0).get<double>()),
                               .backward = Seconds(layer.at(1).get<double>())});
  }
  return training;
}

Nanoseconds nanoseconds_from(const json& value) {
  return Nanoseconds(value.get<Nanoseconds::rep>());
}

json to_json(const RankTraining& training) {
  json buckets = json::array();
  for (const RankBucket& bucket : training.buckets) {
    buckets.push_back({bucket.ready.count(), bucket.start.count(), bucket.end.count()});
  }
  return {{"compute_end_ns", training.compute_end.count()},
          {"buckets", std::move(buckets)},
          {"parameters", training.parameters}};
}

RankTraining rank_training_from_json(const json& value) {
  RankTraining training{.compute_end = nanoseconds_from(value.at("compute_end_ns")),
                        .parameters = value.at("parameters")};
  for (const auto& bucket : value.at("buckets")) {
    training.buckets.push_back({.ready = nanoseconds_from(bucket.at(0)),
                                .start = nanoseconds_from(bucket.at(1)),
                                .end = nanoseconds_from(bucket.at(2))});
  }
  return training;
}

Plan algorithm_plan(const Job& job, Rank rank, const Amount& amount) {
  const auto topology = topologies::make_topology(job.wiring);
  return make_plan(parse_spec(job.algorithm), *topology, rank, amount);
}

}  // namespace

json to_json(const std::vector<transport::PortBinding>& ports) {
  json all = json::array();
  for (const auto& port : ports) all.push_back({port.device, port.address, port.rdma});
  return all;
}

std::vector<transport::PortBinding> ports_from_json(const json& json) {
  std::vector<transport::PortBinding> ports;
  for (const auto& port : json) {
    ports.push_back({.device = port.at(0), .address = port.at(1), .rdma = port.at(2)});
  }
  return ports;
}

json to_json(const Job& job) {
  json flows = json::array();
  for (const testbed::Flow& flow : job.flows) flows.push_back(to_json(flow));
  return {{"rank", job.rank.value},
          {"wiring", job.wiring},
          {"algorithm", job.algorithm},
          {"workload", job.workload},
          {"elements", job.elements},
          {"flows", flows},
          {"training", job.training ? to_json(*job.training) : json(nullptr)},
          {"ports", to_json(job.ports)},
          {"transport", to_json(job.transport)},
          {"key", job.key},
          {"timeout_ns", job.timeout.count()},
          {"startup_ns", job.startup.count()}};
}

Job job_from_json(const json& json) try {
  Job job{.rank = Rank(json.at("rank").get<std::size_t>()),
          .wiring = json.at("wiring"),
          .algorithm = json.at("algorithm"),
          .workload = json.at("workload"),
          .elements = json.at("elements"),
          .transport = transport_settings_from_json(json.at("transport")),
          .key = json.at("key"),
          .timeout = nanoseconds_from(json.at("timeout_ns")),
          .startup = nanoseconds_from(json.at("startup_ns"))};
  if (!json.at("training").is_null()) job.training = training_from_json(json.at("training"));
  for (const auto& flow : json.at("flows")) job.flows.push_back(flow_from_json(flow));
  job.ports = ports_from_json(json.at("ports"));
  return job;
} catch (const nlohmann::json::exception& error) {
  throw InternalError(std::string("job: ") + error.what());
}

json to_json(const JobPlan& plan) {
  json cost = json::array();
  for (const auto& point : plan.cost) cost.push_back({point.bytes, point.time.count()});
  json buckets = json::array();
  for (const schedule::Bucket& bucket : plan.buckets) buckets.push_back(bucket.count);
  return {{"cost", std::move(cost)}, {"buckets", std::move(buckets)}, {"overlaps", plan.overlaps}};
}

JobPlan job_plan_from_json(const json& json) try {
  JobPlan plan{.overlaps = json.at("overlaps")};
  for (const auto& point : json.at("cost")) {
    plan.cost.push_back({.bytes = point.at(0), .time = Seconds(point.at(1).get<double>())});
  }
  std::size_t first = 0;
  for (const auto& count : json.at("buckets")) {
    plan.buckets.push_back({.first = first, .count = count});
    first += plan.buckets.back().count;
  }
  return plan;
} catch (const nlohmann::json::exception& error) {
  throw InternalError(std::string("job plan: ") + error.what());
}

json to_json(const TracedTransfer& transfer) {
  return {
      transfer.bucket,          transfer.lane,           transfer.step,          transfer.sends,
      transfer.peer.rank.value, transfer.peer.via.value, transfer.peer.at.value, transfer.elements,
      transfer.posted.count(),  transfer.done.count()};
}

TracedTransfer traced_transfer_from_json(const json& json) try {
  const auto number = [&json](std::size_t i) { return json.at(i).get<std::size_t>(); };
  return {.bucket = number(0),
          .lane = number(1),
          .step = number(2),
          .sends = json.at(3),
          .peer = {.rank = Rank(number(4)), .via = Port(number(5)), .at = Port(number(6))},
          .elements = number(7),
          .posted = nanoseconds_from(json.at(8)),
          .done = nanoseconds_from(json.at(9))};
} catch (const nlohmann::json::exception& error) {
  throw InternalError(std::string("transfer: ") + error.what());
}

json to_json(const IterationRequest& request) {
  return {{"iteration", request.iteration}, {"check", request.check}, {"trace", request.trace}};
}

IterationRequest iteration_request_from_json(const json& json) try {
  return {.iteration = json.at("iteration"), .check = json.at("check"), .trace = json.at("trace")};
} catch (const nlohmann::json::exception& error) {
  throw InternalError(std::string("step: ") + error.what());
}

json to_json(const RankIteration& iteration) {
  json result{
      {"start_ns", iteration.start.count()}, {"end_ns", iteration.end.count()}, {"wrong", nullptr}};
  if (iteration.wrong) result["wrong"] = *iteration.wrong;
  if (iteration.training) result["training"] = to_json(*iteration.training);
  return result;
}

RankIteration rank_iteration_from_json(const json& json) try {
  RankIteration iteration{.start = Nanoseconds(json.at("start_ns").get<Nanoseconds::rep>()),
                          .end = Nanoseconds(json.at("end_ns").get<Nanoseconds::rep>())};
  if (!json.at("wrong").is_null()) iteration.wrong = json.at("wrong").get<std::int64_t>();
  if (json.contains("training")) iteration.training = rank_training_from_json(json.at("training"));
  return iteration;
} catch (const nlohmann::json::exception& error) {
  throw InternalError(std::string("step: ") + error.what());
}

Amount amount_of(const Job& job) {
  if (job.training) return harness::amount_of(workloads::Profile{.layers = job.training->layers});
  return harness::amount_of(job.workload, job.elements);
}

Plan plan_of(const Job& job, const Amount& amount) {
  if (!job.algorithm.empty()) return algorithm_plan(job, job.rank, amount);
  const auto topology = topologies::make_topology(job.wiring);
  return testbed::plans_of(job.flows, topology->hosts(), job.elements)[job.rank.index()];
}

std::size_t buffer_elements(const Job& job) {
  if (job.algorithm.empty()) return testbed::buffer_elements(job.flows.size(), job.elements);
  return amount_of(job).elements;
}

std::vector<Rank> contributors(const Job& job) {
  std::vector<Rank> ranks;
  const std::size_t hosts = topologies::make_topology(job.wiring)->hosts();
  const bool all = is_peer(parse_spec(job.algorithm));
  for (std::size_t i = 0; i < hosts; ++i) {
    if (all || algorithm_plan(job, Rank(i), amount_of(job)).role == Role::worker)
      ranks.emplace_back(i);
  }
  return ranks;
}

Role role_of(Rank rank, std::span<const Rank> contributors) {
  return std::ranges::find(contributors, rank) == contributors.end() ? Role::parameter_server
                                                                     : Role::worker;
}

}  // namespace gradwire::harness
