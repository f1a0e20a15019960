#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <infiniband/verbs.h>

/// GIDs, which are the addresses of RoCE. Their place in a device's table means nothing: it depends
/// on the order in which interfaces got their addresses, and on the driver.
namespace gradwire::transport::verbs {

/// The GID of an IPv4 address: ::ffff:a.b.c.d. Throws InputError when `address` is not an IPv4
/// address.
[[nodiscard]] ibv_gid mapped_gid(const std::string& address);

/// The GID as text: "::ffff:10.0.0.1".
[[nodiscard]] std::string to_string(const ibv_gid& gid);
/// The entry as text: "port 1 index 3: ::ffff:10.0.0.1, RoCE v2, interface 2".
[[nodiscard]] std::string to_string(const ibv_gid_entry& entry);

/// Finds the RoCE v2 entry with this address on the network interface with this index. Entries
/// whose interface the kernel does not report (0) count as on it.
[[nodiscard]] std::optional<ibv_gid_entry> find_gid(std::span<const ibv_gid_entry> table,
                                                    const ibv_gid& address,
                                                    std::uint32_t interface);

}  // namespace gradwire::transport::verbs
