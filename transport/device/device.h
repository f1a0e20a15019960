#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "core/clock.h"
#include "core/dtype.h"
#include "core/elements.h"
#include "core/error.h"
#include "core/extent.h"
#include "core/file_descriptor.h"
#include "core/pattern_numbers.h"

/// Gradients in the memory of a device, which the host's instructions cannot read. The interface is
/// implemented by GPUs (transport/cuda/) and, for tests without one, by a stand-in (stand_in.h).
namespace gradwire::transport::device {

/// Error: the device refused or failed. what() says what was asked of it and quotes the device's
/// own message.
class DeviceError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// View of elements of one type, side by side in a device's memory, as Elements are for the host's.
/// A type of its own, so that no code for the host is given them.
class DeviceElements {
 public:
  /// No elements.
  DeviceElements() = default;
  /// `count` elements from an address of the device, which must be aligned for the type.
  DeviceElements(std::byte* address, std::size_t count, Dtype type)
      : address_(address), count_(count), type_(type) {}

  [[nodiscard]] Dtype type() const { return type_; }
  /// Bytes of one element.
  [[nodiscard]] std::size_t element_bytes() const { return size_of(type_); }
  /// Number of elements.
  [[nodiscard]] std::size_t size() const { return count_; }
  /// Bytes of all of them.
  [[nodiscard]] std::size_t bytes() const { return count_ * element_bytes(); }
  /// The device's address of the first element.
  [[nodiscard]] std::byte* address() const { return address_; }
  /// A part of the elements. Throws InternalError unless it lies within.
  [[nodiscard]] DeviceElements part(const Extent& extent) const {
    ensure(extent.end() <= count_, "a part of elements lies within them");
    return {address_ + extent.first * element_bytes(), extent.count, type_};
  }

 private:
  std::byte* address_ = nullptr;
  std::size_t count_ = 0;
  Dtype type_ = Dtype::float32;
};

/// Owned memory of a device, 0 at first, freed with the last copy of its owner.
struct DeviceMemory {
  std::shared_ptr<void> owner;
  DeviceElements elements;
};

/// Owned host memory that the device reads and writes by itself (pinned).
struct PinnedMemory {
  std::shared_ptr<void> owner;
  Elements elements;
};

/// Elements that differ from a pattern.
struct Unlike {
  std::size_t count = 0;
  std::optional<std::size_t> first;  ///< the lowest, as the pattern counts them
};

/// Queue of work that the device does in order, beside the host and beside its other streams.
/// Everything but compare() and synchronize() returns at once; memory that a call names must stay,
/// and memory that it reads must not change, until a mark behind it is done. Both arguments of a
/// call have the same type and number of elements; otherwise InternalError. One thread at a time
/// uses a stream. Throws DeviceError.
class Stream {
 public:
  /// Waits for all work of the stream.
  virtual ~Stream() = default;
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// Copies to pinned memory of the host.
  virtual void copy_out(Elements to, DeviceElements from) = 0;
  /// Copies from pinned memory of the host.
  virtual void copy_in(DeviceElements to, Elements from) = 0;
  /// Copies within the device. The elements must not overlap.
  virtual void copy_within(DeviceElements to, DeviceElements from) = 0;
  /// Makes every byte 0.
  virtual void clear(DeviceElements elements) = 0;
  /// Adds element by element: sums[i] += terms[i], as transport::add does. Throws InternalError for
  /// bytes.
  virtual void add(DeviceElements sums, DeviceElements terms) = 0;
  /// Fills: element i becomes the number of element run.begin + i. `elements` has as many as the
  /// run.
  virtual void fill(DeviceElements elements, const PatternRun& run) = 0;
  /// Compares elements with what fill() writes there. Blocks until all that was given is done.
  [[nodiscard]] virtual Unlike compare(DeviceElements elements, const PatternRun& run) = 0;

  /// Records one of the stream's events at this place in the order, until the event is used again.
  virtual void mark(std::size_t event) = 0;
  /// Whether all work before the event's mark is done. Requires that the event was marked.
  [[nodiscard]] virtual bool is_done(std::size_t event) = 0;
  /// Blocks until all work of the stream is done.
  virtual void synchronize() = 0;
};

/// Code other than its streams that can access a device's addresses.
enum class Reach : std::uint8_t {
  streams,  ///< nobody
  host,     ///< the host, as its own memory: only a stand-in that is made so
  cuda,     ///< libraries that were built with CUDA
};

/// Way in which RDMA devices access a device's memory.
enum class RdmaAccess : std::uint8_t {
  none,
  addresses,  ///< registered by address, as the host's is: nvidia-peermem is loaded
  dma_buf,    ///< the driver exports the memory, and RDMA devices import it
};

/// Memory exported as a dma-buf, which begins `offset` bytes into the file.
struct DmaBuf {
  FileDescriptor file;
  std::uint64_t offset = 0;
};

/// Device with memory of its own. Any thread uses it. Throws DeviceError.
class Device {
 public:
  virtual ~Device() = default;
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// The device's name for people: "NVIDIA H100 80GB HBM3".
  [[nodiscard]] virtual std::string name() const = 0;
  /// The code beside its streams that can access its addresses, and so whether a library can be
  /// handed them.
  [[nodiscard]] virtual Reach reach() const { return Reach::streams; }
  /// The way in which RDMA devices access its memory.
  [[nodiscard]] virtual RdmaAccess rdma_access() const {
    return reach() == Reach::host ? RdmaAccess::addresses : RdmaAccess::none;
  }
  /// Exports memory that this device has allocated. Requires RdmaAccess::dma_buf.
  [[nodiscard]] virtual DmaBuf export_memory(std::span<std::byte> memory) const;
  /// Makes RDMA writes that were reported complete visible to the device's streams.
  virtual void see_rdma_writes() {}
  /// Allocates memory of the device for `count` elements, aligned for any type and vector.
  [[nodiscard]] virtual DeviceMemory allocate(Dtype type, std::size_t count) = 0;
  /// Allocates pinned host memory for `count` elements, aligned for any type and vector.
  [[nodiscard]] virtual PinnedMemory allocate_pinned(Dtype type, std::size_t count) = 0;
  /// Makes a stream with `events` events. The device must outlive it.
  [[nodiscard]] virtual std::unique_ptr<Stream> make_stream(std::size_t events) = 0;
};

/// Gradient in the memory of a device, for Plans that run on it. All of it must outlive what is
/// connected with it.
struct DeviceGradient {
  Device& device;
  DeviceElements gradient;  ///< elements that the Plan's extents refer to
  const Clock& clock;       ///< clock of the threads that wait for the device
};

/// Checks that the elements of a call have one type and one number, as every Stream requires.
/// Throws InternalError.
void require_alike(Dtype type, Dtype other, std::size_t count, std::size_t others);

}  // namespace gradwire::transport::device
