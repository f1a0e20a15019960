#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "core/clock.h"
#include "harness/workers/rank/assignment.h"
#include "tests/harness/workers/rank/rank_threads.h"
#include "topologies/topology.h"
#include "transport/loopback/rendezvous.h"

namespace gradwire::workers::testing {

/// The loopback interface, for each port of a host.
inline std::vector<transport::PortBinding> loopback_ports(const topologies::Topology& wiring) {
  return std::vector<transport::PortBinding>(wiring.ports_per_host(),
                                             {.device = "lo", .address = "127.0.0.1"});
}

/// What a test may change on one rank before its assignment is made.
struct OneRank {
  Job& job;
  transport::Cancellation& cancellation;
  transport::device::Device*& device;
};

/// Makes the assignment of a job on every rank, on a thread of its own, and calls use(i, assignment) there.
/// Blocks until all are over. Throws what the first rank that failed threw.
template <class Use>
void on_every_assignment(const Job& common, const Use& use,
                         const std::function<void(std::size_t, const OneRank&)>& change = {}) {
  const std::size_t ranks = common.task.wiring->hosts();
  transport::loopback::MeetingPoint meeting(ranks, std::chrono::seconds(60));
  on_every_rank(ranks, [&](std::size_t i) {
    Job mine = common;
    mine.rank = Rank(i);
    const SteadyClock clock;
    transport::Cancellation cancellation;
    transport::device::Device* device = nullptr;
    if (change) change(i, {mine, cancellation, device});
    transport::loopback::LocalRendezvous rendezvous(meeting, mine.rank);
    const auto assignment = make_assignment(
        mine,
        {.rendezvous = rendezvous, .cancellation = cancellation, .clock = clock, .device = device});
    use(i, *assignment);
  });
}

}  // namespace gradwire::workers::testing
