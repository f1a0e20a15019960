#include "transport/authentication.h"

#include <cerrno>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sys/random.h>

#include "core/error.h"

namespace gradwire::transport {

Nonce random_nonce() {
  Nonce nonce{};
  if (::getrandom(nonce.data(), nonce.size(), 0) != static_cast<ssize_t>(nonce.size())) {
    throw SystemError("getrandom", errno);
  }
  return nonce;
}

Mac authenticate(const RunKey& key, std::string_view message) {
  Mac mac{};
  unsigned size = mac.size();
  const auto* const made = HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
                                reinterpret_cast<const std::uint8_t*>(message.data()),
                                message.size(), mac.data(), &size);
  ensure(made != nullptr && size == mac.size(), "libcrypto has HMAC-SHA-256");
  return mac;
}

bool equal(const Mac& one, const Mac& other) {
  return CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

}  // namespace gradwire::transport
