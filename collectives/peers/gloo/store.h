#pragma once

#include <map>
#include <string>
#include <vector>

#include <gloo/rendezvous/store.h>

#include "transport/rendezvous.h"

namespace gradwire::peers::gloo {

/// The store from which Gloo's ranks read each other's addresses: our Rendezvous hands round the
/// values that ranks set.
class RendezvousStore final : public ::gloo::rendezvous::Store {
 public:
  /// A store on the rendezvous, which must outlive it.
  explicit RendezvousStore(transport::Rendezvous& rendezvous) : rendezvous_(rendezvous) {}

  /// Sets this rank's key. Collective: every rank sets one key before any of them reads. Throws the
  /// rendezvous's errors.
  void set(const std::string& key, const std::vector<char>& data) override;
  /// The value of a key. Throws InternalError for a key that no rank has set.
  std::vector<char> get(const std::string& key) override;
  /// Returns at once: set() has waited for all ranks. Throws InternalError like get().
  void wait(const std::vector<std::string>& keys) override;

 private:
  transport::Rendezvous& rendezvous_;
  std::map<std::string, std::vector<char>> values_;
};

}  // namespace gradwire::peers::gloo
