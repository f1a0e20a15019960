#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/elements.h"
#include "core/extent.h"
#include "transport/device/device.h"

namespace gradwire::transport::device {

/// Memory in which a lane's gradient lies, from which its segments leave and into which they
/// arrive, together with the adder that works there. It is the host's, or a device's whose
/// addresses a transport hands to a library or an RDMA device; the host must not touch the latter.
class LaneMemory {
 public:
  virtual ~LaneMemory() = default;
  LaneMemory(const LaneMemory&) = delete;
  LaneMemory& operator=(const LaneMemory&) = delete;

  /// Bytes of one element.
  [[nodiscard]] std::size_t element_bytes() const { return size_of(type_); }
  /// The code beside the adder that can access its addresses.
  [[nodiscard]] Reach reach() const { return reach_; }
  /// The bytes of the whole gradient.
  [[nodiscard]] std::span<std::byte> all() const { return gradient_; }
  /// The bytes of an extent of the gradient.
  [[nodiscard]] std::span<std::byte> at(const Extent& extent) const {
    return gradient_.subspan(extent.first * element_bytes(), extent.count * element_bytes());
  }
  /// The dma-buf by which an RDMA device imports `bytes`, which lie in the gradient or in staging
  /// memory. Nothing where it is given their addresses. Throws DeviceError where it cannot access
  /// them at all.
  [[nodiscard]] virtual std::optional<DmaBuf> exported(std::span<std::byte> bytes) const = 0;
  /// Makes RDMA writes visible to the adder. Must be called after an RDMA device reports a write
  /// complete, before the data is added or reported.
  virtual void see_rdma_writes() {}
  /// Allocates `bytes` of staging memory of the same kind, aligned for vectors, for `additions`
  /// additions that may be under way. Called once.
  [[nodiscard]] virtual std::span<std::byte> allocate_staging(std::size_t bytes,
                                                              std::size_t additions) = 0;
  /// Begins to add staging memory to an extent. Additions are done in the order in which they are
  /// begun. `addition`, less than the number given to allocate_staging(), names this one until it
  /// is used again.
  virtual void begin_add(const Extent& sums, std::span<std::byte> terms, std::size_t addition) = 0;
  /// Whether an addition is done.
  [[nodiscard]] virtual bool is_added(std::size_t addition) = 0;

 protected:
  LaneMemory(std::span<std::byte> gradient, Dtype type, Reach reach)
      : gradient_(gradient), type_(type), reach_(reach) {}
  [[nodiscard]] Dtype type() const { return type_; }

 private:
  std::span<std::byte> gradient_;
  Dtype type_;
  Reach reach_;
};

/// Lane memory of the host, which adds at once.
class HostLaneMemory final : public LaneMemory {
 public:
  /// Uses `gradient`, which must outlive it.
  explicit HostLaneMemory(const Elements& gradient)
      : LaneMemory(gradient.bytes(), gradient.type(), Reach::host) {}

  [[nodiscard]] std::span<std::byte> allocate_staging(std::size_t bytes,
                                                      std::size_t additions) override;
  void begin_add(const Extent& sums, std::span<std::byte> terms, std::size_t addition) override;
  [[nodiscard]] bool is_added(std::size_t) override { return true; }
  [[nodiscard]] std::optional<DmaBuf> exported(std::span<std::byte>) const override { return {}; }

 private:
  std::vector<std::byte> staging_;
};

/// Lane memory of a device, which adds on a stream of its own, beside the host.
class DeviceLaneMemory final : public LaneMemory {
 public:
  /// Uses `gradient`, whose parts must outlive it. Throws InternalError where only the device's
  /// streams access its addresses.
  explicit DeviceLaneMemory(const DeviceGradient& gradient);

  [[nodiscard]] std::span<std::byte> allocate_staging(std::size_t bytes,
                                                      std::size_t additions) override;
  void begin_add(const Extent& sums, std::span<std::byte> terms, std::size_t addition) override;
  [[nodiscard]] bool is_added(std::size_t addition) override;
  [[nodiscard]] std::optional<DmaBuf> exported(std::span<std::byte> bytes) const override;
  void see_rdma_writes() override { gradient_.device.see_rdma_writes(); }

 private:
  DeviceGradient gradient_;
  DeviceMemory staging_;
  std::unique_ptr<Stream> stream_;  ///< goes first: it works on what stands above
};

}  // namespace gradwire::transport::device
