#include "harness/run/machine_needs.h"

#include <cmath>

#include <fmt/core.h>
#include <unistd.h>

#include "core/error.h"
#include "core/touched.h"
#include "testbed/machine_room.h"
#include "workloads/dense/deviation.h"

namespace gradwire::run {
namespace {

/// What all ranks have in memory. A training job may need any of it for some bucket.
double elements_of(const PreparedPoint& point) {
  const std::size_t ranks = point.configuration.ranks;
  if (point.training) return static_cast<double>(ranks * point.goal.elements);
  const Plan none;
  double elements = 0;
  for (std::size_t i = 0; i < ranks; ++i) {
    const Plan& plan = point.plans.empty() ? none : point.plans[i];
    for (const Extent& extent : touched(point.goal, Rank(i), plan)) {
      elements += static_cast<double>(extent.count);
    }
  }
  return elements;
}

/// The most bytes that a rank has for fully connected layers, beside what it synchronizes: inputs and
/// errors of one worker, the gradient that it forms, and the reference that verifies it.
double dense_bytes(const PreparedPoint& point) {
  if (point.task.workload.dense() == nullptr) return 0;
  const workloads::DenseStack& stack = *point.task.workload.dense();
  return static_cast<double>(sizeof(float) * (stack.values() + stack.weights())) +
         dense::deviation_bytes(stack, point.configuration.ranks);
}

}  // namespace

double gradient_bytes(const PreparedPoint& point) {
  // A training job keeps its parameters, too, and a library what it receives before adding it.
  const double buffers = 1 + (point.training ? 1 : 0) + (point.task.algorithm.has_plans() ? 0 : 1);
  const double each = buffers * static_cast<double>(size_of(point.configuration.type));
  const double beside = kBytesPerWorker + dense_bytes(point);
  return each * elements_of(point) + beside * static_cast<double>(point.configuration.ranks);
}

double machine_bytes() {
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<double>(::sysconf(_SC_PAGESIZE));
}

void require_memory(const PreparedPoint& point) {
  const double needed = gradient_bytes(point);
  const double room = kRoomShare * testbed::machine_room().memory_bytes;
  if (needed <= room) return;
  throw InputError(
      point.places.amount,
      fmt::format("{} hosts with {} each need {}, {} more than this machine can give{}",
                  point.configuration.ranks,
                  format_bytes(static_cast<double>(point.configuration.bytes())),
                  format_bytes(needed), format_bytes(needed - room),
                  point.training ? "; gradwire schedule plans it without running it" : ""));
}

void require_tasks(const PreparedPoint& point) {
  double needed = kTasksPerRank * static_cast<double>(point.configuration.ranks);
  for (const Plan& plan : point.plans) needed += static_cast<double>(plan.lanes.size());
  const double room = kRoomShare * testbed::machine_room().tasks;
  if (needed <= room) return;
  throw InputError(
      point.places.algorithm,
      fmt::format("{} ranks with a thread for every lane are {} processes and threads, "
                  "{} more than this machine can start (ulimit -u, or pids.max of the cgroup)",
                  point.configuration.ranks, needed, std::ceil(needed - room)));
}

}  // namespace gradwire::run
