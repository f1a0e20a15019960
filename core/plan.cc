#include "core/plan.h"

namespace gradwire {
namespace {

/// FNV-1a over 64-bit words: no seed, no byte order.
class Hasher {
 public:
  void mix(std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte) {
      state_ = (state_ ^ ((word >> (8 * byte)) & 0xff)) * 0x100000001b3;
    }
  }
  void mix(const Peer& peer) {
    mix(peer.rank.value);
    mix(peer.via.value);
    mix(peer.at.value);
  }
  void mix(const Extent& extent) {
    mix(extent.first);
    mix(extent.count);
  }
  [[nodiscard]] std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325;
};

}  // namespace

std::uint64_t fingerprint(const Plan& plan) {
  Hasher hasher;
  hasher.mix(static_cast<std::uint64_t>(plan.role));
  hasher.mix(plan.lanes.size());
  for (const Lane& lane : plan.lanes) {
    hasher.mix(lane.size());
    for (const Step& step : lane) {
      hasher.mix(step.sends.size());
      for (const Send& send : step.sends) {
        hasher.mix(send.to);
        hasher.mix(send.what);
      }
      hasher.mix(step.recvs.size());
      for (const Recv& recv : step.recvs) {
        hasher.mix(recv.from);
        hasher.mix(recv.where);
        hasher.mix(static_cast<std::uint64_t>(recv.how));
      }
    }
  }
  return hasher.value();
}

}  // namespace gradwire
