#include "transport/ucx/card.h"

#include <charconv>
#include <cstdint>
#include <sstream>

#include <fmt/core.h>

namespace gradwire::transport::ucx {
namespace {

std::string to_hex(const std::string& bytes) {
  std::string hex;
  for (const char byte : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return hex;
}

std::optional<std::string> from_hex(const std::string& hex) {
  if (hex.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (const char* at = hex.data(); at != hex.data() + hex.size(); at += 2) {
    std::uint8_t byte = 0;
    if (std::from_chars(at, at + 2, byte, 16).ptr != at + 2) return std::nullopt;
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

}  // namespace

std::string encode(const Card& card) {
  std::string text = fmt::format("terms {}\n", card.terms);
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
  for (std::string kind; words >> kind;) {
    std::size_t lane = 0;
    std::size_t port = 0;
    std::string rest;
    if (kind == "terms" && words >> card.terms) continue;
    if (kind == "port" && words >> port >> rest) {
      card.addresses[Port(port)] = rest;
      continue;
    }
    if (kind != "worker" || !(words >> lane >> port >> rest)) return std::nullopt;
    const auto bytes = from_hex(rest);
    if (!bytes) return std::nullopt;
    card.workers[{lane, Port(port)}] = *bytes;
  }
  return card;
}

}  // namespace gradwire::transport::ucx
