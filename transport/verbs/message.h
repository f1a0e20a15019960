#pragma once

#include <cstdint>
#include <optional>

#include "core/plan.h"
#include "transport/verbs/flow_control.h"

namespace gradwire::transport::verbs {

/// Content of the 32 bits that come with a write: four of kind, 28 of number.
struct Message {
  enum class Kind : std::uint8_t {
    data,           ///< a segment; number: its own
    grant_replace,  ///< permission to send; number: how many segments
    grant_add,
    closing,  ///< last message: its sender is leaving
  } kind = Kind::data;
  std::uint32_t number = 0;

  friend bool operator==(const Message&, const Message&) = default;
};

/// The bits of a Message.
[[nodiscard]] constexpr std::uint32_t encode(const Message& message) {
  return (static_cast<std::uint32_t>(message.kind) << kNumberBits) | message.number;
}

/// Decodes a Message; nothing when no Message has these bits.
[[nodiscard]] constexpr std::optional<Message> decode(std::uint32_t bits) {
  const std::uint32_t kind = bits >> kNumberBits;
  if (kind > static_cast<std::uint32_t>(Message::Kind::closing)) return std::nullopt;
  return Message{.kind = static_cast<Message::Kind>(kind),
                 .number = bits & ((1U << kNumberBits) - 1)};
}

}  // namespace gradwire::transport::verbs
