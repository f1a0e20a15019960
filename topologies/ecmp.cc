#include "topologies/ecmp.h"

#include <fmt/format.h>

#include "core/error.h"

namespace gradwire::topologies {
namespace {

/// One step of splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014).
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

}  // namespace

std::size_t ecmp_choice(const Ecmp& ecmp, NodeId at, const Flow& flow, std::size_t choices) {
  ensure(choices > 0, "a flow needs an uplink");
  std::uint64_t hash = mixed(ecmp.seed);
  for (const std::uint64_t part : {at.value, flow.from.value, flow.to.value, flow.to_port.value}) {
    hash = mixed(hash ^ part);
  }
  return static_cast<std::size_t>(hash % choices);
}

std::string ecmp_suffix(const std::optional<Ecmp>& ecmp) {
  if (!ecmp) return {};
  return ecmp->seed == Ecmp{}.seed ? ",ecmp" : fmt::format(",ecmp,seed={}", ecmp->seed);
}

}  // namespace gradwire::topologies
