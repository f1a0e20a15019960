#pragma once

#include <optional>

#include "simulator/queue_network.h"
#include "testbed/shape.h"

namespace gradwire::run {

/// Model of how sockets fill the queues of ports on emulated links of this shape; none where
/// packets are not TCP's, or where nothing waits because links are not limited. The sockets are
/// those of transport/tcp/; UCX makes its own, of which the same is assumed.
[[nodiscard]] std::optional<simulator::SocketModel> socket_model(const testbed::LinkShape& shape);

}  // namespace gradwire::run
