#include "harness/experiment/point_builder.h"

#include <filesystem>
#include <map>
#include <regex>
#include <string>

#include <fmt/core.h>

#include "collectives/algorithms/from_file.h"
#include "collectives/algorithms/hybrid.h"
#include "collectives/algorithms/ring_order.h"
#include "core/text/yaml_reader.h"
#include "harness/experiment/sweep.h"
#include "schedule/policies.h"
#include "topologies/registry.h"
#include "topologies/topology.h"
#include "workloads/dense.h"
#include "workloads/hybrid.h"

namespace gradwire::experiment {
namespace {

/// Elements of the type that take so many bytes.
std::uint64_t parse_size(const Setting& size, Dtype type) {
  const std::uint64_t bytes = text::at(size.place, [&] { return parse_bytes(size.text); });
  const std::uint64_t each = size_of(type);
  if (bytes == 0 || bytes % each != 0) {
    throw InputError(size.place,
                     fmt::format("size: '{}' is {} bytes, not a positive multiple of {}", size.text,
                                 bytes, each));
  }
  if (bytes / each > kMaxElements) {
    throw InputError(size.place, fmt::format("size: '{}' is more than {} {}", size.text,
                                             kMaxElements, to_string(type)));
  }
  return bytes / each;
}

/// A graph's file is meant relative to the experiment's.
std::string in_folder(const std::string& wiring, const std::string& experiment) {
  static const std::regex kGraph(R"( *graph *\( *(.*?) *\) *)");
  const std::filesystem::path folder = std::filesystem::path(experiment).parent_path();
  std::smatch found;
  if (folder.empty() || !std::regex_match(wiring, found, kGraph)) return wiring;
  const std::filesystem::path file(found[1].str());
  return file.is_absolute() ? wiring : fmt::format("graph({})", (folder / file).string());
}

/// Turns Settings into Points; every distinct wiring is built once.
class PointBuilder {
 public:
  /// The document and `compute` must outlive it.
  PointBuilder(const text::YamlDocument& document, const std::optional<Compute>& compute)
      : document_(document), compute_(compute) {}

  [[nodiscard]] Point build(const Settings& settings, std::size_t index) {
    Point point{.index = index};
    const Setting& algorithm = required(settings, "algorithm");
    point.places.algorithm = algorithm.place;
    const text::Spec named = text::at(algorithm.place, [&] {
      return algorithms::in_folder_of(text::parse_spec(algorithm.text), document_.file);
    });
    const Setting& wiring = required(settings, "wiring");
    point.task.wiring = wiring_of(wiring);
    point.places.wiring = wiring.place;
    set_type(point, settings);
    set_amount(point, settings);
    if (const workloads::Hybrid* const hybrid = point.task.workload.hybrid()) {
      text::at(point.places.amount, [&] { algorithms::require_host(*hybrid, *point.task.wiring); });
    }
    point.task.algorithm = text::at(algorithm.place, [&] {
      const std::filesystem::path folder = std::filesystem::path(document_.file).parent_path();
      return algorithms::parse_algorithm(
          algorithms::with_order_read(named, folder, point.task.wiring->hosts()),
          *point.task.wiring, point.task.workload);
    });
    set_schedule(point, settings);
    set_batch(point, settings);
    return point;
  }

 private:
  using Wiring = std::shared_ptr<const topologies::Topology>;

  [[nodiscard]] const Setting& required(const Settings& settings, const std::string& key) const {
    const auto found = settings.find(key);
    if (found != settings.end()) return found->second;
    throw InputError(document_.place(document_.root.position),
                     fmt::format("the key '{}' is missing: fix it or sweep it", key));
  }

  Wiring wiring_of(const Setting& setting) {
    const auto known = wirings_.find(setting.text);
    if (known != wirings_.end()) return known->second;
    Wiring wiring = text::at(setting.place, [&] {
      return topologies::make_topology(in_folder(setting.text, document_.file));
    });
    return wirings_[setting.text] = std::move(wiring);
  }

