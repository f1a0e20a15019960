// Instead of calls.cc, connect.cc and store.cc where Gloo is not there.
#include "collectives/peers/gloo/connect.h"
#include "core/error.h"

namespace gradwire::peers::gloo {

std::unique_ptr<Collective> connect(std::span<float>, std::span<const Extent>,
                                    const transport::PortBinding&, transport::Rendezvous&,
                                    const ConnectOptions&) {
  throw InputError("this gradwire was built without Gloo");
}

}  // namespace gradwire::peers::gloo
