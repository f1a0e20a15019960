#include "testbed/hosts/testbed_files.h"

#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "core/error.h"
#include "core/mtu.h"
#include "core/text/file.h"
#include "core/text/yaml_text.h"

namespace gradwire::hosts {
namespace {

namespace fs = std::filesystem;
using topologies::Attachment;
using topologies::Topology;
using YAML::Key;
using YAML::Value;

/// The name of the tier that a cable climbs to.
std::string tier_of(const Topology& topology, NodeId upper) {
  return topology.tiers()[topology.switch_place(upper).tier].name;
}

/// Columns of a cable's lower end: from, from_port, device, nic, address.
std::string lower_end(const TestbedPlan& plan, Attachment end) {
  const Topology& topology = *plan.topology;
  if (!topology.is_host(end.node)) {
    return fmt::format("{},{},,,", topology.switch_word(end.node), end.port.index());
  }
  const TestbedHost& host = plan.hosts[end.node.index()];
  const TestbedPort& port = host.ports[end.port.index()];
  return fmt::format("{},{},{},{},{}", host.listed.name, end.port.index(), port.device,
                     port.nic.value, to_string(port.address));
}

void emit_ports(YAML::Emitter& out, const TestbedHost& host) {
  out << Key << "ports" << Value << YAML::BeginSeq;
  for (const TestbedPort& port : host.ports) {
    out << YAML::BeginMap;
    out << Key << "device" << Value << text::YamlWord{port.device};
    out << Key << "address" << Value << text::YamlWord{to_string(port.address.address)};
    out << Key << "rdma" << Value << text::YamlWord{port.rdma};
    out << YAML::EndMap;
  }
  out << YAML::EndSeq;
}

void emit_host(YAML::Emitter& out, const TestbedHost& host, bool lists_ports) {
  out << YAML::Flow << YAML::BeginMap;
  out << Key << "name" << Value << text::YamlWord{host.listed.name};
  out << Key << "ssh" << Value << text::YamlWord{host.listed.address};
  if (host.listed.user) out << Key << "user" << Value << text::YamlWord{*host.listed.user};
  if (host.listed.ssh_port) out << Key << "port" << Value << *host.listed.ssh_port;
  if (lists_ports) emit_ports(out, host);
  out << YAML::EndMap;
}

constexpr std::string_view kPlanned =
    "plan         how the hosts are cabled, and so what addresses their ports have\n"
    "device, rdma what the interface and the RDMA device of port {level} are called\n";
constexpr std::string_view kListed =
    "hosts        with their ports, since some interfaces keep names of their own\n";

}  // namespace

std::string cabling_list(const TestbedPlan& plan) {
  const Topology& topology = *plan.topology;
  std::string text = "cable,to_layer,from,from_port,device,nic,address,to,to_port\n";
  for (std::size_t number = 0; number < topology.links().size(); ++number) {
    const topologies::Link& link = topology.links()[number];
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{}\n", number,
                   tier_of(topology, link.b.node), lower_end(plan, link.a),
                   topology.switch_word(link.b.node), link.b.port.index());
  }
  return text;
}

std::string run_inventory(const TestbedPlan& plan, const std::string& program) {
  YAML::Emitter out;
  out << YAML::BeginMap << Key << "gradwire-inventory" << Value << 1;
  if (plan.device_pattern) {
    out << Key << "plan" << Value << plan.topology->name();
    out << Key << "device" << Value << YAML::DoubleQuoted << *plan.device_pattern;
    out << Key << "rdma" << Value << YAML::DoubleQuoted << rdma_name(*plan.device_pattern);
  }
  out << Key << "control" << Value << text::YamlWords{plan.control};
  if (!program.empty()) out << Key << "program" << Value << YAML::DoubleQuoted << program;
  out << Key << "verification" << Value << kVerificationFile;
  out << Key << "hosts" << Value << YAML::BeginSeq;
  for (const TestbedHost& host : plan.hosts) emit_host(out, host, !plan.device_pattern);
  out << YAML::EndSeq << YAML::EndMap;
  return text::yaml_file(
      fmt::format("The hosts of {}, by rank, for gradwire run --backing hosts --inventory {}.\n"
                  "Made by gradwire topo inventory: change hosts.csv and make it again.\n\n"
                  "{}"
                  "control      over which network or interface the hosts are reached\n"
                  "verification what ansible/verify.yml found: a run needs that all passed",
                  plan.topology->name(), kRunInventoryFile,
                  plan.device_pattern ? kPlanned : kListed),
      out);
}

std::string first_experiment(const TestbedPlan& plan, const std::string& rate) {
  const bool bcube = plan.topology->bcube_digits().has_value();
  return fmt::format(
      R"(# A first experiment for these hosts. Made by gradwire topo inventory; yours to change.
#   gradwire run {file} --inventory {hosts}
gradwire: 1
name: testbed
description: >
  ResNet-50's gradients on the hosts of {hosts}, by RDMA.
backing: hosts
transport: verbs
rdma: {{traffic_class: 106}}  # qos_tos of ansible/: the priority that is lossless there
link: {{rate: {rate}, mtu: {mtu}}}  # what the links are sold as, and network_mtu of ansible/
wiring: {wiring}
workload: resnet50
warmup: 2
iterations: 10
sweep:
  product:
    algorithm: [ring, ps{bml}]
)",
      fmt::arg("file", kFirstExperimentFile), fmt::arg("hosts", kRunInventoryFile),
      fmt::arg("rate", rate), fmt::arg("mtu", kDefaultMtu),
      fmt::arg("wiring", plan.topology->name()), fmt::arg("bml", bcube ? ", bml" : ""));
}

void write_testbed(const TestbedPlan& plan, const TestbedFolder& folder,
                   const TestbedSettings& settings) {
  const auto refuse_existing = [&folder](const char* name) {
    const fs::path path = folder.path / name;
    std::error_code ignored;
    if (folder.replaces || fs::symlink_status(path, ignored).type() == fs::file_type::not_found) {
      return;
    }
    throw InputError(SourcePlace{.file = path.string()},
                     "is there already: --force replaces it, -o names another folder");
  };
  for (const char* name :
       {kAnsibleInventoryFile, kCablingFile, kRunInventoryFile, kFirstExperimentFile}) {
    refuse_existing(name);
  }
  std::error_code error;
  fs::create_directories(folder.path, error);
  if (error) throw SystemError("create folder " + folder.path.string(), error.value());
  text::write_file_atomically(folder.path / kAnsibleInventoryFile, ansible_inventory(plan));
  text::write_file_atomically(folder.path / kCablingFile, cabling_list(plan));
  text::write_file_atomically(folder.path / kRunInventoryFile,
                              run_inventory(plan, settings.program));
  text::write_file_atomically(folder.path / kFirstExperimentFile,
                              first_experiment(plan, settings.rate));
}

}  // namespace gradwire::hosts
