#pragma once

#include <string>
#include <type_traits>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "harness/experiment/experiment.h"

/// Experiments that say no more than they must.
namespace gradwire::run {

constexpr const char* kLeast =
    "gradwire: 1\nname: t\nlink: {rate: 1Gbit}\nalgorithm: ring\nwiring: single-switch(3)\n";

/// On hosts, or anything else.
inline experiment::Experiment plain() {
  return experiment::load_experiment_text(
      std::string(kLeast) + "elements: 9\nhosts: {inventory: i.yaml}\n", "x");
}

/// What a training job computes.
inline experiment::Compute plain_compute() {
  return experiment::load_experiment_text(
             std::string(kLeast) + "workload: lenet5\ncompute: {device: k80}\nbatch: 1\n", "x")
      .compute.value();
}

/// Prices of which only one is given.
inline topologies::Prices prices_but(const std::string& given) {
  return experiment::load_experiment_text(
             std::string(kLeast) + "elements: 9\nprices: {" + given + ": 7}\n", "x")
      .prices.value();
}

template <class Whole, class Value>
Whole whole_of(Value Whole::*member);

/// What an experiment has that leaves the key of this member out.
template <auto Member>
nlohmann::json of() {
  using Whole = decltype(whole_of(Member));
  if constexpr (std::is_same_v<Whole, execution::TransportSettings>) {
    return plain().transport.*Member;
  } else if constexpr (std::is_same_v<Whole, experiment::Compute>) {
    return plain_compute().*Member;
  } else if constexpr (std::is_same_v<Whole, topologies::Prices>) {
    return prices_but(Member == &Whole::per_nic ? "cable" : "nic").*Member;
  } else {
    return plain().*Member;
  }
}

/// "10s"
inline std::string in_seconds(Nanoseconds time) {
  return fmt::format("{:g}s", Seconds(time).count());
}

}  // namespace gradwire::run
