#include "harness/experiment/experiment.h"

#include <algorithm>
#include <map>
#include <memory>

#include <fmt/core.h>

#include "harness/experiment/schema_check.h"
#include "harness/experiment/sweep.h"
#include "harness/experiment/yaml_document.h"
#include "harness/experiment/yaml_reader.h"
#include "harness/policies.h"
#include "testbed/shape.h"
#include "topologies/topology.h"

namespace gradwire::harness {
namespace {

constexpr std::uint64_t kElementBytes = sizeof(float);

void refuse_unbuilt(const YamlReader& reader, std::string_view key, const std::string& value,
                    std::string_view built) {
  if (value == built) return;
  throw InputError(reader.place(key),
                   fmt::format("{} '{}' is not in this build; use '{}'", key, value, built));
}

Check parse_check(const std::string& text) {
  for (const Check check : {Check::every, Check::first_last, Check::never}) {
    if (to_string(check) == text) return check;
  }
  throw InternalError("the schema admits known checks");
}

std::uint64_t parse_size(const Setting& size) {
  const std::uint64_t bytes = at(size.place, [&] { return parse_bytes(size.text); });
  if (bytes == 0 || bytes % kElementBytes != 0) {
    throw InputError(size.place,
                     fmt::format("size: '{}' is {} bytes, not a positive multiple of {}", size.text,
                                 bytes, kElementBytes));
  }
  return bytes / kElementBytes;
}

/// A graph's file is meant relative to the experiment's.
std::string in_folder(const std::string& wiring, const std::string& experiment) {
  constexpr std::string_view kGraph = "graph(";
  const std::filesystem::path folder = std::filesystem::path(experiment).parent_path();
  if (!wiring.starts_with(kGraph) || folder.empty()) return wiring;
  const std::filesystem::path file(wiring.substr(kGraph.size()));
  return file.is_absolute() ? wiring : std::string(kGraph) + (folder / file).string();
}

/// Turns Settings into Points; every distinct wiring is built once.
class PointBuilder {
 public:
  /// The document and `compute` must outlive it.
  PointBuilder(const YamlDocument& document, const std::optional<Compute>& compute)
      : document_(document), compute_(compute) {}

  [[nodiscard]] Point build(const Settings& settings, std::size_t index) {
    Point point{.index = index};
    const Setting& algorithm = required(settings, "algorithm");
    point.algorithm_spec = at(algorithm.place, [&] { return parse_spec(algorithm.text); });
    point.algorithm = to_string(point.algorithm_spec);
    point.algorithm_place = algorithm.place;
    const Setting& wiring = required(settings, "wiring");
    const Wiring& built = wiring_of(wiring);
    point.wiring = built.name;
    point.hosts = built.hosts;
    point.ports_per_host = built.ports_per_host;
    point.wiring_place = wiring.place;
    set_amount(point, settings);
    set_schedule(point, settings);
    set_batch(point, settings);
    return point;
  }

 private:
  struct Wiring {
    std::string name;
    std::size_t hosts;
    std::size_t ports_per_host;
  };

  [[nodiscard]] const Setting& required(const Settings& settings, const std::string& key) const {
    const auto found = settings.find(key);
    if (found != settings.end()) return found->second;
    throw InputError(document_.place(document_.root.position),
                     fmt::format("the key '{}' is missing: fix it or sweep it", key));
  }

  const Wiring& wiring_of(const Setting& setting) {
    const auto known = wirings_.find(setting.text);
    if (known != wirings_.end()) return known->second;
    const auto topology = at(setting.place, [&] {
      return topologies::make_topology(in_folder(setting.text, document_.file));
    });
    const Wiring wiring{topology->name(), topology->hosts(), topology->ports_per_host()};
    return wirings_.emplace(setting.text, wiring).first->second;
  }

