#include "harness/transport_settings.h"

#include <array>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace gradwire::harness {
namespace {

constexpr std::array<std::pair<TransportKind, std::string_view>, 4> kNames{{
    {TransportKind::tcp, "tcp"},
    {TransportKind::ucx, "ucx"},
    {TransportKind::ucx_rc, "ucx-rc"},
    {TransportKind::verbs, "verbs"},
}};

}  // namespace

std::string to_string(TransportKind kind) {
  for (const auto& [known, name] : kNames) {
    if (known == kind) return std::string(name);
  }
  throw InternalError("a transport has a name");
}

TransportKind parse_transport(std::string_view name) {
  for (const auto& [kind, known] : kNames) {
    if (known == name) return kind;
  }
  throw InputError(
      fmt::format("expected one of {}, found '{}'", fmt::join(transport_names(), ", "), name));
}

std::vector<std::string> transport_names() {
  std::vector<std::string> names;
  for (const auto& [kind, name] : kNames) names.emplace_back(name);
  return names;
}

bool needs_rdma(TransportKind kind) {
  return kind == TransportKind::verbs || kind == TransportKind::ucx_rc;
}

testbed::Framing framing_of(TransportKind kind) {
  return needs_rdma(kind) ? testbed::Framing::roce : testbed::Framing::tcp;
}

nlohmann::json to_json(const TransportSettings& settings) {
  return {{"kind", to_string(settings.kind)},
          {"ack_timeout", settings.ack_timeout},
          {"retry_count", settings.retry_count},
          {"traffic_class", settings.traffic_class},
          {"poll", settings.poll}};
}

TransportSettings transport_settings_from_json(const nlohmann::json& json) {
  return {.kind = parse_transport(json.at("kind").get<std::string>()),
          .ack_timeout = json.at("ack_timeout"),
          .retry_count = json.at("retry_count"),
          .traffic_class = json.at("traffic_class"),
          .poll = json.at("poll")};
}

}  // namespace gradwire::harness
