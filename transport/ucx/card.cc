#include "transport/ucx/card.h"

#include <algorithm>
#include <sstream>

#include <fmt/core.h>

#include "core/hex.h"

namespace gradwire::transport::ucx {

std::string encode(const Card& card) {
  std::string text = fmt::format("terms {}\nnonce {}\n", card.terms,
                                 to_hex(std::string(card.nonce.begin(), card.nonce.end())));
  for (const auto& [port, address] : card.addresses) {
    text += fmt::format("port {} {}\n", port.value, address);
  }
  for (const auto& [place, bytes] : card.workers) {
    text += fmt::format("worker {} {} {}\n", place.first, place.second.value, to_hex(bytes));
  }
  return text;
}

std::optional<Card> decode(const std::string& text) {
  std::istringstream words(text);
  Card card;
  bool has_nonce = false;
  for (std::string kind; words >> kind;) {
    std::size_t lane = 0;
    std::size_t port = 0;
    std::string rest;
    if (kind == "terms" && words >> card.terms) continue;
    if (kind == "nonce" && words >> rest) {
      const auto bytes = from_hex(rest);
      if (!bytes || bytes->size() != card.nonce.size()) return std::nullopt;
      std::ranges::copy(*bytes, card.nonce.begin());
      has_nonce = true;
      continue;
    }
    if (kind == "port" && words >> port >> rest) {
      card.addresses[Port(port)] = rest;
      continue;
    }
    if (kind != "worker" || !(words >> lane >> port >> rest)) return std::nullopt;
    const auto bytes = from_hex(rest);
    if (!bytes) return std::nullopt;
    card.workers[{lane, Port(port)}] = *bytes;
  }
  if (card.terms.empty() || !has_nonce) return std::nullopt;
  return card;
}

}  // namespace gradwire::transport::ucx