  void set_amount(Point& point, const Settings& settings) const {
    std::vector<std::string> given;
    for (const char* key : {"workload", "elements", "size"}) {
      if (settings.contains(key)) given.emplace_back(key);
    }
    if (given.empty() && compute_ && !compute_->trace.empty()) {
      point.amount_place = compute_->place;  // the trace says what there is
      return;
    }
    if (given.empty()) {
      throw InputError(document_.place(document_.root.position),
                       "one of the keys 'workload', 'elements' and 'size' is missing");
    }
    const Setting& amount = settings.at(given.back());
    if (given.size() > 1) {
      throw InputError(amount.place,
                       fmt::format("'{}' and '{}' both say how much to synchronize; keep one",
                                   given.front(), given.back()));
    }
    point.amount_place = amount.place;
    if (compute_ && given.front() != "workload") {
      throw InputError(amount.place, "a training job needs a workload, or a trace alone");
    }
    if (given.front() == "workload") point.workload = amount.text;
    if (given.front() == "elements") point.elements = number<std::uint64_t>(amount.text);
    if (given.front() == "size") point.elements = parse_size(amount);
  }

  void set_schedule(Point& point, const Settings& settings) const {
    const auto found = settings.find("schedule");
    if (found == settings.end()) {
      point.schedule = compute_ ? "wfbp" : "none";
      point.schedule_spec.name = point.schedule;
      return;
    }
    refuse_without_compute(found->second, "schedule");
    point.schedule_place = found->second.place;
    point.schedule_spec = at(found->second.place, [&] {
      Spec spec = parse_spec(found->second.text);
      check_policy(spec);
      return spec;
    });
    point.schedule = to_string(point.schedule_spec);
  }

  void set_batch(Point& point, const Settings& settings) const {
    const auto found = settings.find("batch");
    if (found != settings.end()) {
      refuse_without_compute(found->second, "batch");
      if (!compute_->trace.empty()) {
        throw InputError(found->second.place, "the trace has the batch it was measured with");
      }
      point.batch = number<std::uint64_t>(found->second.text);
    } else if (compute_ && compute_->trace.empty()) {
      throw InputError(compute_->place, "a device needs a batch: fix it or sweep it");
    }
  }

  void refuse_without_compute(const Setting& setting, const std::string& key) const {
    if (compute_) return;
    throw InputError(setting.place, key + " needs compute: without it there is no training job");
  }

