#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/collective.h"
#include "core/dtype.h"
#include "core/memory.h"
#include "results/record/backing.h"

/// Configuration of a point, which tells it from the others.
namespace gradwire::record {

using collectives::kAllReduce;

/// Independent variables of a point. docs/definitions.md defines them.
struct Configuration {
  std::size_t point = 0;  ///< index in the experiment
  Backing backing = Backing::emulated;
  std::string wiring;
  std::string algorithm;
  std::string collective{kAllReduce};  ///< purpose of the algorithm (docs/collectives.md)
  std::string workload;                ///< empty: only a number of elements
  std::uint64_t batch = 0;             ///< samples per host and iteration; 0: not given
  std::string schedule = "none";       ///< rule for buckets; without computing there is one
  std::size_t ranks = 0;               ///< N
  std::size_t ports_per_host = 0;      ///< k
  std::uint64_t elements = 0;          ///< per rank; for an all-to-all, those that a rank sends
  Dtype type = Dtype::float32;         ///< type of an element
  Memory memory = Memory::host;        ///< memory in which the gradient lies

  /// S, the bytes of the elements.
  [[nodiscard]] std::uint64_t bytes() const { return elements * size_of(type); }
  friend bool operator==(const Configuration&, const Configuration&) = default;
};

/// Fields of a Configuration, in its order.
enum class Field : std::uint8_t {
  point,
  backing,
  wiring,
  algorithm,
  collective,
  workload,
  batch,
  schedule,
  ranks,
  ports_per_host,
  elements,
  type,
  memory,
};

/// The fields in which two configurations differ, in their order. Code that pairs rows must call
/// this, or same_but_for, and name the fields that a pair may differ in. So a new field of
/// Configuration does not compile until it is a Field, and then keeps rows apart wherever it is not
/// named.
[[nodiscard]] std::vector<Field> differences(const Configuration& a, const Configuration& b);

/// Whether two configurations differ in these fields at most.
[[nodiscard]] bool same_but_for(std::initializer_list<Field> fields, const Configuration& a,
                                const Configuration& b);

}  // namespace gradwire::record
