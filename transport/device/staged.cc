#include "transport/device/staged.h"

#include <algorithm>
#include <utility>

#include "core/lane_program.h"
#include "transport/device/staged_endpoint.h"

namespace gradwire::transport::device {
namespace {

/// Alignment of slots. A piece lies in its slot as it does in the gradient, so that kernels read
/// and write both in vectors of this many bytes.
constexpr std::size_t kVectorBytes = 16;

/// Places of the slots in pinned memory, in elements. Slots that receive come first, as only they
/// have counterparts on the device.
class SlotLayout {
 public:
  SlotLayout(const Plan& plan, std::size_t piece, std::size_t slots, std::size_t element_bytes)
      : slots_(slots),
        vector_(kVectorBytes / element_bytes),
        stride_((piece + 2 * vector_ - 1) / vector_ * vector_) {
    for (const Lane& lane : plan.lanes) channels_.push_back(channels_of(lane).size());
  }

  /// Elements of all slots that receive, which equal those of the slots that send.
  [[nodiscard]] std::size_t receiving() const {
    std::size_t channels = 0;
    for (const std::size_t each : channels_) channels += each;
    return channels * slots_ * stride_;
  }
  /// The slots of a lane.
  [[nodiscard]] LaneSlots of(std::size_t lane, std::size_t piece) const {
    std::size_t before = 0;
    for (std::size_t i = 0; i < lane; ++i) before += channels_[i];
    return {.piece = piece,
            .slots = slots_,
            .stride = stride_,
            .vector = vector_,
            .first_receive = before * slots_ * stride_,
            .first_send = receiving() + before * slots_ * stride_};
  }

 private:
  std::size_t slots_;
  std::size_t vector_;  ///< elements of a vector
  std::size_t stride_;  ///< elements from slot to slot
  std::vector<std::size_t> channels_;
};

/// Calls add(part) for each piece of `extent`, of `elements` elements at most.
template <class Add>
void for_each_piece(const Extent& extent, std::size_t elements, Add add) {
  for (std::size_t done = 0; done < extent.count; done += elements) {
    add(Extent{.count = std::min(elements, extent.count - done)});
  }
}

}  // namespace

Plan in_pieces(const Plan& plan, std::size_t elements) {
  Plan cut = plan;
  for (Lane& lane : cut.lanes) {
    for (Step& step : lane) {
      Step pieces;
      for (const Send& send : step.sends) {
        for_each_piece(send.what, elements, [&](const Extent& piece) {
          pieces.sends.push_back({.to = send.to, .what = piece});
        });
      }
      for (const Recv& recv : step.recvs) {
        for_each_piece(recv.where, elements, [&](const Extent& piece) {
          pieces.recvs.push_back({.from = recv.from, .where = piece, .how = Combine::replace});
        });
      }
      step = std::move(pieces);
    }
  }
  return cut;
}

std::vector<std::unique_ptr<Endpoint>> connect_staged(const Plan& plan,
                                                      const DeviceGradient& gradient,
                                                      const ConnectLanes& connect,
                                                      const StagingOptions& options) {
  const Dtype type = gradient.gradient.type();
  const std::size_t piece = options.piece_bytes / size_of(type);
  ensure(piece > 0 && options.slots > 0, "a piece has elements, and a slot");
  const SlotLayout layout(plan, piece, options.slots, size_of(type));
  const auto memory = std::make_shared<const StagingMemory>(
      StagingMemory{.pinned = gradient.device.allocate_pinned(type, 2 * layout.receiving()),
                    .arrived = gradient.device.allocate(type, layout.receiving())});
  auto lanes = connect(in_pieces(plan, piece), memory->pinned.elements);
  ensure(lanes.size() == plan.lanes.size(), "every lane has an endpoint");
  std::vector<std::unique_ptr<Endpoint>> staged;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const auto use = channel_use(plan.lanes[lane], channels_of(plan.lanes[lane]));
    staged.push_back(std::make_unique<StagedEndpoint>(std::move(lanes[lane]), gradient, memory,
                                                      layout.of(lane, piece), use));
  }
  return staged;
}

}  // namespace gradwire::transport::device
