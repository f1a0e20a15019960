#include "peers/gloo/connect.h"

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <gloo/allreduce_bcube.h>
#include <gloo/allreduce_halving_doubling.h>
#include <gloo/allreduce_ring_chunked.h>
#include <gloo/common/error.h>
#include <gloo/rendezvous/context.h>
#include <gloo/transport/tcp/device.h>

#include "core/error.h"
#include "peers/gloo/store.h"

namespace gradwire::peers::gloo {
namespace {

using Context = ::gloo::rendezvous::Context;
using Summing = std::unique_ptr<::gloo::Algorithm>;

class GlooAllReduce final : public AllReduce {
 public:
  GlooAllReduce(Rank self, std::shared_ptr<Context> context, std::vector<Summing> summing)
      : self_(self), context_(std::move(context)), summing_(std::move(summing)) {}

  /// Closes first: the algorithms' own buffers go with them, and Gloo's thread reads into these
  /// for as long as a connection is open.
  ~GlooAllReduce() override { context_->closeConnections(); }

  void sum(std::size_t extent) override;

 private:
  Rank self_;
  std::shared_ptr<Context> context_;  ///< outlives the algorithms, whose buffers are its pairs'
  std::vector<Summing> summing_;      ///< by extent
};

void GlooAllReduce::sum(std::size_t extent) try {
  ensure(extent < summing_.size(), "an all-reduce sums an extent that it was made with");
  summing_[extent]->run();
} catch (const ::gloo::IoException& error) {
  const std::string what = error.what();
  // Gloo has one exception for both: "Read timeout [10.100.0.2]:4711".
  const bool late = what.find("imeout") != std::string::npos;
  throw FabricError(late ? FabricFailure::stalled : FabricFailure::peer_closed,
                    {.rank = self_, .port = Port(0)}, "gloo: " + what);
}

std::shared_ptr<Context> connect_mesh(const transport::PortBinding& port,
                                      transport::Rendezvous& rendezvous,
                                      const ConnectOptions& options) {
  ::gloo::transport::tcp::attr attributes;
  attributes.hostname = port.address;
  auto device = ::gloo::transport::tcp::CreateDevice(attributes);
  const auto base = options.ranks > 1 ? bcube_base(options.ranks) : 2;
  auto context = std::make_shared<Context>(static_cast<int>(options.self.index()),
                                           static_cast<int>(options.ranks), static_cast<int>(base));
  context->setTimeout(std::chrono::ceil<std::chrono::milliseconds>(options.timeout));
  RendezvousStore store(rendezvous);
  context->connectFullMesh(store, device);
  return context;
}

Summing make(Algorithm algorithm, const std::shared_ptr<Context>& context,
             std::span<float> values) {
  const std::vector<float*> pointers{values.data()};
  const int count = static_cast<int>(values.size());
  switch (algorithm) {
    case Algorithm::ring:
      return std::make_unique<::gloo::AllreduceRingChunked<float>>(context, pointers, count);
    case Algorithm::halving_doubling:
      return std::make_unique<::gloo::AllreduceHalvingDoubling<float>>(context, pointers, count);
    case Algorithm::bcube:
      return std::make_unique<::gloo::AllreduceBcube<float>>(context, pointers, count);
  }
  throw_bug("an algorithm is one of those that Gloo has");
}

}  // namespace

std::unique_ptr<AllReduce> connect(std::span<float> gradient, std::span<const Extent> extents,
                                   const transport::PortBinding& port,
                                   transport::Rendezvous& rendezvous,
                                   const ConnectOptions& options) try {
  auto context = connect_mesh(port, rendezvous, options);
  std::vector<Summing> summing;
  for (const Extent& extent : extents) {
    summing.push_back(
        make(options.algorithm, context, gradient.subspan(extent.first, extent.count)));
  }
  rendezvous.barrier();  // nobody sends before every rank has its buffers
  return std::make_unique<GlooAllReduce>(options.self, std::move(context), std::move(summing));
} catch (const ::gloo::Exception& error) {
  throw FabricError(FabricFailure::refused, {.rank = options.self, .port = Port(0)},
                    std::string("gloo: ") + error.what());
} catch (const ::gloo::EnforceNotMet& error) {
  throw FabricError(FabricFailure::refused, {.rank = options.self, .port = Port(0)},
                    std::string("gloo: ") + error.what());
}

}  // namespace gradwire::peers::gloo
