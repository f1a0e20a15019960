#include "collectives/peers/gloo/store.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace gradwire::peers::gloo {
void RendezvousStore::set(const std::string& key, const std::vector<char>& data) {
  for (auto& [their_key, their_data] : rendezvous_.all_gather(std::pair(key, data))) {
    values_[their_key] = std::move(their_data);
  }
}

std::vector<char> RendezvousStore::get(const std::string& key) {
  const auto value = values_.find(key);
  ensure(value != values_.end(), "every rank has set its key before one is read");
  return value->second;
}

void RendezvousStore::wait(const std::vector<std::string>& keys) {
  ensure(std::ranges::all_of(keys, [this](const auto& key) { return values_.contains(key); }),
         "every rank has set its key before one is read");
}

}  // namespace gradwire::peers::gloo
