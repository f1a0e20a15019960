#include "harness/experiment/planned_failure.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace gradwire::experiment {
namespace {

using topologies::Topology;

std::optional<std::size_t> number_of(const text::YamlReader& reader, std::string_view key) {
  const std::optional<std::string> written = reader.text(key);
  if (!written) return std::nullopt;
  return text::number<std::size_t>(*written);
}

/// A moment since the iteration began; unlike other durations it may be 0.
Nanoseconds moment(const text::YamlReader& reader, std::string_view key) {
  const std::string text = *reader.text(key);
  if (text.starts_with('-')) {
    throw InputError(reader.place(key),
                     fmt::format("{}: '{}' is before the iteration begins", key, text));
  }
  return text::at(reader.place(key), [&] { return parse_duration(text); });
}

PlannedFailure read_failure(const text::YamlReader& reader, const SourcePlace& place) {
  PlannedFailure failure{.host = number_of(reader, "host"),
                         .port = number_of(reader, "port"),
                         .switch_number = number_of(reader, "switch"),
                         .link = number_of(reader, "link"),
                         .at = moment(reader, "at"),
                         .place = place};
  const int named = int{failure.host.has_value()} + int{failure.switch_number.has_value()} +
                    int{failure.link.has_value()};
  if (named != 1) throw InputError(place, "a failure names one of host, switch and link");
  if (failure.port && !failure.host) {
    throw InputError(reader.place("port"), "a port is that of a host");
  }
  if (!reader.text("until")) return failure;
  failure.until = moment(reader, "until");
  if (*failure.until <= failure.at) {
    throw InputError(reader.place("until"), "what goes down comes back later, not before");
  }
  return failure;
}

void require_below(const PlannedFailure& failure, std::size_t number, std::size_t count,
                   const std::string& what, const Topology& topology) {
  if (number < count) return;
  if (count == 0)
    throw InputError(failure.place, fmt::format("{} has no {}", topology.name(), what));
  throw InputError(failure.place, fmt::format("{} has no {} {}: they are numbered from 0 to {}",
                                              topology.name(), what, number, count - 1));
}

}  // namespace

nlohmann::json to_json(const PlannedFailure& failure) {
  const auto number_or_null = [](const std::optional<std::size_t>& number) {
    return number ? nlohmann::json(*number) : nlohmann::json(nullptr);
  };
  return {number_or_null(failure.host),
          number_or_null(failure.port),
          number_or_null(failure.switch_number),
          number_or_null(failure.link),
          failure.at.count(),
          failure.until ? nlohmann::json(failure.until->count()) : nlohmann::json(nullptr)};
}

std::vector<PlannedFailure> read_failures(const std::vector<text::YamlReader>& entries,
                                          const std::vector<SourcePlace>& places) {
  std::vector<PlannedFailure> failures;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    failures.push_back(read_failure(entries[i], places[i]));
  }
  return failures;
}

std::string describe(const PlannedFailure& failure, const Topology& topology) {
  if (failure.link) return fmt::format("cable {}", *failure.link);
  if (failure.switch_number) {
    return fmt::format("switch {} ({})", *failure.switch_number,
                       topology.label(topology.switch_node(*failure.switch_number)));
  }
  return fmt::format("host {}{}", *failure.host,
                     failure.port ? fmt::format(" port {}", *failure.port) : "");
}

std::vector<LinkId> cables_of(const PlannedFailure& failure, const Topology& topology) {
  if (failure.link) {
    require_below(failure, *failure.link, topology.links().size(), "cable", topology);
    return {LinkId(*failure.link)};
  }
  if (failure.host) {
    require_below(failure, *failure.host, topology.hosts(), "host", topology);
  } else {
    require_below(failure, *failure.switch_number, topology.switches(), "switch", topology);
  }
  const NodeId node = failure.host ? topology.host(Rank(*failure.host))
                                   : topology.switch_node(*failure.switch_number);
  if (failure.port) {
    require_below(failure, *failure.port, topology.ports_per_host(), "port", topology);
    return {topology.link_at({node, Port(*failure.port)})};
  }
  std::vector<LinkId> cables;
  for (std::size_t i = 0; i < topology.links().size(); ++i) {
    const topologies::Link& link = topology.links()[i];
    if (link.a.node == node || link.b.node == node) cables.emplace_back(i);
  }
  return cables;
}

}  // namespace gradwire::experiment
