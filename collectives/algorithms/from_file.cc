#include "collectives/algorithms/from_file.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "collectives/algorithms/collectives.h"
#include "collectives/plan_files/plan_reader.h"
#include "collectives/plan_files/plan_writer.h"
#include "core/error.h"
#include "core/hasher.h"
#include "core/plan_check.h"

namespace gradwire::algorithms {
namespace {

/// A digest of all that a file says, but for its plan's name.
std::string digest_of(plan_files::PlanFile file) {
  file.name.clear();
  Hasher hasher;
  hasher.mix(to_text(file));
  return fmt::format("{:016x}", hasher.value());
}

/// The algorithm that a plan file says.
class FromFile final : public Method {
 public:
  FromFile(const text::Spec& spec, std::shared_ptr<const plan_files::PlanFile> file,
           const topologies::Topology& topology)
      : name_(to_string(spec)),
        file_(std::move(file)),
        digest_(digest_of(*file_)),
        topology_(topology) {}

  [[nodiscard]] std::string collective() const override { return file_->collective; }
  [[nodiscard]] Achieved achieves(const Amount& amount) const override {
    return {.goal = plan_files::goal_of(*file_, topology_, amount.elements)};
  }
  [[nodiscard]] Plan plan(Rank rank, const Amount& amount) const override {
    return plan_files::plan_of(*file_, topology_, rank, amount.elements);
  }
  [[nodiscard]] std::vector<Plan> plans(std::size_t, const Amount& amount) const override {
    return plan_files::plans_of(*file_, topology_, amount.elements);
  }
  void check_size(const Amount&, const PlanLimit& limit) const override {
    plan_files::check_size(*file_, limit.plans);
  }
  void prove() const override;
  [[nodiscard]] std::string file_digest() const override { return digest_; }
  [[nodiscard]] const plan_files::PlanFile* file() const override { return file_.get(); }

 private:
  std::string name_;
  std::shared_ptr<const plan_files::PlanFile> file_;
  std::string digest_;  ///< made once: every rank of a point is told it
  const topologies::Topology& topology_;
};

void FromFile::prove() const {
  plan_files::check_size(*file_, file_->members);
  const bool is_rowwise = file_->collective == "all-to-all";  // whose elements are those of a row
  const Amount amount{.elements = is_rowwise ? file_->chunks / file_->members : file_->chunks};
  const std::vector<std::string> findings =
      check_plans(plans(file_->members, amount), achieves(amount).goal);
  if (findings.empty()) return;
  throw InputError(fmt::format("{} on {} does not reach its goal; in chunks, {}", name_,
                               topology_.name(), findings.front()));
}

}  // namespace

bool is_plan_file(const text::Spec& spec) {
  return spec.name == "plan";
}

std::shared_ptr<const Method> make_from_file(const text::Spec& spec,
                                             const topologies::Topology& topology) {
  if (spec.file.empty()) throw InputError("plan takes a file: plan(mine.json)");
  return std::make_shared<FromFile>(spec, plan_files::shared_plan_file(spec.file), topology);
}

bool names_file(const text::Spec& spec) {
  return is_plan_file(spec) || counts_file(spec);
}

text::Spec in_folder_of(text::Spec spec, const std::string& file) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (const auto counts = counts_file(spec)) {
    spec.options["counts"] = (folder / *counts).string();
  } else if (!spec.file.empty()) {
    spec.file = (folder / spec.file).string();  // which an absolute path stays
    // By its name workers and stored runs read "runs=3/a.json" as an option, "./runs=3/a.json" not.
    const std::size_t mark = spec.file.find_first_of("./=");
    if (spec.file[mark] == '=') spec.file = "./" + spec.file;
  }
  bool is_kept = false;
  try {
    is_kept = text::parse_spec(to_string(spec)) == spec;
  } catch (const InputError&) {  // of a path with a character that no value has
  }
  if (is_kept) return spec;
  throw InputError(
      fmt::format("{} cannot be written as a name; rename the folder", to_string(spec)));
}

}  // namespace gradwire::algorithms
