#include "harness/workers/job.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "collectives/algorithms/algorithm.h"
#include "collectives/algorithms/amount.h"
#include "collectives/algorithms/from_file.h"
#include "collectives/algorithms/peer.h"
#include "core/error.h"
#include "results/record/whole_number.h"
#include "topologies/registry.h"
#include "topologies/topology.h"

namespace gradwire::workers {
namespace {

using nlohmann::json;

json to_json(const testbed::Flow& flow) {
  return {flow.from.value, flow.via.value, flow.to.value, flow.at.value};
}

testbed::Flow flow_from_json(const json& numbers) {
  const auto number = [&numbers](std::size_t i) {
    return record::whole_number<std::size_t>(numbers.at(i));
  };
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
          {"schedule", to_string(training.schedule)},
          {"dilation", training.dilation},
          {"load", to_string(training.load)}};
}

BitRate rate_from(const json& value) {
  return value.is_null() ? kUnlimited : BitRate{value.get<double>()};
}

Nanoseconds nanoseconds_from(const json& value) {
  return Nanoseconds(record::whole_number<Nanoseconds::rep>(value));
}

TrainingJob training_from_json(const json& value) {
  TrainingJob training{.schedule = text::parse_spec(value.at("schedule").get<std::string>()),
                       .dilation = value.at("dilation"),
                       .load = experiment::processor_load_of(value.at("load"))};
  for (const auto& layer : value.at("layers")) {
    training.layers.push_back({.forward = Seconds(layer.at(0).get<double>()),
                               .backward = Seconds(layer.at(1).get<double>())});
    for (const auto& tensor : layer.at(2)) {
      training.layers.back().tensors.push_back(record::whole_number<std::size_t>(tensor));
    }
  }
  return training;
}

transport::RunKey run_key_from(const json& bytes) {
  transport::RunKey key{};
  if (bytes.size() != key.size()) throw InternalError("job: a run's key has another length");
  std::ranges::transform(bytes, key.begin(), record::whole_number<std::uint8_t>);
  return key;
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
          {"wiring", job.wiring->name()},
          {"algorithm", job.algorithm ? job.algorithm.name() : ""},
          {"plan", job.algorithm ? job.algorithm.file_digest() : ""},
          {"workload", job.workload.name()},
          {"elements", job.elements},
          {"type", to_string(job.type)},
          {"memory", to_string(job.memory)},
          {"flows", flows},
          {"training", job.training ? to_json(*job.training) : json(nullptr)},
          {"graphs", job.graphs ? to_json(*job.graphs) : json(nullptr)},
          {"ports", to_json(job.ports)},
          {"transport", to_json(job.transport)},
          {"key", job.key},
          {"seed", job.seed},
          {"timeout_ns", job.timeout.count()},
          {"startup_ns", job.startup.count()},
          {"rate_bits_per_s", job.rate.bits_per_second}};  // unlimited: null
}

Job job_from_json(const json& json) try {
  Job job{
      .rank = Rank(record::whole_number<std::size_t>(json.at("rank"))),
      .wiring = topologies::make_topology(json.at("wiring").get<std::string>()),
      .workload = workloads::parse_workload(json.at("workload").get<std::string>(),
                                            record::whole_number<std::size_t>(json.at("elements"))),
      .elements = record::whole_number<std::size_t>(json.at("elements")),
      .type = parse_dtype(json.at("type").get<std::string>()),
      .memory = parse_memory(json.at("memory").get<std::string>()),
      .transport = execution::transport_settings_from_json(json.at("transport")),
      .key = run_key_from(json.at("key")),
      .seed = record::whole_number<std::uint64_t>(json.at("seed")),
      .timeout = nanoseconds_from(json.at("timeout_ns")),
      .startup = nanoseconds_from(json.at("startup_ns")),
      .rate = rate_from(json.at("rate_bits_per_s"))};
  const std::string algorithm = json.at("algorithm");
  if (!algorithm.empty()) {
    job.algorithm =
        algorithms::parse_algorithm(text::parse_spec(algorithm), *job.wiring, job.workload);
    if (job.algorithm.file_digest() != json.at("plan").get<std::string>()) {
      throw InternalError(fmt::format("{} is no longer, or not here, what was proven", algorithm));
    }
  }
  if (!json.at("training").is_null()) job.training = training_from_json(json.at("training"));
  if (!json.at("graphs").is_null()) job.graphs = job_graphs_from_json(json.at("graphs"));
  for (const auto& flow : json.at("flows")) job.flows.push_back(flow_from_json(flow));
  job.ports = ports_from_json(json.at("ports"));
  return job;
} catch (const nlohmann::json::exception& error) {
  throw InternalError(std::string("job: ") + error.what());
} catch (const InputError& error) {
  throw InternalError(std::string("job: ") + error.what());
}

json to_json(const JobPlan& plan) {
  json cost = json::array();
  for (const auto& point : plan.cost) cost.push_back({point.bytes, point.time.count()});
  json buckets = json::array();
  for (const schedule::Bucket& bucket : plan.buckets) {
    buckets.push_back({bucket.count, bucket.not_before.count()});
  }
  return {{"cost", std::move(cost)}, {"buckets", std::move(buckets)}, {"overlaps", plan.overlaps}};
}

JobPlan job_plan_from_json(const json& json) try {
  JobPlan plan{.overlaps = json.at("overlaps")};
  for (const auto& point : json.at("cost")) {
    plan.cost.push_back({.bytes = point.at(0), .time = Seconds(point.at(1).get<double>())});
  }
  std::size_t first = 0;
  for (const auto& bucket : json.at("buckets")) {
    plan.buckets.push_back({.first = first,
                            .count = record::whole_number<std::size_t>(bucket.at(0)),
                            .not_before = Seconds(bucket.at(1).get<double>())});
    first += plan.buckets.back().count;
  }
  return plan;
} catch (const nlohmann::json::exception& error) {
  throw InternalError(std::string("job plan: ") + error.what());
}

json to_json(const IterationRequest& request) {
  return {{"iteration", request.iteration}, {"check", request.check}, {"trace", request.trace}};
}

IterationRequest iteration_request_from_json(const json& json) try {
  return {.iteration = record::whole_number<std::size_t>(json.at("iteration")),
          .check = json.at("check"),
          .trace = json.at("trace")};
} catch (const nlohmann::json::exception& error) {
  throw InternalError(std::string("step: ") + error.what());
}

algorithms::Amount amount_of(const Job& job) {
  if (job.training)
    return algorithms::amount_of(workloads::Profile{.layers = job.training->layers});
  if (!job.algorithm) return {.elements = job.elements};
  return job.algorithm.amount_of(job.workload);
}

Plan plan_of(const Job& job, const algorithms::Amount& amount) {
  if (!job.is_calibration()) return job.algorithm.plan(job.rank, amount);
  return testbed::plan_of(job.flows, job.rank, job.elements);
}

Goal goal_of(const Job& job) {
  if (job.is_calibration()) {
    const Parts none(job.wiring->hosts());
    return {.elements = testbed::buffer_elements(job.flows, job.elements),
            .begins = none,
            .ends = none};
  }
  return job.algorithm.goal(amount_of(job));
}

}  // namespace gradwire::workers
