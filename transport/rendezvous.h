#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/binary.h"
#include "core/error.h"
#include "core/id.h"
#include "core/layout.h"

namespace gradwire::transport {

/// Exchange by which ranks find each other before there is a fabric: over inherited sockets on the
/// emulated backing, over MPI on hosts, in memory in tests. It never carries gradients.
class Rendezvous {
 public:
  virtual ~Rendezvous() = default;

  /// Gathers some bytes from every rank and returns them all, by rank. Blocks until the last rank
  /// has come. Throws FabricError when a rank is gone or the implementation's deadline passes.
  [[nodiscard]] virtual std::vector<std::string> all_gather(const std::string& mine) = 0;

  /// Every rank contributes a value that core/binary.h writes and gets everybody's, by rank. Blocks
  /// and throws as above, and FabricError(refused) that names who says something else: it runs
  /// another version.
  template <class T>
  requires(!std::convertible_to<const T&, std::string>)
      [[nodiscard]] std::vector<T> all_gather(const T& mine);

  /// Blocks until every rank has called it. Throws as all_gather() does.
  virtual void barrier() = 0;
};

/// Bytes that contribute a value to a gathering: the value, behind the layout of its type.
template <class T>
[[nodiscard]] std::string contribution_of(const T& value) {
  return to_bytes(layout_of<T>()) + to_bytes(value);
}
/// The value that a rank contributed. Nothing when it is no value of T.
template <class T>
[[nodiscard]] std::optional<T> from_contribution(std::string_view bytes) {
  const std::string layout = to_bytes(layout_of<T>());
  if (!bytes.starts_with(layout)) return std::nullopt;
  return from_bytes<T>(bytes.substr(layout.size()));
}

template <class T>
requires(!std::convertible_to<const T&, std::string>) std::vector<T> Rendezvous::all_gather(
    const T& mine) {
  std::vector<T> all;
  for (const std::string& bytes : all_gather(contribution_of(mine))) {
    auto value = from_contribution<T>(bytes);
    if (!value) {
      throw FabricError(FabricFailure::refused, {.peer = Rank(all.size())},
                        "it does not say what this version of Gradwire expects");
    }
    all.push_back(*std::move(value));
  }
  return all;
}

}  // namespace gradwire::transport
