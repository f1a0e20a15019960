#pragma once

#include <netlink/cache.h>

struct nl_sock;

namespace gradwire::testbed {

/// Objects of one kind in a namespace, as the kernel has listed them.
class Listing {
 public:
  /// Takes ownership of the cache.
  explicit Listing(nl_cache* cache) : cache_(cache) {}
  ~Listing() { nl_cache_free(cache_); }
  Listing(const Listing&) = delete;
  Listing& operator=(const Listing&) = delete;
  [[nodiscard]] nl_cache* get() const { return cache_; }

 private:
  nl_cache* cache_;
};

/// Lists the interfaces, or the queueing disciplines, of the socket's namespace. Both throw
/// SystemError.
[[nodiscard]] Listing list_links(nl_sock* socket);
[[nodiscard]] Listing list_queues(nl_sock* socket);

}  // namespace gradwire::testbed
