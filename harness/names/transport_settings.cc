#include "harness/names/transport_settings.h"

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/name_table.h"

namespace gradwire::names {
namespace {

constexpr NameTable<TransportKind, 4> kNames({
    {"tcp", TransportKind::tcp},
    {"ucx", TransportKind::ucx},
    {"ucx-rc", TransportKind::ucx_rc},
    {"verbs", TransportKind::verbs},
});

}  // namespace

std::string to_string(TransportKind kind) {
  return std::string(kNames.name_of(kind));
}

TransportKind parse_transport(std::string_view name) {
  if (const auto kind = kNames.find(name)) return *kind;
  throw InputError(
      fmt::format("expected one of {}, found '{}'", fmt::join(kNames.names(), ", "), name));
}

bool needs_rdma(TransportKind kind) {
  return kind == TransportKind::verbs || kind == TransportKind::ucx_rc;
}

std::optional<record::Library> library_of(TransportKind kind) {
  switch (kind) {
    case TransportKind::tcp:
      return std::nullopt;
    case TransportKind::ucx:
    case TransportKind::ucx_rc:
      return record::Library::ucx;
    case TransportKind::verbs:
      return record::Library::verbs;
  }
  throw_bug("a transport is one of those that there are");
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

}  // namespace gradwire::names
