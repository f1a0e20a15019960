#include "collectives/peers/gloo/store.h"

#include <algorithm>
#include <optional>
#include <sstream>

#include "core/error.h"
#include "core/hex.h"

namespace gradwire::peers::gloo {
void RendezvousStore::set(const std::string& key, const std::vector<char>& data) {
  // A rendezvous carries text.
  for (const std::string& one : rendezvous_.all_gather(key + " " + to_hex(data))) {
    std::istringstream words(one);
    std::string their_key;
    std::string their_data;
    words >> their_key >> their_data;
    const std::optional<std::string> bytes = from_hex(their_data);
    ensure(bytes.has_value(), "a rendezvous carries bytes as hexadecimal digits");
    values_[their_key].assign(bytes->begin(), bytes->end());
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
