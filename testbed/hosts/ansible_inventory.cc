#include <fmt/format.h>

#include "core/text/yaml_text.h"
#include "testbed/hosts/testbed_files.h"

namespace gradwire::hosts {
namespace {

using YAML::Key;
using YAML::Value;

constexpr const char* kWhatIsWhat =
    "Each host has\n"
    "  ansible_host       where it is reached: never an address of the wiring\n"
    "  gradwire_rank      its place in the wiring: the order of hosts.csv\n"
    "  gradwire_ports     by port; pci, mac or interface is how the interface is found, device "
    "and\n"
    "                     rdma what it and its RDMA device are called from then on (one that is\n"
    "                     found by its name keeps it); switch and switch_port are where its cable\n"
    "                     goes, neighbours the ports of other hosts on the same switch\n"
    "  gradwire_routes    to subnets that are more than one switch away\n"
    "  gradwire_relays    whether it forwards packets of others";

/// Writes a key and begins its list; an empty list stands on the key's line.
template <class List>
void begin_list(YAML::Emitter& out, const char* key, const List& list) {
  out << Key << key << Value;
  if (list.empty()) out << YAML::Flow;
  out << YAML::BeginSeq;
}

void emit(YAML::Emitter& out, const TestbedNeighbour& neighbour) {
  out << YAML::Flow << YAML::BeginMap;
  out << Key << "host" << Value << text::YamlWord{neighbour.host};
  out << Key << "port" << Value << neighbour.port.index();
  out << Key << "address" << Value << text::YamlWord{to_string(neighbour.address)};
  out << YAML::EndMap;
}

void emit(YAML::Emitter& out, const TestbedPort& port, std::size_t level) {
  out << YAML::BeginMap;
  out << Key << "device" << Value << text::YamlWord{port.device};
  out << Key << "rdma" << Value << text::YamlWord{port.rdma};
  out << Key << "level" << Value << level;
  out << Key << std::string(to_string(port.nic.key)) << Value << text::YamlWord{port.nic.value};
  out << Key << "address" << Value << text::YamlWord{to_string(port.address.address)};
  out << Key << "prefix_length" << Value << port.address.prefix_length;
  out << Key << "switch" << Value << text::YamlWord{port.switch_name};
  out << Key << "switch_port" << Value << port.switch_port.index();
  begin_list(out, "neighbours", port.neighbours);
  for (const TestbedNeighbour& neighbour : port.neighbours) emit(out, neighbour);
  out << YAML::EndSeq << YAML::EndMap;
}

void emit(YAML::Emitter& out, const TestbedRoute& route, const TestbedHost& host) {
  out << YAML::Flow << YAML::BeginMap;
  out << Key << "to" << Value << text::YamlWord{to_string(route.to)};
  out << Key << "gateway" << Value << text::YamlWord{to_string(route.gateway)};
  out << Key << "device" << Value << text::YamlWord{host.ports[route.via.index()].device};
  if (route.on_link) out << Key << "on_link" << Value << true;
  out << YAML::EndMap;
}

void emit_access(YAML::Emitter& out, const ListedHost& host) {
  out << Key << "ansible_host" << Value << text::YamlWord{host.address};
  if (host.user) out << Key << "ansible_user" << Value << text::YamlWord{*host.user};
  if (host.ssh_port) out << Key << "ansible_port" << Value << *host.ssh_port;
  if (host.control_device) {
    out << Key << "gradwire_control_device" << Value << text::YamlWord{*host.control_device};
  }
}

void emit(YAML::Emitter& out, const TestbedPlan& plan, std::size_t rank) {
  const TestbedHost& host = plan.hosts[rank];
  out << Key << text::YamlWord{host.listed.name} << Value << YAML::BeginMap;
  emit_access(out, host.listed);
  out << Key << "gradwire_rank" << Value << rank
      << YAML::Comment(plan.topology->label(NodeId(rank)));
  out << Key << "gradwire_ports" << Value << YAML::BeginSeq;
  for (std::size_t level = 0; level < host.ports.size(); ++level) {
    emit(out, host.ports[level], level);
  }
  out << YAML::EndSeq;
  begin_list(out, "gradwire_routes", host.routes);
  for (const TestbedRoute& route : host.routes) emit(out, route, host);
  out << YAML::EndSeq;
  out << Key << "gradwire_relays" << Value << plan.relays;
  out << YAML::EndMap;
}

}  // namespace

std::string ansible_inventory(const TestbedPlan& plan) {
  YAML::Emitter out;
  out << YAML::BeginMap << Key << "all" << Value << YAML::BeginMap;
  out << Key << "children" << Value << YAML::BeginMap;
  out << Key << "testbed" << Value << YAML::BeginMap;
  out << Key << "vars" << Value << YAML::BeginMap;
  out << Key << "gradwire_wiring" << Value << plan.topology->name();
  out << Key << "gradwire_control" << Value << text::YamlWords{plan.control} << YAML::EndMap;
  out << Key << "hosts" << Value << YAML::BeginMap;
  for (std::size_t rank = 0; rank < plan.hosts.size(); ++rank) emit(out, plan, rank);
  out << YAML::EndMap << YAML::EndMap << YAML::EndMap << YAML::EndMap << YAML::EndMap;
  return text::yaml_file(
      fmt::format("Ansible's inventory of {}: {} hosts, ports each: {}. Made by gradwire topo "
                  "inventory:\nchange hosts.csv and make it again; variables of your own go into "
                  "group_vars/ beside it.\n\n{}",
                  plan.topology->name(), plan.hosts.size(), plan.topology->ports_per_host(),
                  kWhatIsWhat),
      out);
}

}  // namespace gradwire::hosts
