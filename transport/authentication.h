#pragma once

#include <array>
#include <cstdint>
#include <string_view>

/// Mutual authentication of the ranks of a run, without sending the secret.
namespace gradwire::transport {

/// Secret of a run, handed to its ranks over the control connection and to nobody else. It never
/// goes over a data network.
using RunKey = std::array<std::uint8_t, 16>;
/// Number that is used once, so that a recorded proof is worthless later.
using Nonce = std::array<std::uint8_t, 16>;
/// HMAC-SHA-256 of a message (RFC 2104): only a holder of the key can make or check it.
using Mac = std::array<std::uint8_t, 32>;

/// Draws a nonce from the kernel's random source. Throws SystemError.
[[nodiscard]] Nonce random_nonce();

/// The message's authentication code under the key. Throws InternalError when libcrypto refuses.
[[nodiscard]] Mac authenticate(const RunKey& key, std::string_view message);

/// Compares two codes in constant time, so that the time does not tell where they differ.
[[nodiscard]] bool equal(const Mac& one, const Mac& other);

}  // namespace gradwire::transport
