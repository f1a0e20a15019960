#include "harness/experiment/experiment.h"

#include <algorithm>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/mtu.h"
#include "core/name_table.h"
#include "core/text/format_version.h"
#include "core/text/schema_check.h"
#include "core/text/schemas.h"
#include "core/text/yaml_document.h"
#include "core/text/yaml_reader.h"
#include "harness/experiment/gain_query.h"
#include "harness/experiment/memory.h"
#include "harness/experiment/point_builder.h"
#include "testbed/shape.h"

namespace gradwire::experiment {
namespace {

constexpr NameTable<Check, 3> kChecks({{"every", Check::every},
                                       {"first-last", Check::first_last},
                                       {"never", Check::never}});

execution::TransportSettings read_transport(const text::YamlReader& reader) {
  execution::TransportSettings settings;
  if (const auto transport = reader.text("transport")) {
    settings.kind =
        text::at(reader.place("transport"), [&] { return execution::parse_transport(*transport); });
  }
  settings.check_frames = reader.text("integrity", "crc32c") == "crc32c";
  if (const auto rdma = reader.map("rdma")) {
    settings.ack_timeout = rdma->value<unsigned>("ack_timeout", settings.ack_timeout);
    settings.retry_count = rdma->value<unsigned>("retry_count", settings.retry_count);
    settings.traffic_class = rdma->value<unsigned>("traffic_class", settings.traffic_class);
    settings.poll = rdma->truth("poll", settings.poll);
  }
  return settings;
}

/// A word, or a list of words.
std::vector<record::Backing> read_backings(const text::YamlReader& reader) {
  std::vector<record::Backing> backings;
  for (const text::YamlText& one : reader.list("backing")) {
    backings.push_back(record::parse_backing(one.text));
  }
  if (backings.empty())
    backings.push_back(record::parse_backing(reader.text("backing", "emulated")));
  return backings;
}

/// Arguments of mpirun start programs, as the agent of an inventory does.
void refuse_mpirun(const text::YamlDocument& document) {
  const text::YamlEntry* const hosts = document.root.find("hosts");
  const text::YamlEntry* const mpirun = hosts == nullptr ? nullptr : hosts->value.find("mpirun");
  if (mpirun == nullptr) return;
  throw InputError(document.place(mpirun->position),
                   "hosts.mpirun: an experiment cannot say how programs are started on your "
                   "hosts; put mpirun into the inventory");
}

std::optional<HostsSettings> read_hosts(const text::YamlReader& reader) {
  const auto hosts = reader.map("hosts");
  if (!hosts) return std::nullopt;
  HostsSettings settings;
  if (hosts->text("inventory")) settings.unused_inventory = hosts->place("inventory");
  settings.ignores_verification = hosts->text("verification", "require") == "ignore";
  return settings;
}

void read_environment(Experiment& experiment, const text::YamlDocument& document,
                      const text::YamlReader& reader) {
  experiment.backings = read_backings(reader);
  if (document.root.find("backing")) experiment.backing_place = reader.place("backing");
  experiment.transport = read_transport(reader);
  if (document.root.find("transport")) experiment.transport_place = reader.place("transport");
  experiment.hosts = read_hosts(reader);
  experiment.memory = parse_memory(reader.text("memory", "host"));
  if (document.root.find("memory")) experiment.memory_place = reader.place("memory");
  const text::YamlReader link(document, document.root.find("link")->value);
  experiment.link_place = reader.place("link");
  experiment.rate =
      text::at(link.place("rate"), [&] { return parse_link_rate(*link.text("rate")); });
  experiment.mtu = link.value<std::size_t>("mtu", kDefaultMtu);
  experiment.headers = link.text("headers", "ethernet") == "ethernet";
  if (const auto startup = link.duration("startup")) experiment.startup = *startup;
  if (const auto delay = link.duration("delay")) experiment.delay = *delay;
  experiment.fabric = read_fabric(reader, link, experiment.mtu);
  const std::string dilation = reader.text("dilation", "auto");
  if (dilation != "auto") experiment.dilation = text::number<double>(dilation);
}

void read_measuring(Experiment& experiment, const text::YamlReader& reader) {
  experiment.warmup = reader.value<std::size_t>("warmup", 2);
  experiment.iterations = reader.value<std::size_t>("iterations", 10);
  const std::optional<Check> check = kChecks.find(reader.text("check", "every"));
  ensure(check.has_value(), "the schema admits known checks");
  experiment.check = *check;
  const auto timeout = reader.duration("timeout");
  if (timeout) text::at(reader.place("timeout"), [&] { check_timeout(*timeout); });
  experiment.timeout = timeout.value_or(std::chrono::seconds(10));
  experiment.max_time = reader.duration("max_time");
  experiment.seed = reader.value<std::uint64_t>("seed", 1);
  experiment.interleave = reader.truth("interleave", true);
}

void read_training(Experiment& experiment, const text::YamlReader& reader,
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
void read_compare(Experiment& experiment, const text::YamlReader& reader) {
  const auto comparison = reader.map("compare");
  if (!comparison) return;
  if (!experiment.compute) {
    throw InputError(reader.place("compare"), "compare needs compute: it compares jobs");
  }
  ComparableNames names;
  for (const Point& point : experiment.points) {
    names.algorithms.insert(point.task.algorithm.name());
    names.schedules.insert(to_string(point.task.schedule));
  }
  experiment.gains = read_gain_query(*comparison, reader.place("compare"), names);
}

Experiment read(text::YamlDocument document) {
  text::check_format_version(document, "gradwire", 1);
  refuse_mpirun(document);
  text::check_against_schema(document, text::schema("experiment"));
  const text::YamlReader reader(document, document.root);
  Experiment experiment;
  experiment.name = *reader.text("name");
  experiment.description = reader.text("description", "");
  read_environment(experiment, document, reader);
  read_measuring(experiment, reader);
  read_training(experiment, reader, std::filesystem::path(document.file).parent_path());
  experiment.points = build_points(document, experiment.compute);
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

/// Links are shaped to the dilated rate. `auto` never chooses a dilation below 1, nor a rate beyond
/// the machine's.
void check_shaped_rate(const Experiment& experiment) {
  if (!experiment.rate.is_limited()) return;
  const BitRate shaped{experiment.rate.bits_per_second / experiment.dilation.value_or(1)};
  const bool too_fast = experiment.dilation && shaped > kMaxShapedRate;
  if (shaped >= kMinShapedRate && !too_fast) return;
  throw InputError(
      experiment.link_place,
      fmt::format("a rate of {} with a dilation of {:g} is {}; links have from {} to {}",
                  to_string(experiment.rate), experiment.dilation.value_or(1), to_string(shaped),
                  to_string(kMinShapedRate), to_string(kMaxShapedRate)));
}

/// The settings of RDMA connections that are not the defaults, as part of a point's key.
nlohmann::json counted_of_rdma(const execution::TransportSettings& settings) {
  const execution::TransportSettings usual;
  nlohmann::json all = nlohmann::json::object();
  const auto add = [&all](const char* key, auto value, auto otherwise) {
    if (value != otherwise) all[key] = value;
  };
  add("ack_timeout", settings.ack_timeout, usual.ack_timeout);
  add("retry_count", settings.retry_count, usual.retry_count);
  add("traffic_class", settings.traffic_class, usual.traffic_class);
  add("poll", settings.poll, usual.poll);
  return all;
}

}  // namespace

void check_timeout(Nanoseconds timeout) {
  if (timeout <= kMaxTimeout) return;
  throw InputError(fmt::format("a timeout of {} is too long; {} days at most",
                               format_duration(timeout), kMaxTimeout / std::chrono::hours(24)));
}

std::string to_string(Check check) {
  return std::string(kChecks.name_of(check));
}

BitRate parse_link_rate(const std::string& text) {
  if (text == "unlimited") return kUnlimited;
  return parse_bit_rate(text);
}

BitRate payload_rate(const Experiment& experiment) {
  const double share = experiment.headers
                           ? testbed::payload_fraction(
                                 experiment.mtu, execution::framing_of(experiment.transport.kind))
                           : 1;
  return {experiment.rate.bits_per_second * share};
}

LinkFacts link_facts(const Experiment& experiment) {
  return {.rate = experiment.rate,
          .mtu = experiment.mtu,
          .startup = experiment.startup,
          .framing = execution::framing_of(experiment.transport.kind)};
}

nlohmann::json counted(const Experiment& experiment, record::Backing backing) {
  nlohmann::json all = {{"links",
                         {{"rate", experiment.rate.bits_per_second},
                          {"mtu", experiment.mtu},
                          {"headers", experiment.headers},
                          {"startup", experiment.startup.count()},
                          {"delay", experiment.delay.count()},
                          {"transport", to_string(experiment.transport.kind)}}}};
  if (experiment.memory != Memory::host) all["memory"] = to_string(experiment.memory);
  if (experiment.compute) all["load"] = to_string(experiment.compute->load);
  if (backing == record::Backing::simulated) {
    all["gamma"] = experiment.cost.gamma;
    for (const PlannedFailure& failure : experiment.failures) {
      all["failures"].push_back(to_json(failure));
    }
  } else if (backing == record::Backing::emulated) {
    all["dilation"] =
        experiment.dilation ? nlohmann::json(*experiment.dilation) : nlohmann::json("auto");
  }
  // Said only when it is off, so that the keys of older points stay.
  if (backing != record::Backing::simulated && !experiment.transport.check_frames) {
    all["integrity"] = "off";
  }
  if (backing != record::Backing::simulated && execution::needs_rdma(experiment.transport.kind)) {
    const nlohmann::json rdma = counted_of_rdma(experiment.transport);
    if (!rdma.empty()) all["rdma"] = rdma;
  }
  return all;
}

bool runs_on(const Experiment& experiment, record::Backing backing) {
  return std::ranges::find(experiment.backings, backing) != experiment.backings.end();
}

void check_backings(const Experiment& experiment) {
  if (!experiment.rate.is_limited() && runs_on(experiment, record::Backing::simulated)) {
    throw InputError(experiment.link_place,
                     "link.rate: unlimited: virtual time goes by the rate; use backing: emulated");
  }
  if (!experiment.rate.is_limited() && experiment.dilation.value_or(1) != 1) {
    throw InputError(experiment.link_place,
                     "link.rate: unlimited: there is no rate to dilate; leave dilation out");
  }
  check_inventory(experiment);
  check_memory(experiment);
  const bool hosts = runs_on(experiment, record::Backing::hosts);
  if (!hosts && !runs_on(experiment, record::Backing::emulated)) return;
  check_shaped_rate(experiment);
  const auto refuse = [&](std::string_view what) {
    throw InputError(experiment.link_place, fmt::format("{}; use backing: simulated", what));
  };
  if (!experiment.headers) refuse("link.headers: none: a packet has headers");
  if (experiment.delay > Seconds(0)) refuse("link.delay: cables have a delay of their own");
  if (hosts && experiment.dilation.value_or(1) != 1) {
    throw InputError(experiment.link_place, "dilation: real hosts have no other time than ours");
  }
  if (!experiment.fabric.dropping_place.file.empty()) {
    throw InputError(experiment.fabric.dropping_place,
                     "fabric: tail-drop is for simulations: emulated switches hold everything, and "
                     "real ones do what they do; use backing: simulated");
  }
  if (!experiment.failures.empty()) {
    throw InputError(experiment.failures.front().place,
                     "failures are for simulations; use backing: simulated");
  }
}

void check_inventory(const Experiment& experiment) {
  if (!runs_on(experiment, record::Backing::hosts)) return;
  const HostsSettings& hosts = experiment.hosts ? *experiment.hosts : HostsSettings{};
  if (!hosts.inventory.empty()) return;
  constexpr const char* kAsk = "name it on the command line, with --inventory FILE";
  if (!hosts.unused_inventory.file.empty()) {
    throw InputError(hosts.unused_inventory,
                     fmt::format("hosts.inventory: an inventory names commands, which run as you; "
                                 "if you trust it, {}",
                                 kAsk));
  }
  throw InputError(SourcePlace{.file = experiment.file},
                   fmt::format("backing hosts needs an inventory: {}", kAsk));
}

Experiment load_experiment(const std::filesystem::path& path) {
  return read(text::load_yaml(path));
}

Experiment load_experiment_text(std::string_view text, const std::string& name) {
  return read(text::parse_yaml(text, name));
}

}  // namespace gradwire::experiment
