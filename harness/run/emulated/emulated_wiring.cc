#include "harness/run/emulated/emulated_wiring.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/run/emulated/socket_model.h"
#include "harness/workers/interrupt.h"
#include "harness/workers/preflight.h"
#include "harness/workers/session/attached_workers.h"
#include "harness/workers/session/forked_workers.h"
#include "harness/workers/session/session.h"
#include "results/record/flags.h"
#include "testbed/cabling.h"
#include "testbed/neighbours.h"

namespace gradwire::run {
namespace {

/// Segments that a host may send again without a loss: that they came twice, its receiver says up to
/// a round trip later.
constexpr std::int64_t kRepeats = 4;
constexpr Nanoseconds kStarting = std::chrono::seconds(60);  // for mpirun, on a busy machine

/// Time for a frame to reach a host's neighbours: two shapers take twice as long as the frame.
Nanoseconds hearing(const testbed::LinkShape& shape) {
  constexpr Nanoseconds kLeast = std::chrono::milliseconds(300);
  constexpr double kFrames = 8;
  if (!shape.rate.is_limited()) return kLeast;
  const Seconds needed(kFrames * static_cast<double>(shape.mtu) / shape.rate.bytes_per_second());
  return std::max(kLeast, std::chrono::duration_cast<Nanoseconds>(needed));
}

}  // namespace

EmulatedWiring::EmulatedWiring(std::shared_ptr<const topologies::Topology> topology,
                               const testbed::LinkShape& shape,
                               const execution::TransportSettings& transport)
    : topology_(std::move(topology)),
      addresses_(topologies::plan_addresses(*topology_)),
      shape_(shape),
      transport_(transport),
      emulation_(*topology_, addresses_, shape, workers::throw_if_interrupted) {}

std::vector<int> EmulatedWiring::namespaces() const {
  std::vector<int> namespaces;
  for (std::size_t i = 0; i < topology_->hosts(); ++i) {
    namespaces.push_back(emulation_.namespace_of(Rank(i)));
  }
  return namespaces;
}

workers::Session::Ground EmulatedWiring::ground(const Clock& clock) {
  if (!switch_watch_) switch_watch_.emplace(emulation_, topology_, clock);
  workers::Session::Ground ground{
      .name = topology_->name(),
      .ports = std::vector<workers::Session::Ports>(topology_->hosts()),
      .transport = transport_,
      .wiring = topology_,
      .find_down = [this](Nanoseconds time) { return switch_watch_->find_down(time); }};
  for (std::size_t i = 0; i < topology_->hosts(); ++i) {
    for (const topologies::PortAddress& port : addresses_.nodes[i].ports) {
      workers::Session::Ports& ports = ground.ports[i];
      const Port number(ports.size());
      const bool rdma = shape_.framing == testbed::Framing::roce;
      ports.push_back({.device = testbed::Emulation::interface_of(number),
                       .address = to_string(port.address),
                       .rdma = rdma ? emulation_.rdma_device_of(Rank(i), number) : ""});
    }
  }
  return ground;
}

workers::Session& EmulatedWiring::session(const Clock& clock) {
  if (!session_) {
    session_ = std::make_unique<workers::Session>(
        ground(clock), std::make_unique<workers::ForkedWorkers>(namespaces(), clock), clock);
  }
  return *session_;
}

std::unique_ptr<workers::Session> EmulatedWiring::start_mpi_session(
    const Clock& clock, std::vector<std::string> arguments) {
  if (!has_management_) emulation_.connect_management();
  has_management_ = true;
  const std::vector<int> spaces = namespaces();
  std::vector<std::string> interfaces;
  for (std::size_t i = 0; i < topology_->ports_per_host(); ++i) {
    interfaces.push_back(testbed::Emulation::interface_of(Port(i)));
  }
  workers::MpirunOptions options =
      workers::mpirun_in_namespaces({.namespaces = spaces,
                                     .interfaces = std::move(interfaces),
                                     .own_interfaces = {testbed::Emulation::kManagementInterface}});
  options.arguments = std::move(arguments);
  return std::make_unique<workers::Session>(
      ground(clock),
      std::make_unique<workers::AttachedWorkers>(std::move(options), clock, kStarting), clock);
}

void EmulatedWiring::calibrate(const Clock& clock, Nanoseconds timeout) {
  try {
    calibration_ = run::calibrate(
        {.wiring = topology_, .session = session(clock), .shape = shape_, .timeout = timeout});
  } catch (const FabricError& failure) {
    if (const auto explained = explain(failure, clock)) throw FabricError(*explained);
    throw;
  }
  const std::vector<std::string> differences = emulation_.differences();
  if (!differences.empty()) {
    throw workers::Preflight(fmt::format("{}: not as it was built: {}", topology_->name(),
                                         fmt::join(differences, "; ")));
  }
  require_rates(*topology_, calibration_);
}

double EmulatedWiring::burst() const {
  return static_cast<double>(shape_.burst) * testbed::payload_fraction(shape_.mtu, shape_.framing);
}

void EmulatedWiring::rest() {
  wait_for_bursts(shape_);
}

LinkFinding EmulatedWiring::finding() const {
  return {.startup = calibration_.startup,
          .burst = static_cast<double>(shape_.burst),
          .burst_factor = calibration_.burst_rate / calibration_.expected,
          .sockets = socket_model(shape_)};
}

std::vector<std::string> EmulatedWiring::take_changes(TimePoint since) {
  return switch_watch_ ? switch_watch_->take_changes(since) : std::vector<std::string>();
}

std::optional<FabricError> EmulatedWiring::explain(const FabricError& failure,
                                                   const Clock& clock) const {
  using enum FabricFailure;
  const FabricFailure how = failure.failure();
  if (how == peer_closed || how == cancelled || how == corrupted) return std::nullopt;
  std::vector<testbed::Hearing> heard;
  try {
    heard =
        testbed::listen_to_neighbours(emulation_, *topology_, shape_.mtu, clock, hearing(shape_));
  } catch (const SystemError&) {
    return std::nullopt;  // what failed first is what counts
  }
  std::vector<std::string> found = testbed::misplaced_ports(*topology_, heard);
  if (found.empty() && how != link_down) {  // else a port with a small MTU is named already
    found = testbed::small_ports(*topology_, heard, shape_.mtu);
  }
  if (found.empty()) return std::nullopt;
  return FabricError(how, {}, fmt::format("{}; {}", fmt::join(found, "; "), failure.what()));
}

std::vector<std::string> EmulatedWiring::sample_flags(std::span<const double> port_bytes) const {
  if (!shape_.rate.is_limited()) return {std::string(record::kFlagUnshaped)};
  std::vector<std::string> flags;
  if (calibration_.machine_bound()) flags.emplace_back(record::kFlagCpuBound);
  // Every synchronization may find the shapers' buckets full.
  double unshaped = 0;
  double all = 0;
  for (const double bytes : port_bytes) {
    unshaped += std::min(bytes, static_cast<double>(shape_.burst));
    all += bytes;
  }
  if (unshaped > record::kBurstShare * all) flags.emplace_back(record::kFlagBurst);
  return flags;
}

WiringTraffic EmulatedWiring::read_traffic() {
  WiringTraffic traffic{.dropped = emulation_.dropped_packets()};
  for (std::size_t i = 0; i < topology_->hosts(); ++i) {
    traffic.tcp.push_back(emulation_.tcp_counters(Rank(i)));
    for (const auto& port : emulation_.counters(Rank(i))) traffic.ports.push_back(port);
  }
  return traffic;
}

std::vector<std::string> EmulatedWiring::traffic_flags(
    const WiringTraffic& carried, std::span<const PlannedTraffic> planned) const {
  std::vector<std::string> flags;
  const ByteTolerance tolerance{
      .message = message_overhead(transport_.kind),
      .acknowledgements = acknowledgement_share(shape_.mtu, shape_.framing)};
  if (!is_on_plan(carried, planned, tolerance)) flags.emplace_back(record::kFlagBytesOffPlan);
  if (carried.dropped > 0) flags.emplace_back(record::kFlagPacketLoss);
  return flags;
}

std::vector<std::string> EmulatedWiring::shared_flags(const WiringTraffic& carried) const {
  std::vector<std::string> flags;
  const bool sent_again = std::ranges::any_of(
      carried.tcp, [](const testbed::TcpCounters& host) { return host.lost() > kRepeats; });
  if (sent_again) flags.emplace_back(record::kFlagPacketLoss);
  if (!emulation_.differences().empty()) flags.emplace_back(record::kFlagLinkChanged);
  return flags;
}

}  // namespace gradwire::run
