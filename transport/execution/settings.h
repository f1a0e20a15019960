#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "results/record/libraries.h"
#include "testbed/shape.h"

namespace gradwire::execution {

/// Carrier of the bytes between ranks.
enum class TransportKind : std::uint8_t {
  tcp,     ///< our own, over sockets
  ucx,     ///< UCX over TCP
  ucx_rc,  ///< UCX over reliable connections of RDMA devices
  verbs,   ///< our own, over reliable connections of RDMA devices
};

/// One transport, by the name that users write; `gradwire list transports` prints them.
struct NamedTransport {
  std::string_view name;
  TransportKind kind;
  std::optional<record::Library> library = {};  ///< library that it takes beside the kernel
  bool needs_rdma = false;                      ///< every port must have an RDMA device
  /// Whether someone of the data network who is not of the run can write to a rank's memory.
  bool open_to_strangers = false;
  std::string_view about;  ///< description: the carrier of the bytes, and its needs
};
[[nodiscard]] std::span<const NamedTransport> transports();

/// The name of a transport, as users write it.
[[nodiscard]] std::string to_string(TransportKind kind);
/// Throws InputError, without a place, for a name that is none.
[[nodiscard]] TransportKind parse_transport(std::string_view name);
/// Whether every port must have an RDMA device.
[[nodiscard]] bool needs_rdma(TransportKind kind);

/// Warning for users of hosts about who else is on their data networks. Nothing where ranks let
/// nobody else in.
[[nodiscard]] std::optional<std::string> warning_of_strangers(TransportKind kind);

/// The library that carries the bytes. Nothing for our own sockets.
[[nodiscard]] std::optional<record::Library> library_of(TransportKind kind);

/// The headers that frame the payload on a link.
[[nodiscard]] testbed::Framing framing_of(TransportKind kind);

/// A transport and how its RDMA connections are set up; those that have none ignore the rest.
struct TransportSettings {
  TransportKind kind = TransportKind::tcp;
  /// 4.096 us * 2^this without an acknowledgement make a device send again. A packet that only
  /// waits in a slow link's queue must not be taken for lost: 20 (4.3 s) for emulated links.
  unsigned ack_timeout = 20;
  /// Times a packet is sent again before its connection breaks. 7 is for ever on some devices,
  /// Soft-RoCE among them: nobody would notice a peer that was killed.
  unsigned retry_count = 6;
  unsigned traffic_class = 0;  ///< ToS byte of the packets: DSCP * 4 + ECN
  bool check_frames = true;    ///< a CRC32C behind every frame of our own TCP
  bool poll = false;           ///< ask for completions again and again instead of sleeping

  friend bool operator==(const TransportSettings&, const TransportSettings&) = default;
};

/// Check of the payload's bits on their way, as rows name it: "crc32c", or "off", of our own TCP's
/// frames; "icrc", which RDMA devices put on every packet; else kTcpChecksum.
[[nodiscard]] std::string_view integrity_of(const TransportSettings& settings);
/// The kernel's, of a library that speaks TCP: 16 bits, which links may leave out.
inline constexpr std::string_view kTcpChecksum = "tcp-checksum";

[[nodiscard]] nlohmann::json to_json(const TransportSettings& settings);
/// Throws nlohmann::json::exception or InputError for what to_json did not make.
[[nodiscard]] TransportSettings transport_settings_from_json(const nlohmann::json& json);

}  // namespace gradwire::execution
