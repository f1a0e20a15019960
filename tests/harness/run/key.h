#pragma once

#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/harness/run/plain_experiments.h"

/// A row of the table of experiments' keys (key_table.h).
namespace gradwire::run {

using E = experiment::Experiment;
using C = experiment::Compute;
using P = topologies::Prices;
using R = execution::TransportSettings;

enum class In { all, emulated, simulated, none };

/// A key of results/schema/experiment.schema.json. `one` and `other` are lines that differ in it
/// and replace those of kPlain with the same first key; "-key" takes a line away.
struct Key {
  const char* path;
  In in;            ///< the keys of which points change with it
  const char* why;  ///< it does not count where it does not
  std::vector<std::string_view> one;
  std::vector<std::string_view> other;
  /// What an experiment has that leaves the key out, in the schema's form. Where the schema states a
  /// default.
  nlohmann::json (*taken)() = nullptr;
};

/// The experiment that is varied: one point.
inline const std::vector<std::string_view> kPlain = {
    "gradwire: 1",    "name: t",        "link: {rate: 1Gbit}",
    "elements: 9000", "algorithm: bml", "wiring: \"bcube(3,2)\""};

constexpr std::string_view kNoElements = "-elements";
constexpr std::string_view kLenet = "workload: lenet5";
constexpr std::string_view kBatch = "batch: 8";
constexpr std::string_view kDevice = "compute: {device: k80}";
constexpr std::string_view kTrace = "compute: {trace: googlenet-k80}";
constexpr std::string_view kRing = "algorithm: ring";

}  // namespace gradwire::run
