#include "harness/names/plan_files.h"

#include <filesystem>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "collectives/plan_files/plan_reader.h"
#include "collectives/plan_files/plan_writer.h"
#include "core/error.h"
#include "core/hasher.h"
#include "core/plan_check.h"
#include "harness/names/algorithms.h"
#include "harness/names/collectives.h"
#include "harness/names/groups.h"

namespace gradwire::names {

bool is_plan_file(const text::Spec& algorithm) {
  return algorithm.name == "plan";
}

std::shared_ptr<const plan_files::PlanFile> plan_file_of(const text::Spec& algorithm) {
  if (algorithm.file.empty()) throw InputError("plan takes a file: plan(mine.json)");
  return plan_files::shared_plan_file(algorithm.file);
}

void prove_plan_file(const text::Spec& algorithm, const topologies::Topology& topology) {
  const auto file = plan_file_of(algorithm);
  check_size(*file, file->members);
  const bool is_rowwise = file->collective == "all-to-all";  // whose elements are those of a row
  const std::size_t elements = is_rowwise ? file->chunks / file->members : file->chunks;
  const std::vector<std::string> findings =
      check_plans(plans_of(*file, topology, elements), goal_of(*file, topology, elements));
  if (findings.empty()) return;
  throw InputError(fmt::format("{} on {} does not reach its goal; in chunks, {}",
                               to_string(algorithm), topology.name(), findings.front()));
}

std::string plan_text(const text::Spec& algorithm, const topologies::Topology& topology,
                      std::size_t elements) {
  const Amount amount{.elements = elements};
  const std::vector<Plan> plans = make_checked_plans(algorithm, topology, amount);
  if (is_plan_file(algorithm)) return to_text(*plan_file_of(algorithm));
  if (is_groups(algorithm)) {
    throw InputError(
        fmt::format("{} is several collectives; a plan file holds one", to_string(algorithm)));
  }
  if (counts_file(algorithm)) {
    throw InputError(fmt::format("{}: the blocks of a plan file are equal", to_string(algorithm)));
  }
  const Goal goal = goal_of(algorithm, topology, amount);
  return to_text(plan_files::plan_file_of(
      topology, {.name = fmt::format("{} on {}", to_string(algorithm), topology.name()),
                 .collective = collective_of(algorithm),
                 .goal = goal,
                 .plans = plans}));
}

bool names_file(const text::Spec& algorithm) {
  return is_plan_file(algorithm) || counts_file(algorithm);
}

std::string file_digest(const text::Spec& algorithm) {
  if (const auto counts = counts_file(algorithm)) return pair_counts_of(*counts)->digest();
  if (!is_plan_file(algorithm)) return "";
  plan_files::PlanFile file = *plan_file_of(algorithm);
  file.name.clear();
  Hasher hasher;
  hasher.mix(to_text(file));
  return fmt::format("{:016x}", hasher.value());
}

text::Spec in_folder_of(text::Spec algorithm, const std::string& file) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (const auto counts = counts_file(algorithm)) {
    algorithm.options["counts"] = (folder / *counts).string();
  } else if (!algorithm.file.empty()) {
    algorithm.file = (folder / algorithm.file).string();  // which an absolute path stays
    // By its name workers and stored runs read "runs=3/a.json" as an option, "./runs=3/a.json" not.
    const std::size_t mark = algorithm.file.find_first_of("./=");
    if (algorithm.file[mark] == '=') algorithm.file = "./" + algorithm.file;
  }
  bool is_kept = false;
  try {
    is_kept = text::parse_spec(to_string(algorithm)) == algorithm;
  } catch (const InputError&) {  // of a path with a character that no value has
  }
  if (is_kept) return algorithm;
  throw InputError(
      fmt::format("{} cannot be written as a name; rename the folder", to_string(algorithm)));
}

}  // namespace gradwire::names
