#include "harness/run/measuring/disturbance.h"

#include <algorithm>

#include "core/error.h"
#include "results/record/statistics.h"

namespace gradwire::run {
namespace {

/// Fewer iterations say nothing about what is usual.
constexpr std::size_t kFewest = 3;

}  // namespace

record::MachineUse machine_use(const testbed::MachineTime& before,
                               const testbed::MachineTime& after) {
  ensure(after.at > before.at && after.all.processors > 0, "time has passed on some processor");
  const Seconds elapsed = after.at - before.at;
  const Seconds capacity = elapsed * static_cast<double>(after.all.processors);
  const Seconds busy = capacity - (after.all.idle - before.all.idle) -
                       (after.all.interrupts - before.all.interrupts);
  const Seconds ours = after.ours.ran - before.ours.ran;
  const Seconds waited = after.ours.waited - before.ours.waited;
  return {.capacity = capacity,
          .foreign_share = std::max(0.0, (busy - ours) / capacity),
          .waited_share = std::max(0.0, waited / capacity)};
}

bool is_disturbed(const record::MachineUse& use, std::optional<double> usual_wait) {
  const double error = kCountError / use.capacity;
  if (use.foreign_share > kForeignShare + error) return true;
  if (!usual_wait || use.foreign_share <= kForeignShare / 2) return false;
  return use.waited_share > std::max(2 * *usual_wait, *usual_wait + kMoreWaiting);
}

record::MachineUse together(std::span<const record::MachineUse> uses) {
  record::MachineUse sum{};
  for (const record::MachineUse& use : uses) {
    sum.capacity += use.capacity;
    sum.foreign_share += use.foreign_share * use.capacity.count();
    sum.waited_share += use.waited_share * use.capacity.count();
  }
  ensure(sum.capacity > Seconds(0), "an iteration takes time");
  sum.foreign_share /= sum.capacity.count();
  sum.waited_share /= sum.capacity.count();
  return sum;
}

bool DisturbanceJudge::judge(const record::MachineUse& use) {
  std::optional<double> usual;
  if (waits_.size() >= kFewest) usual = record::median_of(waits_);
  waits_.insert(std::ranges::upper_bound(waits_, use.waited_share), use.waited_share);
  recent_.push_back(use);
  Seconds latest{0};
  auto first = recent_.end();
  while (first != recent_.begin() && latest < kLeastCapacity) latest += (--first)->capacity;
  recent_.erase(recent_.begin(), first);
  return is_disturbed(together(recent_), usual);
}

MachineWatch::MachineWatch(const Clock& clock, bool here) : clock_(clock) {
  if (here) began_ = testbed::read_machine_time(clock);
}

std::optional<record::MachineUse> MachineWatch::use() const {
  if (!began_) return std::nullopt;
  const std::optional<testbed::MachineTime> now = testbed::read_machine_time(clock_);
  if (!now || now->at <= began_->at) return std::nullopt;
  return machine_use(*began_, *now);
}

}  // namespace gradwire::run
