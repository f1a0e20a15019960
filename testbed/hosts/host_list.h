#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "topologies/topology.h"

/// hosts.csv, the list of servers that an operator has, before anything is set up on them.
///
///     name,address,user,ssh_port,control_device,port0,port1
///     red,192.168.7.11,bench,22,eno1,0000:3b:00.0,0000:3b:00.1
///
/// A line per host, in the order of the ranks; columns are found by name. Only name, address and a
/// port column for every port of the wiring are needed.
namespace gradwire::hosts {

/// Regular expression of the names that interfaces may have here.
inline constexpr const char* kInterfacePattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,14}";

/// Key by which a network interface is found on its host.
enum class NicKey : std::uint8_t {
  pci,        ///< its PCI address: "0000:3b:00.0"
  mac,        ///< its MAC address: "02:00:00:00:00:01"
  interface,  ///< its name, which stays as it is
};
/// The key's name: "pci", "mac", "interface".
[[nodiscard]] std::string_view to_string(NicKey key);

struct Nic {
  NicKey key = NicKey::pci;
  std::string value;  ///< in lower case, a PCI address with its domain
  SourcePlace place;
};

struct ListedHost {
  std::string name;
  std::string address;  ///< address or name that ssh takes
  std::optional<std::string> user;
  std::optional<unsigned> ssh_port;
  std::optional<std::string> control_device;  ///< interface with that address
  std::vector<Nic> ports;                     ///< by Port
  SourcePlace place;
  SourcePlace address_place;
};

/// Reads the hosts of a wiring, by rank. Throws InputError with file, line and column for anything
/// but a list of as many hosts with as many ports, and when two of them would be the same.
[[nodiscard]] std::vector<ListedHost> load_host_list(const std::filesystem::path& path,
                                                     const topologies::Topology& topology);
/// Reads the hosts of a wiring from text, which messages call `name`.
[[nodiscard]] std::vector<ListedHost> load_host_list_text(std::string_view text,
                                                          const std::string& name,
                                                          const topologies::Topology& topology);

}  // namespace gradwire::hosts