  const YamlDocument& document_;
  const std::optional<Compute>& compute_;
  std::map<std::string, Wiring> wirings_;
};

/// A word, or a list of words.
std::vector<std::string> read_backings(const YamlReader& reader) {
  std::vector<std::string> backings;
  for (const YamlText& one : reader.list("backing")) backings.push_back(one.text);
  if (backings.empty()) backings.push_back(reader.text("backing", "emulated"));
  for (const std::string& backing : backings) {
    if (backing == kEmulated || backing == kSimulated) continue;
    throw InputError(
        reader.place("backing"),
        fmt::format("backing '{}' is not in this build; use 'emulated' or 'simulated'", backing));
  }
  return backings;
}

void read_environment(Experiment& experiment, const YamlDocument& document,
                      const YamlReader& reader) {
  experiment.backings = read_backings(reader);
  experiment.transport = reader.text("transport", "tcp");
  refuse_unbuilt(reader, "transport", experiment.transport, "tcp");
  const YamlReader link(document, document.root.find("link")->value);
  experiment.rate = at(link.place("rate"), [&] { return parse_bit_rate(*link.text("rate")); });
  experiment.mtu = link.value<std::size_t>("mtu", 9000);
  experiment.headers = link.text("headers", "ethernet") == "ethernet";
  if (const auto startup = link.duration("startup")) experiment.startup = *startup;
  if (const auto delay = link.duration("delay")) experiment.delay = *delay;
  const std::string dilation = reader.text("dilation", "auto");
  if (dilation != "auto") experiment.dilation = number<double>(dilation);
}

void read_measuring(Experiment& experiment, const YamlReader& reader) {
  experiment.warmup = reader.value<std::size_t>("warmup", 2);
  experiment.iterations = reader.value<std::size_t>("iterations", 10);
  experiment.check = parse_check(reader.text("check", "every"));
  experiment.timeout = reader.duration("timeout").value_or(std::chrono::seconds(10));
  experiment.max_time = reader.duration("max_time");
  experiment.seed = reader.value<std::uint64_t>("seed", 1);
  const std::string interleave = reader.text("interleave", "true");
  experiment.interleave = interleave.front() == 't' || interleave.front() == 'T';
}

void read_training(Experiment& experiment, const YamlReader& reader,
                   const std::filesystem::path& folder) {
  if (const auto compute = reader.map("compute")) {
    experiment.compute = read_compute(*compute, reader.place("compute"));
    experiment.compute->folder = folder;
  }
  if (const auto cost = reader.map("cost")) {
    experiment.cost = read_assumed_cost(*cost, reader.place("cost"));
  }
}

/// Once the points are known.
void read_compare(Experiment& experiment, const YamlReader& reader) {
  const auto comparison = reader.map("compare");
  if (!comparison) return;
  if (!experiment.compute) {
    throw InputError(reader.place("compare"), "compare needs compute: it compares jobs");
  }
  ComparedPoints points;
  for (const Point& point : experiment.points) {
    points.algorithms.insert(point.algorithm);
    points.schedules.insert(point.schedule);
  }
  experiment.comparison = read_comparison(*comparison, reader.place("compare"), points);
}

Experiment read(YamlDocument document) {
  check_against_schema(document, experiment_schema());
  const YamlReader reader(document, document.root);
  Experiment experiment;
  experiment.name = *reader.text("name");
  experiment.description = reader.text("description", "");
  read_environment(experiment, document, reader);
  read_measuring(experiment, reader);
  read_training(experiment, reader, std::filesystem::path(document.file).parent_path());
  PointBuilder builder(document, experiment.compute);
  for (const Settings& settings : expand_points(document)) {
    experiment.points.push_back(builder.build(settings, experiment.points.size()));
  }
  read_compare(experiment, reader);
  experiment.failures = read_failures(reader.maps("failures"), reader.places("failures"));
  if (const auto prices = reader.map("prices")) {
    experiment.prices = {.per_switch = prices->value<double>("switch", 0),
                         .per_switch_port = prices->value<double>("switch_port", 0),
                         .per_nic = prices->value<double>("nic", 0),
                         .per_cable = prices->value<double>("cable", 0)};
  }
  experiment.file = std::move(document.file);
  experiment.text = std::move(document.text);
  return experiment;
}

}  // namespace

std::string to_string(Check check) {
  switch (check) {
    case Check::every:
      return "every";
    case Check::first_last:
      return "first-last";
    case Check::never:
      return "never";
  }
  throw InternalError("unknown Check");
}

BitRate payload_rate(const Experiment& experiment) {
  const double share = experiment.headers ? testbed::payload_fraction(experiment.mtu) : 1;
  return {experiment.rate.bits_per_second * share};
}

bool runs_on(const Experiment& experiment, std::string_view backing) {
  return std::ranges::find(experiment.backings, backing) != experiment.backings.end();
}

void check_backings(const Experiment& experiment) {
  if (!runs_on(experiment, kEmulated)) return;
  const auto refuse = [](std::string_view what) {
    throw InputError(fmt::format("{}; use backing: simulated", what));
  };
  if (!experiment.headers) refuse("link.headers: none: an emulated packet has headers");
  if (experiment.delay > Seconds(0))
    refuse("link.delay: emulated cables have no delay of their own");
  if (!experiment.failures.empty()) {
    throw InputError(experiment.failures.front().place,
                     "failures are for simulations; use backing: simulated");
  }
}

Experiment load_experiment(const std::filesystem::path& path) {
  return read(load_yaml(path));
}

Experiment load_experiment_text(std::string_view text, const std::string& name) {
  return read(parse_yaml(text, name));
}

}  // namespace gradwire::harness
