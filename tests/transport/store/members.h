#pragma once

#include <memory>
#include <string>

#include "core/error.h"
#include "tests/transport/rank_group.h"
#include "transport/store/client.h"
#include "transport/store/server.h"

/// Ranks that meet at a store over the loopback interface.
namespace gradwire::transport::store::testing {

inline constexpr RunKey kKey{1, 2, 3};

/// A rank of a job of three. Its clock and cancellation live as long as its client.
struct Member {
  Member(const tcp::Listening& store, std::size_t rank, RunKey key = kKey, std::size_t ranks = 3,
         Nanoseconds timeout = transport::testing::kPatience)
      : client({.store = store, .self = Rank(rank), .ranks = ranks, .key = key, .timeout = timeout},
               cancellation, clock) {}
  Member(const Server& server, std::size_t rank, RunKey key = kKey, std::size_t ranks = 3,
         Nanoseconds timeout = transport::testing::kPatience)
      : Member(server.listening(), rank, key, ranks, timeout) {}

  SteadyClock clock;
  Cancellation cancellation;
  Client client;
};

inline Server::Options three() {
  return {.at = {.address = "127.0.0.1", .port = 0}, .ranks = 3, .key = kKey};
}

/// What a member gathers; why it does not.
inline std::string gather(Member& member, const std::string& mine) {
  try {
    std::string all;
    for (const std::string& one : member.client.all_gather(mine)) all += one + ".";
    return all;
  } catch (const FabricError& error) {
    return error.what();
  }
}

}  // namespace gradwire::transport::store::testing
