#include "harness/run/emulated/socket_model.h"

#include "testbed/tcp_settings.h"
#include "transport/tcp/socket.h"

namespace gradwire::run {
namespace {

/// Share by which calibration finds the links of one wiring apart, measured one at a time
/// (calibration.json, `alone_bytes_per_s`): the slowest one carries mostly 0.1 to 0.4 % less than
/// its rate.
constexpr double kUnevenness = 0.003;

}  // namespace

std::optional<simulator::SocketModel> socket_model(const testbed::LinkShape& shape) {
  if (shape.framing != testbed::Framing::tcp || !shape.rate.is_limited()) return std::nullopt;
  return simulator::SocketModel{.segment = testbed::largest_segment(shape.mtu),
                                .window = testbed::receive_window(),
                                .unsent = transport::tcp::kUnsentBytes,
                                .unevenness = kUnevenness,
                                .queued_acknowledgements = true};
}

}  // namespace gradwire::run
