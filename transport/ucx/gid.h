#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace gradwire::transport::ucx {

/// The index of the device's GID that RoCE v2 uses with a link-local address (fe80::/10), port 1.
/// UCX 1.13's datagrams, which carry its connection set-up, get lost on the IPv4-mapped GIDs of
/// Soft-RoCE; link-local ones work everywhere within a switch. Where the kernel names the network
/// interface of a GID, it must be `interface`; the lowest fitting index wins. Nothing when the
/// device does not exist or has no such GID. Reads files below `root`.
[[nodiscard]] std::optional<std::size_t> link_local_gid(
    const std::string& device, const std::string& interface,
    const std::filesystem::path& root = "/sys/class/infiniband");

}  // namespace gradwire::transport::ucx
