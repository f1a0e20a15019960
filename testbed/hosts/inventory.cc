#include "testbed/hosts/inventory.h"

#include <map>
#include <set>
#include <utility>

#include <arpa/inet.h>
#include <fmt/format.h>

#include "core/text/format_version.h"
#include "core/text/schema_check.h"
#include "core/text/schemas.h"
#include "core/text/yaml_document.h"
#include "core/text/yaml_reader.h"
#include "topologies/address_plan.h"
#include "topologies/registry.h"

namespace gradwire::hosts {
namespace {

using Ports = std::vector<transport::PortBinding>;

std::vector<std::string> texts(const text::YamlReader& reader, std::string_view key) {
  std::vector<std::string> all;
  for (const text::YamlText& one : reader.list(key)) all.push_back(one.text);
  return all;
}

std::optional<unsigned> number_if(const text::YamlReader& reader, std::string_view key) {
  const auto text = reader.text(key);
  return text ? std::optional(text::number<unsigned>(*text)) : std::nullopt;
}

Ports read_ports(const text::YamlReader& host) {
  Ports ports;
  for (const text::YamlReader& port : host.maps("ports")) {
    const std::string address = *port.text("address");
    in_addr ignored{};
    if (::inet_pton(AF_INET, address.c_str(), &ignored) != 1) {
      throw InputError(port.place("address"), fmt::format("'{}' is no IPv4 address", address));
    }
    ports.push_back(
        {.device = *port.text("device"), .address = address, .rdma = port.text("rdma", "")});
  }
  return ports;
}

constexpr std::string_view kLevel = "{level}";

std::string with_level(std::string pattern, std::size_t level) {
  for (std::size_t at = 0; (at = pattern.find(kLevel)) != std::string::npos;) {
    pattern.replace(at, kLevel.size(), fmt::to_string(level));
  }
  return pattern;
}

/// Ports that a plan gives its hosts, by rank.
class PlannedPorts {
 public:
  PlannedPorts(const text::YamlReader& reader)
      : topology_(text::at(reader.place("plan"),
                           [&] { return topologies::make_topology(*reader.text("plan")); })),
        addresses_(
            text::at(reader.place("plan"), [&] { return topologies::plan_addresses(*topology_); })),
        device_(*reader.text("device")),
        rdma_(reader.text("rdma", "")) {}

  [[nodiscard]] std::string name() const { return topology_->name(); }
  [[nodiscard]] std::size_t hosts() const { return topology_->hosts(); }
  [[nodiscard]] std::size_t ports_per_host() const { return topology_->ports_per_host(); }
  [[nodiscard]] Ports of(std::size_t rank) const {
    Ports ports;
    for (const topologies::PortAddress& port : addresses_.nodes[rank].ports) {
      const std::size_t level = ports.size();
      ports.push_back({.device = with_level(device_, level),
                       .address = to_string(port.address),
                       .rdma = with_level(rdma_, level)});
    }
    return ports;
  }

