#include "harness/run/emulated/socket_model.h"

#include <optional>

#include <gtest/gtest.h>

#include "testbed/tcp_settings.h"

namespace gradwire::run {
namespace {

using testbed::Framing;
using testbed::shape_for;

// Seven packets of MTU 9000 at once; the window that the kernel makes; and 128 KiB unsent. Links are as
// far apart as calibration finds them. Acknowledgements stand in queues, as all packets do.
TEST(SocketModel, IsWhatTheKernelIsTold) {
  EXPECT_EQ(socket_model(shape_for({1e8}, 9000)),
            (simulator::SocketModel{.segment = 62'636,
                                    .window = testbed::receive_window(),
                                    .unsent = 131'072,
                                    .unevenness = 0.003,
                                    .queued_acknowledgements = true}));
}

// RDMA has no sockets, and ports without a rate no queues.
TEST(SocketModel, IsOfLimitedTcpOnly) {
  EXPECT_EQ(socket_model(shape_for({1e8}, 9000, Framing::roce)), std::nullopt);
  EXPECT_EQ(socket_model(shape_for(kUnlimited, 9000)), std::nullopt);
}

}  // namespace
}  // namespace gradwire::run
