#include "tests/faults/loopback/fabric.h"

#include "core/error.h"
#include "tests/transport/sockets.h"

namespace gradwire::faults {
namespace {

using transport::tcp::Listening;
using transport::testing::listeners_in;

}  // namespace

SabotagedRendezvous::Hooks Fabric::hooks_of(Rank rank) {
  using Listeners = SabotagedRendezvous::Listeners;
  SabotagedRendezvous::Hooks hooks;
  if (scenario_.stream && scenario_.stream->caller == rank) {
    hooks.heard = [this](Listeners& all) {
      const Peer& peer = scenario_.stream->channel.peer;
      std::vector<Listening> doors = listeners_in(all.at(peer.rank.index()));
      Listening& door = doors.at(peer.at.index());
      door = meddler_->stand_before(door);
      all[peer.rank.index()] = transport::contribution_of(doors);
    };
  }
  if (scenario_.visit && scenario_.visit->guide == rank) {
    const Visit& visit = *scenario_.visit;
    hooks.heard = [this, &visit](Listeners& all) {
      doors_ = listeners_in(all.at(visit.door.index()));
      if (visit.who != Visit::Who::late_claim) strangers_->come(doors_);
    };
    if (visit.who == Visit::Who::late_claim) {
      hooks.connected = [this] { strangers_->come(doors_); };
    }
  }
  return hooks;
}

void Fabric::stop() {
  for (transport::Cancellation& each : cancellations_) each.request();
  meeting_.close();
}

}  // namespace gradwire::faults
