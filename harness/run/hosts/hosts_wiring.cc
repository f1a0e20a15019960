#include "harness/run/hosts/hosts_wiring.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text/file.h"
#include "harness/run/hosts/host_differences.h"
#include "harness/workers/preflight.h"
#include "harness/workers/rank/surroundings.h"
#include "harness/workers/session/mpirun_workers.h"
#include "results/record/flags.h"

namespace gradwire::run {
namespace {

using namespace std::chrono_literals;

/// Time for mpirun to reach all hosts and for all workers to find each other.
constexpr Nanoseconds kHostsStart = 60s;
/// Most bytes that a rank's ports carry in a calibration: they lie in its memory meanwhile.
constexpr double kMostCalibrationBytes = 512.0 * 1024 * 1024;

CalibrationTimes calibration_times(const topologies::Topology& topology, BitRate rate) {
  const auto ports = static_cast<double>(topology.ports_per_host());
  const CalibrationTimes usual;
  return {.alone = std::min(usual.alone, Seconds(kMostCalibrationBytes / rate.bytes_per_second())),
          .together = std::min(usual.together,
                               Seconds(kMostCalibrationBytes / ports / rate.bytes_per_second()))};
}

}  // namespace

HostsWiring::HostsWiring(const hosts::Inventory& inventory, const Options& options,
                         const Clock& clock)
    : inventory_(inventory),
      options_(options),
      topology_(options.wiring),
      shape_{.rate = options.rate,
             .mtu = options.mtu,
             .framing = execution::framing_of(options.transport.kind)},
      folder_("gw-ssh") {
  text::write_file_atomically(folder_.path() / "config", hosts::ssh_config(inventory));
  workers::MpirunOptions launched = launch();
  launched.interfaces = inventory_.control;
  session_ = start(std::move(launched), clock);
}

workers::MpirunOptions HostsWiring::launch() const {
  workers::MpirunOptions options{
      .agent = inventory_.agent.empty()
                   ? "ssh -F " + workers::agent_word(folder_.path() / "config", "TMPDIR")
                   : inventory_.agent,
      .own_interfaces = inventory_.control,
      .arguments = inventory_.mpirun,
      .program = inventory_.program.empty()
                     ? std::filesystem::read_symlink("/proc/self/exe").string()
                     : inventory_.program,
      .keeps_capabilities = true};
  for (const hosts::InventoryHost& host : inventory_.hosts) options.hosts.push_back(host.name);
  return options;
}

std::unique_ptr<workers::Session> HostsWiring::start(workers::MpirunOptions options,
                                                     const Clock& clock) const {
  workers::Session::Ground ground{.name = topology_->name(),
                                  .transport = options_.transport,
                                  .memory = options_.memory,
                                  .wiring = topology_};
  for (const hosts::InventoryHost& host : inventory_.hosts) ground.ports.push_back(host.ports);
  return std::make_unique<workers::Session>(
      std::move(ground),
      std::make_unique<workers::MpirunWorkers>(std::move(options), clock, kHostsStart), clock);
}

std::unique_ptr<workers::Session> HostsWiring::start_mpi_session(
    const Clock& clock, std::vector<std::string> arguments) {
  workers::MpirunOptions options = launch();
  options.arguments.insert(options.arguments.end(), arguments.begin(), arguments.end());
  std::set<std::string> devices;  // hosts may call theirs differently
  for (const hosts::InventoryHost& host : inventory_.hosts) {
    for (const transport::PortBinding& port : host.ports) devices.insert(port.device);
  }
  options.interfaces.assign(devices.begin(), devices.end());
  return start(std::move(options), clock);
}

nlohmann::json HostsWiring::require_agreement() {
  std::vector<nlohmann::json> ranks = session_->examine();
  rooms_.clear();
  for (nlohmann::json& rank : ranks) {
    rooms_.push_back(
        {.machine = rank.at("boot_id"), .room = workers::machine_room_from_json(rank.at("room"))});
    rank.erase("room");
  }
  const std::vector<HostDifference> differences =
      host_differences(ranks, {.mtu = options_.mtu,
                               .rdma = execution::needs_rdma(options_.transport.kind),
                               .gpu = options_.memory == Memory::device,
                               .build = workers::build_name()});
  if (!differences.empty() && differences.front().matters) {
    throw workers::Preflight(
        fmt::format("{}: the hosts are not what the experiment needs, or not alike\n{}",
                    topology_->name(), format_differences(differences)));
  }
  nlohmann::json hosts = nlohmann::json::array();
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    hosts.push_back(ranks[i]);
    hosts.back()["name"] = inventory_.hosts[i].name;
  }
  nlohmann::json differing = nlohmann::json::array();
  for (const HostDifference& difference : differences) differing.push_back(difference.what);
  return {{"hosts", std::move(hosts)}, {"differing", std::move(differing)}};
}

void HostsWiring::calibrate(Nanoseconds timeout) {
  calibration_ = run::calibrate(
      {.wiring = topology_, .session = *session_, .shape = shape_, .timeout = timeout},
      calibration_times(*topology_, options_.rate));
}

std::vector<std::string> HostsWiring::sample_flags(std::span<const double>) const {
  if (!options_.rate.is_limited()) return {};  // nothing is expected of them
  const double least = calibration_.least();
  const bool slow = calibration_.together < least || std::ranges::min(calibration_.alone) < least;
  return slow ? std::vector{std::string(record::kFlagSlowLinks)} : std::vector<std::string>();
}

WiringTraffic HostsWiring::read_traffic() {
  return {.ports = session_->count_ports()};
}

std::vector<std::string> HostsWiring::traffic_flags(const WiringTraffic& carried,
                                                    std::span<const PlannedTraffic> planned) const {
  const ByteTolerance tolerance{
      .headers = 1 / testbed::payload_fraction(options_.mtu, shape_.framing) - 1,
      .message = message_overhead(options_.transport.kind),
      .acknowledgements = acknowledgement_share(options_.mtu, shape_.framing)};
  if (is_on_plan(carried, planned, tolerance)) return {};
  return {std::string(record::kFlagBytesOffPlan)};
}

}  // namespace gradwire::run
