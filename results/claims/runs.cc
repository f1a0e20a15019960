#include "results/claims/runs.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "results/record/flags.h"
#include "results/record/point_name.h"

namespace gradwire::claims {
namespace {

bool fits(const record::Configuration& row, const Wanted& wanted) {
  const auto same = [](std::string_view want, const std::string& have) {
    return want.empty() || want == have;
  };
  return same(wanted.algorithm, row.algorithm) && same(wanted.wiring, row.wiring) &&
         same(wanted.schedule, row.schedule) && same(wanted.workload, row.workload) &&
         (wanted.batch == 0 || wanted.batch == row.batch) &&
         (wanted.elements == 0 || wanted.elements == row.elements);
}

std::string describe(const Wanted& wanted) {
  std::string text;
  for (const std::string_view part :
       {wanted.algorithm, wanted.wiring, wanted.schedule, wanted.workload}) {
    if (!part.empty()) text += fmt::format(" {}", part);
  }
  if (wanted.batch > 0) text += fmt::format(" batch {}", wanted.batch);
  if (wanted.elements > 0) text += fmt::format(" {} elements", wanted.elements);
  return text;
}

struct Quantity {
  std::string_view name;
  double (*of)(const Result& row);
};

constexpr Quantity kQuantities[] = {
    {"gst", [](const Result& row) { return row.gst(); }},
    {"t_f", [](const Result& row) { return row.gst_t_f(); }},
    {"iteration", [](const Result& row) { return row.iteration(); }},
    {"compute", [](const Result& row) { return row.training().compute.count(); }},
    {"messages",
     [](const Result& row) { return static_cast<double>(row.training().bucket_gst.size()); }},
    {"predicted",
     [](const Result& row) { return row.training().plan.predicted.iteration.count(); }},
    {"a", [](const Result& row) { return row.training().plan.cost.fit.line.a.count(); }},
    {"b", [](const Result& row) { return row.training().plan.cost.fit.line.b; }},
    {"products", [](const Result& row) { return row.products(); }},
    {"bytes",
     [](const Result& row) { return static_cast<double>(row.row->configuration.bytes()); }},
    {"ranks", [](const Result& row) { return static_cast<double>(row.row->configuration.ranks); }},
    {"ports",
     [](const Result& row) { return static_cast<double>(row.row->configuration.ports_per_host); }},
    {"startup", [](const Result& row) { return row.startup.count(); }},
    {"payload", [](const Result& row) { return row.payload.bytes_per_second(); }},
    {"efficiency", [](const Result& row) { return row.row->rates().efficiency.value_or(0); }},
    {"wrong", [](const Result& row) { return static_cast<double>(row.row->wrong.value_or(-1)); }},
    {"diverged", [](const Result& row) { return row.has_flag(record::kFlagDiverged) ? 1.0 : 0.0; }},
    {"off_plan", [](const Result& row) { return row.is_off_plan() ? 1.0 : 0.0; }},
};

}  // namespace

double Result::gst_t_f() const {
  return gst() / time_to_send(static_cast<double>(row->configuration.bytes()), payload).count();
}

const record::TrainingRow& Result::training() const {
  ensure(row->training.has_value(), "a claim about training looks at training jobs");
  return *row->training;
}

double Result::products() const {
  ensure(row->dense.has_value(), "a claim about products looks at fully connected layers");
  return row->dense->products.count();
}

bool Result::has_flag(std::string_view flag) const {
  return std::ranges::find(row->flags, flag) != row->flags.end();
}

bool Result::is_off_plan() const {
  ensure(row->configuration.backing != record::Backing::simulated,
         "bytes are counted where some are sent");
  if (has_flag(record::kFlagNotCounted)) {
    throw NotRun("bytes counted of " + record::point_name(row->configuration));
  }
  return has_flag(record::kFlagBytesOffPlan);
}

std::optional<double> quantity_of(const Result& row, std::string_view name) {
  const auto* const found = std::ranges::find(kQuantities, name, &Quantity::name);
  if (found == std::end(kQuantities)) return std::nullopt;
  return found->of(row);
}

Rows::Rows(const Run* run, std::string experiment, record::Backing backing)
    : run_(run), experiment_(std::move(experiment)), backing_(backing) {}

std::vector<Result> Rows::all(const Wanted& wanted) const {
  std::vector<Result> results;
  bool any = false;
  if (run_ != nullptr) {
    for (const record::Row& row : run_->rows) {
      if (row.configuration.backing != backing_) continue;
      any = true;
      if (!fits(row.configuration, wanted)) continue;
      if (std::ranges::find(used_, &row) == used_.end()) used_.push_back(&row);
      results.push_back({.row = &row, .payload = run_->payload, .startup = run_->startup});
    }
  }
  const std::string name = fmt::format("{} ({})", experiment_, to_string(backing_));
  if (!any) throw NotRun(name);
  if (results.empty()) throw NotRun(fmt::format("{} has no row{}", name, describe(wanted)));
  return results;
}

Result Rows::at(const Wanted& wanted) const {
  return all(wanted).front();
}

bool Rows::is_also_emulated() const {
  return run_ != nullptr && std::ranges::any_of(run_->rows, [](const record::Row& row) {
           return row.configuration.backing == record::Backing::emulated;
         });
}

void Runs::add(Run run) {
  std::string name = run.experiment;
  runs_.insert_or_assign(std::move(name), std::move(run));
}

Rows Runs::rows(std::string_view experiment, record::Backing backing) const {
  const auto found = runs_.find(experiment);
  return {found == runs_.end() ? nullptr : &found->second, std::string(experiment), backing};
}

}  // namespace gradwire::claims
