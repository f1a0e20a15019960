#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// What the test of the fuzz targets knows of them.
namespace gradwire::fuzz {

struct Target {
  const char* name;
  int (*run)(const std::uint8_t* data, std::size_t size);
};

const std::vector<Target>& targets();

}  // namespace gradwire::fuzz
