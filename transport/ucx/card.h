#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/id.h"
#include "transport/authentication.h"

namespace gradwire::transport::ucx {

/// Facts that a rank tells the others before they connect.
struct Card {
  std::string terms;                      ///< how it cuts and carries; must be equal everywhere
  Nonce nonce{};                          ///< input of the greetings
  std::map<Port, std::string> addresses;  ///< the IPv4 addresses of its ports in use
  std::map<std::pair<std::size_t, Port>, std::string> workers;  ///< by lane and port: UCX's bytes
};

/// Lines of text: "terms T", "nonce HEX", "port P ADDRESS", "worker LANE PORT HEX".
[[nodiscard]] std::string encode(const Card& card);
/// Nothing when these are not the lines of a Card.
[[nodiscard]] std::optional<Card> decode(const std::string& text);

}  // namespace gradwire::transport::ucx
