#include "harness/run/emulated/socket_model.h"

#include "transport/tcp/socket.h"

namespace gradwire::run {

std::optional<simulator::SocketModel> socket_model(const testbed::LinkShape& shape) {
  if (shape.framing != testbed::Framing::tcp || !shape.rate.is_limited()) return std::nullopt;
  return simulator::SocketModel{.segment = testbed::largest_segment(shape.mtu),
                                .window = testbed::kReceiveWindow,
                                .unsent = transport::tcp::kUnsentBytes};
}

}  // namespace gradwire::run
