#include "harness/experiment.h"

#include <charconv>
#include <map>
#include <memory>

#include <fmt/core.h>

#include "harness/schema_check.h"
#include "harness/sweep.h"
#include "harness/yaml_document.h"
#include "topologies/topology.h"

namespace gradwire::harness {
namespace {

constexpr std::uint64_t kElementBytes = sizeof(float);

/// Calls `parse`, and puts the place before what it throws.
template <class Parse>
auto at(const SourcePlace& place, const Parse& parse) {
  try {
    return parse();
  } catch (const InputError& error) {
    throw InputError(place, error.what());
  }
}

/// The schema has let only numbers of this kind through, in a form that from_chars reads whole.
template <class Number>
Number number(const std::string& text) {
  Number value{};
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  ensure(error == std::errc() && rest == text.data() + text.size(), "the schema admits numbers");
  return value;
}

/// Keys of one map with their defaults.
class Reader {
 public:
  Reader(const YamlDocument& document, const YamlNode& map) : document_(document), map_(map) {}

  [[nodiscard]] std::optional<std::string> text(std::string_view key) const {
    const YamlEntry* const entry = map_.find(key);
    if (entry == nullptr) return std::nullopt;
    return entry->value.text;
  }
  [[nodiscard]] std::string text(std::string_view key, const char* otherwise) const {
    return text(key).value_or(otherwise);
  }
  template <class Number>
  [[nodiscard]] Number whole(std::string_view key, Number otherwise) const {
    const std::optional<std::string> value = text(key);
    return value ? number<Number>(*value) : otherwise;
  }
  [[nodiscard]] std::optional<Nanoseconds> duration(std::string_view key) const {
    const std::optional<std::string> value = text(key);
    if (!value) return std::nullopt;
    const Nanoseconds parsed = at(place(key), [&] { return parse_duration(*value); });
    if (parsed <= Nanoseconds::zero()) {
      throw InputError(place(key), fmt::format("{}: '{}' is no time at all", key, *value));
    }
    return parsed;
  }
  /// Of the value; requires that the key is there.
  [[nodiscard]] SourcePlace place(std::string_view key) const {
    return document_.place(map_.find(key)->value.position);
  }

 private:
  const YamlDocument& document_;
  const YamlNode& map_;
};

void refuse_unbuilt(const Reader& reader, std::string_view key, const std::string& value,
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

/// Turns Settings into Points; every distinct wiring is built once.
class PointBuilder {
 public:
  explicit PointBuilder(const YamlDocument& document) : document_(document) {}

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
    const auto topology =
        at(setting.place, [&] { return topologies::make_topology(setting.text); });
    if (topology->hosts() > kMaxEmulatedHosts) {
      throw InputError(setting.place,
                       fmt::format("{} has {} hosts; the emulated backing takes {}",
                                   topology->name(), topology->hosts(), kMaxEmulatedHosts));
    }
    const Wiring wiring{topology->name(), topology->hosts(), topology->ports_per_host()};
    return wirings_.emplace(setting.text, wiring).first->second;
  }

  void set_amount(Point& point, const Settings& settings) const {
    std::vector<std::string> given;
    for (const char* key : {"workload", "elements", "size"}) {
      if (settings.contains(key)) given.emplace_back(key);
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
    if (given.front() == "workload") point.workload = amount.text;
    if (given.front() == "elements") point.elements = number<std::uint64_t>(amount.text);
    if (given.front() == "size") point.elements = parse_size(amount);
  }

  const YamlDocument& document_;
  std::map<std::string, Wiring> wirings_;
};

void read_environment(Experiment& experiment, const YamlDocument& document, const Reader& reader) {
  experiment.backing = reader.text("backing", "emulated");
  refuse_unbuilt(reader, "backing", experiment.backing, "emulated");
  experiment.transport = reader.text("transport", "tcp");
  refuse_unbuilt(reader, "transport", experiment.transport, "tcp");
  const Reader link(document, document.root.find("link")->value);
  experiment.rate = at(link.place("rate"), [&] { return parse_bit_rate(*link.text("rate")); });
  experiment.mtu = link.whole<std::size_t>("mtu", 9000);
  const std::string dilation = reader.text("dilation", "auto");
  if (dilation != "auto") experiment.dilation = number<double>(dilation);
}

void read_measuring(Experiment& experiment, const Reader& reader) {
  experiment.warmup = reader.whole<std::size_t>("warmup", 2);
  experiment.iterations = reader.whole<std::size_t>("iterations", 10);
  experiment.check = parse_check(reader.text("check", "every"));
  experiment.timeout = reader.duration("timeout").value_or(std::chrono::seconds(10));
  experiment.max_time = reader.duration("max_time");
  experiment.seed = reader.whole<std::uint64_t>("seed", 1);
  const std::string interleave = reader.text("interleave", "true");
  experiment.interleave = interleave.front() == 't' || interleave.front() == 'T';
}

Experiment read(YamlDocument document) {
  check_against_schema(document, experiment_schema());
  const Reader reader(document, document.root);
  Experiment experiment;
  experiment.name = *reader.text("name");
  experiment.description = reader.text("description", "");
  read_environment(experiment, document, reader);
  read_measuring(experiment, reader);
  PointBuilder builder(document);
  for (const Settings& settings : expand_points(document)) {
    experiment.points.push_back(builder.build(settings, experiment.points.size()));
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

Experiment load_experiment(const std::filesystem::path& path) {
  return read(load_yaml(path));
}

Experiment load_experiment_text(std::string_view text, const std::string& name) {
  return read(parse_yaml(text, name));
}

}  // namespace gradwire::harness