 private:
  std::unique_ptr<const topologies::Topology> topology_;
  topologies::AddressPlan addresses_;
  std::string device_;
  std::string rdma_;
};

std::optional<PlannedPorts> read_plan(const text::YamlReader& reader) {
  if (!reader.text("plan")) {
    for (const char* key : {"device", "rdma"}) {
      if (reader.text(key)) {
        throw InputError(reader.place(key),
                         fmt::format("{} goes with plan, which is missing", key));
      }
    }
    return std::nullopt;
  }
  if (!reader.text("device")) {
    throw InputError(reader.place("plan"),
                     "plan says the addresses; the key 'device', which says "
                     "the interfaces, is missing");
  }
  PlannedPorts plan(reader);
  for (const char* key : {"device", "rdma"}) {
    const std::string pattern = reader.text(key).value_or(std::string(kLevel));
    if (plan.ports_per_host() == 1 || pattern.find(kLevel) != std::string::npos) continue;
    throw InputError(reader.place(key),
                     fmt::format("a host of {} has {} ports, and '{}' is the same for each: put "
                                 "{} where their number belongs",
                                 plan.name(), plan.ports_per_host(), pattern, kLevel));
  }
  return plan;
}

/// Throws InputError when two names are of one host or of one port, which would be measured against
/// itself.
void require_distinct(const Inventory& inventory) {
  std::map<std::string, std::string> owners;  // of an address, or of a way in
  const auto take = [&owners](const std::string& what, const InventoryHost& host) {
    const auto [known, is_new] = owners.emplace(what, host.name);
    if (is_new) return;
    throw InputError(host.place, fmt::format("{} and {} have the same {}: every host needs its own",
                                             known->second, host.name, what));
  };
  for (const InventoryHost& host : inventory.hosts) {
    if (inventory.agent.empty()) {
      take(fmt::format("ssh server, {} port {}", host.ssh.target, host.ssh.port.value_or(22)),
           host);
    }
    std::set<std::string> devices;
    for (const transport::PortBinding& port : host.ports) {
      take("address " + port.address, host);
      if (devices.insert(port.device).second) continue;
      throw InputError(host.place,
                       fmt::format("two ports of {} are {}: every port needs its own interface",
                                   host.name, port.device));
    }
  }
}

InventoryHost read_host(const text::YamlReader& reader, const text::YamlReader& all,
                        SourcePlace place) {
  InventoryHost host{.name = *reader.text("name"), .place = std::move(place)};
  host.ssh = {.target = reader.text("ssh").value_or(host.name),
              .user = reader.text("user"),
              .port = number_if(reader, "port"),
              .options = texts(reader, "options")};
  if (!host.ssh.user) host.ssh.user = all.text("user");
  if (!host.ssh.port) host.ssh.port = number_if(all, "port");
  for (std::string& option : texts(all, "options")) host.ssh.options.push_back(std::move(option));
  host.ports = read_ports(reader);
  return host;
}

void set_ports(Inventory& inventory, const text::YamlReader& reader) {
  const std::optional<PlannedPorts> plan = read_plan(reader);
  if (plan && plan->hosts() != inventory.hosts.size()) {
    throw InputError(reader.place("hosts"),
                     fmt::format("{} has {} hosts; here are {}", plan->name(), plan->hosts(),
                                 inventory.hosts.size()));
  }
  if (plan) inventory.plan = plan->name();
  for (std::size_t rank = 0; rank < inventory.hosts.size(); ++rank) {
    InventoryHost& host = inventory.hosts[rank];
    if (plan && !host.ports.empty()) {
      throw InputError(host.place,
                       fmt::format("the plan says the ports of {}: leave 'ports' out", host.name));
    }
    if (plan) host.ports = plan->of(rank);
    if (host.ports.empty()) {
      throw InputError(
          host.place, fmt::format("{} has no ports: list them, or give a plan for all", host.name));
    }
    if (host.ports.size() != inventory.hosts.front().ports.size()) {
      throw InputError(host.place, fmt::format("{} has {} ports, {} has {}", host.name,
                                               host.ports.size(), inventory.hosts.front().name,
                                               inventory.hosts.front().ports.size()));
    }
  }
}

Inventory read(text::YamlDocument document) {
  text::check_format_version(document, "gradwire-inventory", 1);
  text::check_against_schema(document, text::schema("inventory"));
  const text::YamlReader reader(document, document.root);
  Inventory inventory{.control = texts(reader, "control"),
                      .program = reader.text("program", ""),
                      .agent = reader.text("agent", ""),
                      .mpirun = texts(reader, "mpirun")};
  if (const auto verification = reader.text("verification")) {
    const std::filesystem::path folder = std::filesystem::path(document.file).parent_path();
    inventory.verification = folder / *verification;  // an absolute one stays
  }
  const std::vector<SourcePlace> places = reader.places("hosts");
  std::set<std::string> names;
  for (const text::YamlReader& host : reader.maps("hosts")) {
    inventory.hosts.push_back(read_host(host, reader, places[inventory.hosts.size()]));
    const std::string& name = inventory.hosts.back().name;
    if (names.insert(name).second) continue;
    throw InputError(host.place("name"), fmt::format("there are two hosts {}", name));
  }
  set_ports(inventory, reader);
  require_distinct(inventory);
  inventory.file = std::move(document.file);
  return inventory;
}

}  // namespace

Inventory load_inventory(const std::filesystem::path& path) {
  return read(text::load_yaml(path));
}

Inventory load_inventory_text(std::string_view text, const std::string& name) {
  return read(text::parse_yaml(text, name));
}

void require_fit(const Inventory& inventory, const topologies::Topology& topology,
                 const SourcePlace& place) {
  const auto refuse = [&](const std::string& what) {
    throw InputError(place, fmt::format("{}: {}", inventory.file, what));
  };
  if (!inventory.plan.empty() && inventory.plan != topology.name()) {
    refuse(fmt::format("its hosts are cabled as {}, not as {}", inventory.plan, topology.name()));
  }
  if (inventory.hosts.size() != topology.hosts()) {
    refuse(fmt::format("{} has {} hosts; the inventory has {}", topology.name(), topology.hosts(),
                       inventory.hosts.size()));
  }
  const std::size_t ports = inventory.hosts.front().ports.size();
  if (ports != topology.ports_per_host()) {
    refuse(fmt::format("a host of {} has {} ports; in the inventory it has {}", topology.name(),
                       topology.ports_per_host(), ports));
  }
}

std::string ssh_config(const Inventory& inventory) {
  std::string text;
  for (const InventoryHost& host : inventory.hosts) {
    text += fmt::format("Host {}\n  HostName {}\n", host.name, host.ssh.target);
    if (host.ssh.user) text += fmt::format("  User {}\n", *host.ssh.user);
    if (host.ssh.port) text += fmt::format("  Port {}\n", *host.ssh.port);
    for (const std::string& option : host.ssh.options) text += fmt::format("  {}\n", option);
    // Nobody is there to type a password, or waits for a host that is off.
    text += "  BatchMode yes\n  ConnectTimeout 20\n";
  }
  return text + "Host *\nInclude ~/.ssh/config\nInclude /etc/ssh/ssh_config\n";
}

}  // namespace gradwire::hosts
