#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "core/fields.h"
#include "core/id.h"
#include "transport/authentication.h"

namespace gradwire::transport::ucx {

/// Facts that a rank tells the others before they connect.
struct Card {
  std::string terms;                      ///< way it cuts and carries; must be equal everywhere
  Nonce nonce{};                          ///< input of the greetings
  std::map<Port, std::string> addresses;  ///< the IPv4 addresses of its ports in use
  std::map<std::pair<std::size_t, Port>, std::string> workers;  ///< by lane and port: UCX's bytes

  static constexpr auto kFields =
      fields(field("terms", &Card::terms), field("nonce", &Card::nonce),
             field("addresses", &Card::addresses), field("workers", &Card::workers));
};

}  // namespace gradwire::transport::ucx
