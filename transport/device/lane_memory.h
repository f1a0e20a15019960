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

/// The memory that a lane's segments leave from and arrive in, and who adds there: the host's, or a
/// device's whose addresses a transport hands to a library or an RDMA device. The host must not touch
/// the latter.
class LaneMemory {
 public:
  virtual ~LaneMemory() = default;
  LaneMemory(const LaneMemory&) = delete;
  LaneMemory& operator=(const LaneMemory&) = delete;

  /// Of one element.
  [[nodiscard]] std::size_t element_bytes() const { return size_of(type_); }
  /// Who gets at its addresses, beside who adds.
  [[nodiscard]] Reach reach() const { return reach_; }
  /// The bytes of the gradient.
  [[nodiscard]] std::span<std::byte> all() const { return gradient_; }
  /// Where some of its elements lie.
  [[nodiscard]] std::span<std::byte> at(const Extent& extent) const {
    return gradient_.subspan(extent.first * element_bytes(), extent.count * element_bytes());
  }
  /// What an RDMA device imports these bytes by, which are of the gradient or staging memory; nothing
  /// where it is given their addresses. Throws DeviceError where it gets at them in no way.
  [[nodiscard]] virtual std::optional<DmaBuf> exported(std::span<std::byte> bytes) const = 0;
  /// Must be called when an RDMA device has said that it has written something, before that is added
  /// or reported.
  virtual void see_rdma_writes() {}
  /// Memory of the same kind, aligned for vectors, for so many bytes of what is to be added. Once.
  [[nodiscard]] virtual std::span<std::byte> allocate_staging(std::size_t bytes,
                                                              std::size_t additions) = 0;
  /// Begins to add what lies in staging memory to an extent. Additions are done in the order in which
  /// they are begun. `addition`, below the number that was allocated for, names it until another is
  /// begun by that name.
  virtual void begin_add(const Extent& sums, std::span<std::byte> terms, std::size_t addition) = 0;
  /// Whether it is done.
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

/// The host's, which adds at once.
class HostLaneMemory final : public LaneMemory {
 public:
  /// The gradient must outlive it.
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

/// A device's, which adds on a stream of its own, beside the host.
class DeviceLaneMemory final : public LaneMemory {
 public:
  /// What the gradient refers to must outlive it. Throws InternalError where nobody but the device's
  /// streams reaches its addresses.
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
