#pragma once

#include <map>
#include <string>
#include <vector>

#include <gloo/rendezvous/store.h>

#include "transport/rendezvous.h"

namespace gradwire::peers::gloo {

/// Where Gloo's ranks read each other's addresses: what every rank sets is handed round by our
/// Rendezvous.
class RendezvousStore final : public ::gloo::rendezvous::Store {
 public:
  /// The rendezvous must outlive it.
  explicit RendezvousStore(transport::Rendezvous& rendezvous) : rendezvous_(rendezvous) {}

  /// Collective: every rank sets one key before any of them reads. Throws what the rendezvous
  /// throws.
  void set(const std::string& key, const std::vector<char>& data) override;
  /// Throws InternalError for a key that no rank has set.
  std::vector<char> get(const std::string& key) override;
  /// Returns at once: set() has waited for all ranks. Throws InternalError as get().
  void wait(const std::vector<std::string>& keys) override;

 private:
  transport::Rendezvous& rendezvous_;
  std::map<std::string, std::vector<char>> values_;
};

}  // namespace gradwire::peers::gloo
