#include "collectives/peers/gloo/connect.h"

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <gloo/common/error.h>
#include <gloo/rendezvous/context.h>
#include <gloo/transport/tcp/device.h>

#include "collectives/peers/gloo/calls.h"
#include "collectives/peers/gloo/store.h"
#include "core/error.h"

namespace gradwire::peers::gloo {
namespace {

using Context = ::gloo::rendezvous::Context;

class GlooCollective final : public Collective {
 public:
  GlooCollective(Rank self, std::shared_ptr<Context> context, std::vector<Call> calls)
      : self_(self), context_(std::move(context)), calls_(std::move(calls)) {}

  /// Closes the connections before the algorithms' buffers are destroyed: Gloo's thread reads into
  /// these for as long as a connection is open.
  ~GlooCollective() override { context_->closeConnections(); }

  void run(std::size_t extent) override;
  void put_in_place(std::size_t extent) override {
    const Call& call = calls_.at(extent);
    if (call.put_in_place) call.put_in_place();
  }

 private:
  Rank self_;
  std::shared_ptr<Context> context_;  ///< outlives the calls, whose buffers are its pairs'
  std::vector<Call> calls_;           ///< by extent
};

void GlooCollective::run(std::size_t extent) try {
  ensure(extent < calls_.size(), "a collective is run on an extent that it was made with");
  calls_[extent].run();
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

}  // namespace

std::unique_ptr<Collective> connect(std::span<float> gradient, std::span<const Extent> extents,
                                    const transport::PortBinding& port,
                                    transport::Rendezvous& rendezvous,
                                    const ConnectOptions& options) try {
  auto context = connect_mesh(port, rendezvous, options);
  std::vector<Call> calls;
  for (const Extent& extent : extents) {
    calls.push_back(make_call(context, gradient, extent, options));
  }
  rendezvous.barrier();  // nobody sends before every rank has its buffers
  return std::make_unique<GlooCollective>(options.self, std::move(context), std::move(calls));
} catch (const ::gloo::Exception& error) {
  throw FabricError(FabricFailure::refused, {.rank = options.self, .port = Port(0)},
                    std::string("gloo: ") + error.what());
} catch (const ::gloo::EnforceNotMet& error) {
  throw FabricError(FabricFailure::refused, {.rank = options.self, .port = Port(0)},
                    std::string("gloo: ") + error.what());
}

}  // namespace gradwire::peers::gloo
