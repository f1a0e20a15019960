#pragma once

#include <array>
#include <cstdint>
#include <string_view>

/// How ranks prove to each other that they are of one run, without sending what proves it.
namespace gradwire::transport {

/// A secret of the run, handed to its ranks over the control connection and to nobody else. It
/// never goes over a data network.
using RunKey = std::array<std::uint8_t, 16>;
/// A number that is used once, so that what was recorded proves nothing later.
using Nonce = std::array<std::uint8_t, 16>;
/// HMAC-SHA-256 of a message (RFC 2104): only who has the key can make or check it.
using Mac = std::array<std::uint8_t, 32>;

/// From the kernel's random source. Throws SystemError.
[[nodiscard]] Nonce random_nonce();

/// The message's authentication code under the key. Throws InternalError when libcrypto refuses.
[[nodiscard]] Mac authenticate(const RunKey& key, std::string_view message);

/// Whether they are equal, in a time that does not tell where they differ.
[[nodiscard]] bool equal(const Mac& one, const Mac& other);

}  // namespace gradwire::transport
