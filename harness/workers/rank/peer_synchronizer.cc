#include "harness/workers/rank/peer_synchronizer.h"

#include <utility>
#include <vector>

#include "collectives/algorithms/peer.h"
#include "collectives/peers/collective.h"
#include "collectives/peers/gloo/connect.h"
#include "collectives/peers/mpi/connect.h"
#include "collectives/peers/staged.h"
#include "core/error.h"
#include "topologies/registry.h"

namespace gradwire::workers {
namespace {

class PeerSynchronizer final : public Synchronizer {
 public:
  explicit PeerSynchronizer(std::unique_ptr<peers::Collective> collective)
      : collective_(std::move(collective)) {}

  void synchronize(std::size_t bucket) override { collective_->run(bucket); }
  void put_in_place(std::size_t bucket) override { collective_->put_in_place(bucket); }
  void record(bool) override {}
  [[nodiscard]] std::vector<record::TracedTransfer> transfers(std::size_t,
                                                              TimePoint) const override {
    return {};
  }

 private:
  std::unique_ptr<peers::Collective> collective_;
};

/// Extents that the library is told of, by bucket.
std::vector<Extent> extents_of(const Job& job, std::span<const algorithms::BucketAmount> buckets) {
  std::vector<Extent> extents;
  for (const algorithms::BucketAmount& bucket : buckets) {
    extents.push_back({.first = bucket.first, .count = bucket.amount.elements});
  }
  if (job.task.algorithm.peer()->what() == peers::What::all_to_all) {
    extents.front().count *= job.task.wiring->hosts();  // an amount is what one rank sends
  }
  return extents;
}

std::unique_ptr<peers::Collective> connect_library(const Job& job, std::span<float> gradient,
                                                   std::span<const Extent> extents,
                                                   const WorkerContext& context) {
  const algorithms::Peer& peer = *job.task.algorithm.peer();
  if (peer.needs_mpi()) {
    return peers::mpi::connect(gradient, extents, peer.what(), job.rank);
  }
  ensure(!job.ports.empty(), "a rank has a port");
  return peers::gloo::connect(gradient, extents, job.ports.front(), context.rendezvous,
                              {.what = peer.what(),
                               .algorithm = peer.gloo(),
                               .self = job.rank,
                               .ranks = job.task.wiring->hosts(),
                               .timeout = job.timeout});
}

}  // namespace

std::unique_ptr<Synchronizer> make_peer_synchronizer(
    const Job& job, std::span<const algorithms::BucketAmount> buckets, std::span<float> gradient,
    const WorkerContext& context) {
  return std::make_unique<PeerSynchronizer>(
      connect_library(job, gradient, extents_of(job, buckets), context));
}

std::unique_ptr<Synchronizer> make_peer_synchronizer(
    const Job& job, std::span<const algorithms::BucketAmount> buckets,
    const transport::device::DeviceGradient& gradient, const WorkerContext& context) {
  const peers::StagedTask task{.what = job.task.algorithm.peer()->what(),
                               .group = {.self = job.rank, .ranks = job.task.wiring->hosts()}};
  return std::make_unique<PeerSynchronizer>(
      peers::connect_staged(gradient.device, gradient.gradient, extents_of(job, buckets), task,
                            [&](std::span<float> pinned, std::span<const Extent> pieces) {
                              return connect_library(job, pinned, pieces, context);
                            }));
}

}  // namespace gradwire::workers