  void set_type(Point& point, const Settings& settings) const {
    const auto found = settings.find("dtype");
    if (found == settings.end()) return;
    point.places.type = found->second.place;
    point.task.type = parse_dtype(found->second.text);
    if (compute_ && point.task.type != Dtype::float32) {
      throw InputError(point.places.type, "a training job computes float32 gradients");
    }
  }

  void set_amount(Point& point, const Settings& settings) {
    std::vector<std::string> given;
    for (const char* key : {"workload", "elements", "size"}) {
      if (settings.contains(key)) given.emplace_back(key);
    }
    if (given.empty() && compute_ && !compute_->trace.empty()) {
      point.places.amount = compute_->place;  // the trace says what there is
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
    point.places.amount = amount.place;
    if (compute_ && given.front() != "workload") {
      throw InputError(amount.place, "a training job needs a workload, or a trace alone");
    }
    if (given.front() == "workload") set_workload(point, amount);
    if (given.front() == "elements") set_elements(point, text::number<std::uint64_t>(amount.text));
    if (given.front() == "size") set_elements(point, parse_size(amount, point.task.type));
  }

  static void set_elements(Point& point, std::uint64_t elements) {
    point.task.workload = workloads::Workload(workloads::Elements{elements});
  }

  void set_workload(Point& point, const Setting& workload) {
    auto& known = workloads_[workload.text];
    if (!known) {
      known = text::at(workload.place, [&] { return workloads::parse_workload(workload.text); });
    }
    point.task.workload = *known;
    if (point.task.workload.dense() != nullptr) {
      refuse_compute(workload, "dense(...) computes by itself");
      require_float32(point, "dense(...) multiplies float32");
    }
    if (point.task.workload.hybrid() != nullptr) {
      refuse_compute(workload, "hybrid(...) computes by itself, or not");
      if (point.task.workload.is_computed()) {
        require_float32(point, "hybrid(...) of a network computes float32");
      }
    }
  }

  void refuse_compute(const Setting& workload, std::string_view why) const {
    if (!compute_) return;
    throw InputError(workload.place, fmt::format("a training job needs a model: {}", why));
  }

  static void require_float32(const Point& point, const char* why) {
    if (point.task.type != Dtype::float32) throw InputError(point.places.type, why);
  }

  void set_schedule(Point& point, const Settings& settings) const {
    const auto found = settings.find("schedule");
    if (found == settings.end()) {
      point.task.schedule.name = compute_ ? "wfbp" : "none";
      return;
    }
    refuse_without_compute(found->second, "schedule");
    point.places.schedule = found->second.place;
    point.task.schedule = text::at(found->second.place, [&] {
      text::Spec spec = text::parse_spec(found->second.text);
      schedule::check_policy(spec);
      return spec;
    });
  }

  void set_batch(Point& point, const Settings& settings) const {
    const auto found = settings.find("batch");
    if (found != settings.end()) {
      refuse_without_compute(found->second, "batch");
      if (!compute_->trace.empty()) {
        throw InputError(found->second.place, "the trace has the batch it was measured with");
      }
      point.task.batch = text::number<std::uint64_t>(found->second.text);
    } else if (compute_ && compute_->trace.empty()) {
      throw InputError(compute_->place, "a device needs a batch: fix it or sweep it");
    }
  }

  void refuse_without_compute(const Setting& setting, const std::string& key) const {
    if (compute_) return;
    throw InputError(setting.place, key + " needs compute: without it there is no training job");
  }

  const text::YamlDocument& document_;
  const std::optional<Compute>& compute_;
  std::map<std::string, Wiring> wirings_;  ///< by what the file calls them
  std::map<std::string, std::optional<workloads::Workload>> workloads_;  ///< by name in the file
};

}  // namespace

std::vector<Point> build_points(const text::YamlDocument& document,
                                const std::optional<Compute>& compute) {
  PointBuilder builder(document, compute);
  std::vector<Point> points;
  for (const Settings& settings : expand_points(document)) {
    points.push_back(builder.build(settings, points.size()));
  }
  return points;
}

}  // namespace gradwire::experiment
