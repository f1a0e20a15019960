#pragma once

#include <stdexcept>

namespace gradwire::record {

/// A line or file of a run folder that cannot be read. what() says why, without the place, and
/// continues a sentence that begins with it: "is damaged: its checksum does not fit".
class StoreError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace gradwire::record
