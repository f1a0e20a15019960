#include "collectives/peers/staged.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "core/error.h"
#include "core/goal.h"

namespace gradwire::peers {
namespace {

namespace device = transport::device;

/// Whether the collective treats every element by itself, so that a part of it means the same.
bool can_be_cut(What what) {
  return what == What::all_reduce || what == What::broadcast || what == What::reduce;
}

std::vector<Extent> moved_up(std::vector<Extent> extents, std::size_t by) {
  for (Extent& extent : extents) extent.first += by;
  return extents;
}

/// A call of the library: the elements that must be on the host before it, and on the device after
/// it.
struct Piece {
  std::vector<Extent> out;
  std::vector<Extent> in;
};

Piece make_piece(const Extent& extent, const StagedTask& task) {
  const Goal goal = goal_of(task.what, task.group.ranks, extent.count);
  const std::size_t self = task.group.self.index();
  return {.out = moved_up(merged(goal.begins.at(self)), extent.first),
          .in = moved_up(merged(goal.ends.at(self)), extent.first)};
}

class StagedCollective final : public Collective {
 public:
  StagedCollective(device::Device& device, device::DeviceElements gradient,
                   std::span<const Extent> extents, const StagedTask& task,
                   const ConnectLibrary& connect)
      : gradient_(gradient),
        pinned_(device.allocate_pinned(gradient.type(), gradient.size())),
        out_(device.make_stream(task.pieces.most)),
        in_(device.make_stream(0)) {
    for (const Extent& extent : extents) {
      first_piece_.push_back(extents_.size());
      for (const Extent& piece : pieces_of(extent, task.what, task.pieces)) {
        extents_.push_back(piece);
        pieces_.push_back(make_piece(piece, task));
      }
    }
    first_piece_.push_back(extents_.size());
    library_ = connect(pinned_.elements.as<float>(), extents_);
  }

  void run(std::size_t extent) override {
    ensure(extent + 1 < first_piece_.size(),
           "a collective is run on an extent that it was made with");
    const std::size_t first = first_piece_[extent];
    const std::size_t end = first_piece_[extent + 1];
    for (std::size_t i = first; i < end; ++i) {
      for (const Extent& each : pieces_[i].out) {
        out_->copy_out(pinned_.elements.part(each), gradient_.part(each));
      }
      out_->mark(i - first);
    }
    for (std::size_t i = first; i < end; ++i) {
      while (!out_->is_done(i - first)) std::this_thread::yield();
      library_->run(i);
      library_->put_in_place(i);
      for (const Extent& each : pieces_[i].in) {
        in_->copy_in(gradient_.part(each), pinned_.elements.part(each));
      }
    }
    in_->synchronize();
  }

  void put_in_place(std::size_t) override {}

 private:
  device::DeviceElements gradient_;
  device::PinnedMemory pinned_;           ///< pinned copy of the gradient
  std::vector<Extent> extents_;           ///< by piece
  std::vector<Piece> pieces_;             ///< pieces of all extents
  std::vector<std::size_t> first_piece_;  ///< by extent, and the end
  std::unique_ptr<Collective> library_;   ///< destroyed before the memory that it works on
  /// Streams are destroyed first: they copy from and to the memory above.
  std::unique_ptr<device::Stream> out_;
  std::unique_ptr<device::Stream> in_;
};

}  // namespace

std::vector<Extent> pieces_of(const Extent& whole, What what, const PieceOptions& options) {
  ensure(options.least_bytes > 0 && options.most > 0, "a collective has a piece");
  const std::size_t full = whole.count * sizeof(float) / options.least_bytes;
  const std::size_t count = can_be_cut(what) ? std::clamp<std::size_t>(full, 1, options.most) : 1;
  std::vector<Extent> pieces;
  for (std::size_t i = 0; i < count; ++i) pieces.push_back(part(whole, count, i));
  return pieces;
}

std::unique_ptr<Collective> connect_staged(device::Device& device, device::DeviceElements gradient,
                                           std::span<const Extent> extents, const StagedTask& task,
                                           const ConnectLibrary& connect) {
  ensure(gradient.type() == Dtype::float32, "libraries are given float32");
  return std::make_unique<StagedCollective>(device, gradient, extents, task, connect);
}

}  // namespace gradwire::peers
