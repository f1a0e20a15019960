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

/// Gradients in the memory of a device, which the host's instructions cannot read: what is asked of a
/// GPU (transport/cuda/), and of the stand-in that tests use where there is none (stand_in.h).
namespace gradwire::transport::device {

/// The device refused or failed. what() has what was asked of it, and its own words.
class DeviceError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Elements of one type, side by side in a device's memory. A view, as Elements are of the host's; no
/// Elements themselves, so that nothing on the host is given them.
class DeviceElements {
 public:
  /// None.
  DeviceElements() = default;
  /// So many of them from an address of the device, which is aligned for the type.
  DeviceElements(std::byte* address, std::size_t count, Dtype type)
      : address_(address), count_(count), type_(type) {}

  [[nodiscard]] Dtype type() const { return type_; }
  /// Bytes of one element.
  [[nodiscard]] std::size_t element_bytes() const { return size_of(type_); }
  /// How many there are.
  [[nodiscard]] std::size_t size() const { return count_; }
  /// Bytes of all of them.
  [[nodiscard]] std::size_t bytes() const { return count_ * element_bytes(); }
  /// The device's address of the first.
  [[nodiscard]] std::byte* address() const { return address_; }
  /// Some of them. Throws InternalError unless they lie within.
  [[nodiscard]] DeviceElements part(const Extent& extent) const {
    ensure(extent.end() <= count_, "a part of elements lies within them");
    return {address_ + extent.first * element_bytes(), extent.count, type_};
  }

 private:
  std::byte* address_ = nullptr;
  std::size_t count_ = 0;
  Dtype type_ = Dtype::float32;
};

/// Memory of the device, which is 0 at first, and goes with the last copy of its owner.
struct DeviceMemory {
  std::shared_ptr<void> owner;
  DeviceElements elements;
};

/// Memory of the host that the device reads and writes by itself (pinned).
struct PinnedMemory {
  std::shared_ptr<void> owner;
  Elements elements;
};

/// Elements that are not what a pattern has.
struct Unlike {
  std::size_t count = 0;
  std::optional<std::size_t> first;  ///< the lowest, as the pattern counts them
};

/// Work that the device does in the order in which it is given, beside the host and beside its other
/// streams. Everything but compare() and synchronize() returns at once; what it names must stay, and
/// what it reads must not change, until a mark behind it is done. Elements of a call have one type and
/// number; InternalError says when not. One thread at a time uses a stream. Throws DeviceError.
class Stream {
 public:
  /// Waits for what was given.
  virtual ~Stream() = default;
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// To pinned memory of the host.
  virtual void copy_out(Elements to, DeviceElements from) = 0;
  /// From pinned memory of the host.
  virtual void copy_in(DeviceElements to, Elements from) = 0;
  /// Within the device. They must not overlap.
  virtual void copy_within(DeviceElements to, DeviceElements from) = 0;
  /// Makes every byte 0.
  virtual void clear(DeviceElements elements) = 0;
  /// sums[i] += terms[i], as transport::add: halves are added in float32 and rounded once, whole
  /// numbers wrap. Throws InternalError for bytes.
  virtual void add(DeviceElements sums, DeviceElements terms) = 0;
  /// Element i becomes the number of element run.begin + i. There are as many as the run has.
  virtual void fill(DeviceElements elements, const PatternRun& run) = 0;
  /// Holds elements against what fill() puts there. Blocks until all that was given is done.
  [[nodiscard]] virtual Unlike compare(DeviceElements elements, const PatternRun& run) = 0;

  /// Marks this place in the order with one of the stream's events, which stands for it until it is
  /// used again.
  virtual void mark(std::size_t event) = 0;
  /// Whether all that was given before the event's mark is done. Requires that it was used.
  [[nodiscard]] virtual bool is_done(std::size_t event) = 0;
  /// Blocks until all that was given is done.
  virtual void synchronize() = 0;
};

/// Who gets at a device's addresses, beside its streams.
enum class Reach : std::uint8_t {
  streams,  ///< nobody
  host,     ///< the host, as its own memory: a stand-in's, if it is made so
  cuda,     ///< libraries that were built with CUDA
};

/// How RDMA devices get at a device's memory.
enum class RdmaAccess : std::uint8_t {
  none,
  addresses,  ///< its addresses are registered as the host's are: nvidia-peermem is loaded
  dma_buf,    ///< the driver exports the memory, and RDMA devices import it
};

/// Exported memory: the bytes from `offset` on.
struct DmaBuf {
  FileDescriptor file;
  std::uint64_t offset = 0;
};

/// A device with memory of its own. Any thread uses it. Throws DeviceError.
class Device {
 public:
  virtual ~Device() = default;
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// What it is, for people: "NVIDIA H100 80GB HBM3".
  [[nodiscard]] virtual std::string name() const = 0;
  /// Who gets at its addresses: whether a library can be handed them.
  [[nodiscard]] virtual Reach reach() const { return Reach::streams; }
  /// How RDMA devices get at its memory.
  [[nodiscard]] virtual RdmaAccess rdma_access() const {
    return reach() == Reach::host ? RdmaAccess::addresses : RdmaAccess::none;
  }
  /// Exports memory that it has allocated. Requires RdmaAccess::dma_buf.
  [[nodiscard]] virtual DmaBuf export_memory(std::span<std::byte> memory) const;
  /// Makes its streams see what RDMA devices have said that they have written into its memory.
  virtual void see_rdma_writes() {}
  /// Memory for so many elements, aligned for any type and vector.
  [[nodiscard]] virtual DeviceMemory allocate(Dtype type, std::size_t count) = 0;
  /// The same of the host's memory.
  [[nodiscard]] virtual PinnedMemory allocate_pinned(Dtype type, std::size_t count) = 0;
  /// A stream with so many events. The device must outlive it.
  [[nodiscard]] virtual std::unique_ptr<Stream> make_stream(std::size_t events) = 0;
};

/// What Plans run on where gradients lie in the memory of a device. All of it must outlive what is
/// connected with it.
struct DeviceGradient {
  Device& device;
  DeviceElements gradient;  ///< what the Plan's extents refer to
  const Clock& clock;       ///< of who waits for the device
};

/// What every Stream holds of the elements of a call: one type, one number. Throws InternalError.
void require_alike(Dtype type, Dtype other, std::size_t count, std::size_t others);

}  // namespace gradwire::transport::device
