#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "core/id.h"
#include "core/plan.h"
#include "transport/bootstrap.h"
#include "transport/device/lane_memory.h"
#include "transport/endpoint.h"
#include "transport/ucx/connect.h"
#include "transport/ucx/connection.h"
#include "transport/ucx/context.h"

namespace gradwire::transport::ucx {

/// Parts of a lane that is not an endpoint yet.
struct LaneParts {
  std::vector<Peer> peers;
  std::vector<std::unique_ptr<Connection>> connections;  ///< by peer
  std::map<Port, std::unique_ptr<Worker>> workers;       ///< go first: UCX knows the connections
};

/// Keeps lanes, with all that they refer to, until the process ends: UCX 1.13 aborts it when a
/// worker ends while a connection of it is being set up.
void leave_behind(std::vector<LaneParts> lanes);

/// Makes the endpoint of a lane of its parts, with this memory. Throws FabricError(refused) when
/// memory cannot be registered.
[[nodiscard]] std::unique_ptr<Endpoint> make_endpoint(const Bootstrap& bootstrap,
                                                      const ConnectOptions& options,
                                                      std::size_t number,
                                                      std::unique_ptr<device::LaneMemory> memory,
                                                      LaneParts parts);

}  // namespace gradwire::transport::ucx
