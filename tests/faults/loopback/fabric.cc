#include "tests/faults/loopback/fabric.h"

#include <sstream>

#include "core/error.h"

namespace gradwire::faults {
namespace {

using transport::tcp::Listening;

/// Where a rank listens, by port, from what it tells the others.
std::vector<Listening> doors_in(const std::string& told) {
  std::istringstream lines(told);
  std::vector<Listening> doors;
  for (Listening one; lines >> one.address >> one.port;) doors.push_back(one);
  return doors;
}

std::string told_of(const std::vector<Listening>& doors) {
  std::ostringstream text;
  for (const Listening& door : doors) text << door.address << ' ' << door.port << '\n';
  return text.str();
}

}  // namespace

SabotagedRendezvous::Hooks Fabric::hooks_of(Rank rank) {
  using Listeners = SabotagedRendezvous::Listeners;
  SabotagedRendezvous::Hooks hooks;
  if (scenario_.stream && scenario_.stream->caller == rank) {
    hooks.heard = [this](Listeners& all) {
      const Peer& peer = scenario_.stream->channel.peer;
      std::vector<Listening> doors = doors_in(all.at(peer.rank.index()));
      Listening& door = doors.at(peer.at.index());
      door = meddler_->stand_before(door);
      all[peer.rank.index()] = told_of(doors);
    };
  }
  if (scenario_.visit && scenario_.visit->guide == rank) {
    const Visit& visit = *scenario_.visit;
    hooks.heard = [this, &visit](Listeners& all) {
      doors_ = doors_in(all.at(visit.door.index()));
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
