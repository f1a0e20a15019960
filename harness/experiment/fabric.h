#pragma once

#include <cstddef>
#include <cstdint>

#include "core/error.h"
#include "core/text/yaml_reader.h"

namespace gradwire::experiment {

/// Handling of what exceeds the bytes that a switch holds for a port. It takes no simulated time,
/// and decides which rows are flagged.
struct Fabric {
  std::uint64_t buffer = 0;    ///< bytes that a switch holds for a port
  bool is_lossless = false;    ///< whether what does not fit is held back; else it is dropped
  SourcePlace dropping_place;  ///< nowhere unless the file says that it is dropped
};

/// Reads the keys `fabric` of an experiment and `buffer` of its `link`; a buffer that is not said
/// holds 100 packets of `mtu` bytes. Throws InputError with its place.
[[nodiscard]] Fabric read_fabric(const text::YamlReader& experiment, const text::YamlReader& link,
                                 std::size_t mtu);

}  // namespace gradwire::experiment
