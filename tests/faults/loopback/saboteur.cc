#include "tests/faults/loopback/saboteur.h"

#include <thread>

namespace gradwire::faults {

using What = RankFault::What;

void Saboteur::look() {
  if (is_dead_) throw Died();
  if (!has_stopped_) return;
  options_.release.wait();
  throw Stopped();
}

void Saboteur::act(Moment::At at, std::size_t number) {
  look();
  for (const RankFault& fault : options_.faults) {
    if (fault.rank != options_.self || fault.when.at != at || fault.when.number != number) continue;
    options_.incident.note();
    if (fault.what == What::dies) is_dead_ = true;
    if (fault.what == What::stops) {
      has_stopped_ = true;
      options_.on_stop();
    }
    if (fault.what == What::pauses) std::this_thread::sleep_for(fault.pause);
  }
  look();
}

}  // namespace gradwire::faults
