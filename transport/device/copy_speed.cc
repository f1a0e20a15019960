#include "transport/device/copy_speed.h"

namespace gradwire::transport::device {
namespace {

/// Measured bytes per second of the copies that `copy` begins on the stream, after one untimed
/// copy.
template <class Copy>
double speed_of(Stream& stream, const Clock& clock, const CopyOptions& options, const Copy& copy) {
  copy();
  stream.synchronize();
  const TimePoint began = clock.now();
  for (std::size_t i = 0; i < options.copies; ++i) copy();
  stream.synchronize();
  const std::chrono::duration<double> took = clock.now() - began;
  return static_cast<double>(options.copies * options.bytes) / took.count();
}

}  // namespace

CopySpeed measure_copies(Device& device, const Clock& clock, const CopyOptions& options) {
  const DeviceMemory there = device.allocate(Dtype::byte, options.bytes);
  const PinnedMemory here = device.allocate_pinned(Dtype::byte, options.bytes);
  const auto stream = device.make_stream(0);
  const auto out = [&] { stream->copy_out(here.elements, there.elements); };
  const auto in = [&] { stream->copy_in(there.elements, here.elements); };
  return {.to_host = speed_of(*stream, clock, options, out),
          .to_device = speed_of(*stream, clock, options, in)};
}

}  // namespace gradwire::transport::device
