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

/// What tells one point from another.
namespace gradwire::record {

using collectives::kAllReduce;

/// What was measured: the independent variables of a point. Definitions: docs/definitions.md.
struct Configuration {
  std::size_t point = 0;  ///< its index in the experiment
  Backing backing = Backing::emulated;
  std::string wiring;
  std::string algorithm;
  std::string collective{kAllReduce};  ///< what the algorithm is for (docs/collectives.md)
  std::string workload;                ///< empty: just so many elements
  std::uint64_t batch = 0;             ///< samples per host and iteration; 0: nothing said
  std::string schedule = "none";       ///< what decides the buckets; without computing there is one
  std::size_t ranks = 0;               ///< N
  std::size_t ports_per_host = 0;      ///< k
  std::uint64_t elements = 0;          ///< per rank; of an all-to-all, that a rank sends
  Dtype type = Dtype::float32;         ///< of an element
  Memory memory = Memory::host;        ///< where the gradient lies

  /// S: bytes of these elements.
  [[nodiscard]] std::uint64_t bytes() const { return elements * size_of(type); }
  friend bool operator==(const Configuration&, const Configuration&) = default;
};

/// The fields of a Configuration, in its order.
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

/// The fields in which two configurations differ, in their order. Whoever pairs rows asks this, or
/// same_but_for, and names the fields that a pair may differ in; a new field of Configuration does
/// not compile until it is a Field, and then keeps rows apart wherever it is not named.
[[nodiscard]] std::vector<Field> differences(const Configuration& a, const Configuration& b);

/// Whether two configurations differ in none but these fields.
[[nodiscard]] bool same_but_for(std::initializer_list<Field> fields, const Configuration& a,
                                const Configuration& b);

}  // namespace gradwire::record
