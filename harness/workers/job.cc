#include "harness/workers/job.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "collectives/algorithms/algorithm.h"
#include "core/error.h"
#include "core/text/json.h"
#include "core/text/whole_number.h"
#include "topologies/registry.h"
#include "topologies/topology.h"

namespace gradwire::workers {
namespace {

using nlohmann::json;

json to_json(const experiment::Task& task) {
  return {{"wiring", task.wiring->name()},
          {"algorithm", task.algorithm ? task.algorithm.name() : ""},
          {"plan", task.algorithm ? task.algorithm.file_digest() : ""},
          {"workload", task.workload.name()},
          {"elements", task.workload.elements()},
          {"type", to_string(task.type)},
          {"batch", task.batch},
          {"schedule", to_string(task.schedule)}};
}

experiment::Task task_from_json(const json& value) {
  experiment::Task task{
      .wiring = topologies::make_topology(value.at("wiring").get<std::string>()),
      .workload = workloads::parse_workload(value.at("workload").get<std::string>(),
                                            text::whole_number<std::size_t>(value.at("elements"))),
      .type = parse_dtype(value.at("type").get<std::string>()),
      .batch = text::whole_number<std::uint64_t>(value.at("batch"))};
  const std::string schedule = value.at("schedule");
  if (!schedule.empty()) task.schedule = text::parse_spec(schedule);
  const std::string algorithm = value.at("algorithm");
  if (algorithm.empty()) return task;
  task.algorithm =
      algorithms::parse_algorithm(text::parse_spec(algorithm), *task.wiring, task.workload);
  if (task.algorithm.file_digest() != value.at("plan").get<std::string>()) {
    throw InternalError(fmt::format("{} is no longer, or not here, what was proven", algorithm));
  }
  return task;
}

json to_json(const TrainingJob& training) {
  json layers = json::array();
  for (const workloads::Layer& layer : training.layers) {
    layers.push_back({layer.forward.count(), layer.backward.count(), layer.tensors});
  }
  return {{"layers", std::move(layers)},
          {"dilation", training.dilation},
          {"load", to_string(training.load)}};
}

Nanoseconds nanoseconds_from(const json& value) {
  return Nanoseconds(text::whole_number<Nanoseconds::rep>(value));
}

TrainingJob training_from_json(const json& value) {
  TrainingJob training{.dilation = value.at("dilation"),
                       .load = experiment::processor_load_of(value.at("load"))};
  for (const auto& layer : value.at("layers")) {
    training.layers.push_back({.forward = Seconds(layer.at(0).get<double>()),
                               .backward = Seconds(layer.at(1).get<double>())});
    for (const auto& tensor : layer.at(2)) {
      training.layers.back().tensors.push_back(text::whole_number<std::size_t>(tensor));
    }
  }
  return training;
}

transport::RunKey run_key_from(const json& bytes) {
  transport::RunKey key{};
  if (bytes.size() != key.size()) throw InternalError("job: a run's key has another length");
  std::ranges::transform(bytes, key.begin(), text::whole_number<std::uint8_t>);
  return key;
}

}  // namespace

json to_json(const Job& job) {
  return {{"rank", job.rank.value},
          {"task", to_json(job.task)},
          {"memory", to_string(job.memory)},
          {"flows", text::to_json(job.flows)},
          {"training", job.training ? to_json(*job.training) : json(nullptr)},
          {"graphs", job.graphs ? to_json(*job.graphs) : json(nullptr)},
          {"ports", text::to_json(job.ports)},
          {"transport", to_json(job.transport)},
          {"key", job.key},
          {"seed", job.seed},
          {"timeout_ns", job.timeout.count()},
          {"startup_ns", job.startup.count()},
          {"rate_bits_per_s", text::to_json(job.rate)}};
}

Job job_from_json(const json& json) try {
  Job job{.rank = Rank(text::whole_number<std::size_t>(json.at("rank"))),
          .task = task_from_json(json.at("task")),
          .memory = parse_memory(json.at("memory").get<std::string>()),
          .transport = execution::transport_settings_from_json(json.at("transport")),
          .key = run_key_from(json.at("key")),
          .seed = text::whole_number<std::uint64_t>(json.at("seed")),
          .timeout = nanoseconds_from(json.at("timeout_ns")),
          .startup = nanoseconds_from(json.at("startup_ns")),
          .rate = text::from_json<BitRate>(json.at("rate_bits_per_s"), "job: rate")};
  if (!json.at("training").is_null()) job.training = training_from_json(json.at("training"));
  if (!json.at("graphs").is_null()) job.graphs = job_graphs_from_json(json.at("graphs"));
  job.flows = text::from_json<std::vector<testbed::Flow>>(json.at("flows"), "job: flows");
  job.ports = text::from_json<std::vector<transport::PortBinding>>(json.at("ports"), "job: ports");
  return job;
} catch (const nlohmann::json::exception& error) {
  throw InternalError(std::string("job: ") + error.what());
} catch (const InputError& error) {
  throw InternalError(std::string("job: ") + error.what());
}

algorithms::Amount amount_of(const Job& job) {
  if (job.training)
    return algorithms::amount_of(workloads::Profile{.layers = job.training->layers});
  const experiment::Task& task = job.task;
  if (!task.algorithm) return {.elements = task.workload.elements()};
  return task.algorithm.amount_of(task.workload);
}

Plan plan_of(const Job& job, const algorithms::Amount& amount) {
  if (!job.is_calibration()) return job.task.algorithm.plan(job.rank, amount);
  return testbed::plan_of(job.flows, job.rank, job.task.workload.elements());
}

Goal goal_of(const Job& job) {
  if (job.is_calibration()) {
    const Parts none(job.task.wiring->hosts());
    return {.elements = testbed::buffer_elements(job.flows, job.task.workload.elements()),
            .begins = none,
            .ends = none};
  }
  return job.task.algorithm.goal(amount_of(job));
}

}  // namespace gradwire::workers
