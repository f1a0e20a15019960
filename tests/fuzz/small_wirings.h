#pragma once

#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

#include "topologies/registry.h"

/// Wirings of many hosts take as long to be made as they should, and a fuzzer would find them.
namespace gradwire::fuzz {

inline constexpr unsigned long kLargestNumber = 16;
inline constexpr std::size_t kMostNumbers = 3;

/// Whether the arguments of the wiring whose name ends before `at` make it large.
inline bool is_large(std::string_view text, std::size_t at) {
  std::size_t numbers = 0;
  for (; at < text.size() && text[at] != ')'; ++at) {
    if (std::isdigit(static_cast<unsigned char>(text[at])) == 0) continue;
    std::size_t end = at;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    if (end - at > 2 || std::stoul(std::string(text.substr(at, end - at))) > kLargestNumber) {
      return true;
    }
    if (++numbers > kMostNumbers) return true;
    at = end - 1;
  }
  return false;
}

/// Whether a text names a wiring, anywhere, that has more than some hundred hosts.
inline bool names_large_wiring(std::string_view text) {
  for (const topologies::WiringKind& kind : topologies::wiring_kinds()) {
    for (std::size_t at = 0; (at = text.find(kind.name, at)) != std::string_view::npos;) {
      at += kind.name.size();
      if (is_large(text, at)) return true;
    }
  }
  return false;
}

}  // namespace gradwire::fuzz
