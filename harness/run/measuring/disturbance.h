#pragma once

#include <optional>
#include <span>
#include <vector>

#include "results/record/sample.h"
#include "testbed/machine_time.h"

/// Whether other programs of the machine disturbed an iteration that was emulated on it.
namespace gradwire::run {

/// Counts of /proc/stat are hundredths of a second, and three of them may be off by one each.
inline constexpr Seconds kCountError{0.03};
/// Others that take more than this share of the machine, beyond what counts may be off, disturb.
inline constexpr double kForeignShare = 0.1;
/// Share of the machine's time by which our tasks must wait longer, and twice as long as they
/// usually do, for others that take half of kForeignShare to disturb, too.
inline constexpr double kMoreWaiting = 0.05;

/// Use of the machine between two moments. The foreign share is what all processors did, without
/// interrupts, less what our own tasks ran: never below 0. Our links' packets are handled in
/// interrupts, most of them on top of our own tasks, so others may have a little more. Time that a
/// hypervisor stole is foreign. Requires that `after` is later.
[[nodiscard]] record::MachineUse machine_use(const testbed::MachineTime& before,
                                             const testbed::MachineTime& after);

/// A shorter iteration is judged together with those right before it, until they had so much of all
/// processors' time: counts of less may be off by more than what a program on one core takes.
inline constexpr Seconds kLeastCapacity{0.1};

/// Whether an iteration was disturbed, by its numbers and by what our tasks usually wait for in an
/// iteration of its point; without `usual_wait` by the foreign share alone.
[[nodiscard]] bool is_disturbed(const record::MachineUse& use, std::optional<double> usual_wait);

/// Use of the machine in all of these together, which are not empty.
[[nodiscard]] record::MachineUse together(std::span<const record::MachineUse> uses);

/// Judges the iterations of one point one after the other.
class DisturbanceJudge {
 public:
  /// Judges by the iterations before, and remembers this one.
  [[nodiscard]] bool judge(const record::MachineUse& use);

 private:
  std::vector<record::MachineUse> recent_;  ///< the last of kLeastCapacity together, or all so far
  std::vector<double> waits_;               ///< shares of the iterations so far, rising
};

/// Notes what the machine does from now on.
class MachineWatch {
 public:
  /// Notes nothing unless the ranks are `here`, on this machine. The clock must outlive it.
  MachineWatch(const Clock& clock, bool here);
  /// Use of the machine since the watch began; nothing where that cannot be known.
  [[nodiscard]] std::optional<record::MachineUse> use() const;

 private:
  const Clock& clock_;
  std::optional<testbed::MachineTime> began_;
};

}  // namespace gradwire::run
