#pragma once

#include <stdexcept>

namespace gradwire::record {

/// Error: a line or file of a run folder cannot be read. what() gives the reason without the place,
/// as the predicate of a sentence: "is damaged: its checksum does not fit".
class StoreError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace gradwire::record
