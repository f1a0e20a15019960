#pragma once

#include <cstddef>
#include <string>

#include "core/to_number.h"

/// What writer.cc writes and its judge knows.
namespace gradwire::record {

inline constexpr const char* kWriterFlag = "packet-loss";
inline constexpr std::size_t kTableLines = 600;

/// A table of more than a block, all of one number.
inline std::string table_of(std::size_t number) {
  std::string text;
  for (std::size_t i = 0; i < kTableLines; ++i) text += std::to_string(number) + ",row\n";
  return text;
}

/// The number of a table; 1000 for what is none.
inline std::size_t number_of_table(const std::string& text) {
  const std::size_t number =
      to_number<std::size_t>(std::string_view(text).substr(0, text.find(','))).value_or(0);
  return table_of(number) == text ? number : 1000;
}

}  // namespace gradwire::record
