#include "core/count.h"

#include <algorithm>

namespace gradwire {
namespace {

void count_step(const Step& step, std::vector<PortCount>& ports) {
  const auto at = [&ports](Port port) -> PortCount& {
    if (ports.size() <= port.index()) ports.resize(port.index() + 1);
    return ports[port.index()];
  };
  for (const Send& send : step.sends) at(send.to.via).sent += send.what.count;
  for (const Recv& recv : step.recvs) at(recv.from.via).received += recv.where.count;
}

}  // namespace

std::vector<PortCount> count_ports(const Plan& plan) {
  std::vector<PortCount> ports;
  for (const Lane& lane : plan.lanes) {
    for (const Step& step : lane) count_step(step, ports);
  }
  return ports;
}

std::vector<PortCount> count_ports(const Plan& plan, std::size_t step) {
  std::vector<PortCount> ports;
  for (const Lane& lane : plan.lanes) {
    if (step < lane.size()) count_step(lane[step], ports);
  }
  return ports;
}

std::size_t step_count(const Plan& plan) {
  std::size_t steps = 0;
  for (const Lane& lane : plan.lanes) steps = std::max(steps, lane.size());
  return steps;
}

std::uint64_t send_count(const Plan& plan) {
  std::uint64_t count = 0;
  for (const Lane& lane : plan.lanes) {
    for (const Step& step : lane) count += step.sends.size();
  }
  return count;
}

}  // namespace gradwire
