#include "transport/execution/settings.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/suggest.h"
#include "core/text/whole_number.h"

namespace gradwire::execution {
namespace {

constexpr std::array kTransports{
    NamedTransport{.name = "tcp",
                   .kind = TransportKind::tcp,
                   .about = "TCP of our own, over the kernel's sockets; the default"},
    NamedTransport{.name = "ucx",
                   .kind = TransportKind::ucx,
                   .library = record::Library::ucx,
                   .open_to_strangers = true,
                   .about = "UCX over TCP"},
    NamedTransport{.name = "ucx-rc",
                   .kind = TransportKind::ucx_rc,
                   .library = record::Library::ucx,
                   .needs_rdma = true,
                   .open_to_strangers = true,
                   .about = "UCX over RDMA; needs an RDMA device for each port"},
    NamedTransport{.name = "verbs",
                   .kind = TransportKind::verbs,
                   .library = record::Library::verbs,
                   .needs_rdma = true,
                   .open_to_strangers = true,
                   .about = "RDMA of our own (RoCE v2); needs an RDMA device for each port"},
};

const NamedTransport& row_of(TransportKind kind) {
  const auto* const row = std::ranges::find(kTransports, kind, &NamedTransport::kind);
  ensure(row != kTransports.end(), "a transport has a row");
  return *row;
}

}  // namespace

std::span<const NamedTransport> transports() {
  return kTransports;
}

std::string to_string(TransportKind kind) {
  return std::string(row_of(kind).name);
}

TransportKind parse_transport(std::string_view name) {
  const auto* const row = std::ranges::find(kTransports, name, &NamedTransport::name);
  if (row != kTransports.end()) return row->kind;
  std::vector<std::string> known;
  for (const NamedTransport& each : kTransports) known.emplace_back(each.name);
  throw InputError(fmt::format("{}; there are: {}", text::unknown_name("transport", name, known),
                               fmt::join(known, ", ")));
}

bool needs_rdma(TransportKind kind) {
  return row_of(kind).needs_rdma;
}

std::optional<std::string> warning_of_strangers(TransportKind kind) {
  if (!row_of(kind).open_to_strangers) return std::nullopt;
  return fmt::format(
      "with transport {} whoever reaches a data port can write to a rank's memory; the data "
      "networks must be isolated",
      to_string(kind));
}

std::optional<record::Library> library_of(TransportKind kind) {
  return row_of(kind).library;
}

std::string_view integrity_of(const TransportSettings& settings) {
  if (needs_rdma(settings.kind)) return "icrc";
  if (settings.kind != TransportKind::tcp) return kTcpChecksum;
  return settings.check_frames ? "crc32c" : "off";
}

testbed::Framing framing_of(TransportKind kind) {
  return needs_rdma(kind) ? testbed::Framing::roce : testbed::Framing::tcp;
}

nlohmann::json to_json(const TransportSettings& settings) {
  return {{"kind", to_string(settings.kind)},      {"ack_timeout", settings.ack_timeout},
          {"retry_count", settings.retry_count},   {"traffic_class", settings.traffic_class},
          {"check_frames", settings.check_frames}, {"poll", settings.poll}};
}

TransportSettings transport_settings_from_json(const nlohmann::json& json) {
  return {.kind = parse_transport(json.at("kind").get<std::string>()),
          .ack_timeout = text::whole_number<unsigned>(json.at("ack_timeout")),
          .retry_count = text::whole_number<unsigned>(json.at("retry_count")),
          .traffic_class = text::whole_number<unsigned>(json.at("traffic_class")),
          .check_frames = json.at("check_frames"),
          .poll = json.at("poll")};
}

}  // namespace gradwire::execution
