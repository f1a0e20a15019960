#include "harness/names/plan_files.h"

#include <filesystem>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "collectives/plan_files/plan_reader.h"
#include "collectives/plan_files/plan_writer.h"
#include "core/error.h"
#include "harness/names/algorithms.h"

namespace gradwire::names {

bool is_plan_file(const text::Spec& algorithm) {
  return algorithm.name == "plan";
}

std::shared_ptr<const plan_files::PlanFile> plan_file_of(const text::Spec& algorithm) {
  if (algorithm.file.empty()) throw InputError("plan takes a file: plan(mine.json)");
  return plan_files::shared_plan_file(algorithm.file);
}

std::string plan_text(const text::Spec& algorithm, const topologies::Topology& topology,
                      std::size_t elements) {
  if (is_plan_file(algorithm)) return to_text(*plan_file_of(algorithm));
  const Amount amount{.elements = elements};
  const std::vector<Plan> plans = make_checked_plans(algorithm, topology, amount);
  const Goal goal = goal_of(algorithm, topology, amount);
  return to_text(plan_files::plan_file_of(
      topology, {.name = fmt::format("{} on {}", to_string(algorithm), topology.name()),
                 .collective = collective_of(algorithm),
                 .goal = goal,
                 .plans = plans}));
}

text::Spec in_folder_of(text::Spec algorithm, const std::string& file) {
  if (algorithm.file.empty()) return algorithm;
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  algorithm.file = (folder / algorithm.file).string();  // which an absolute path stays
  return algorithm;
}

}  // namespace gradwire::names
