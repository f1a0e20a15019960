#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "core/error.h"

namespace gradwire::commands {

/// A number of the command line. Throws InputError, without a place, for anything but a whole
/// number from `least` to `most`, in decimal digits.
[[nodiscard]] std::uint64_t parse_whole(const std::string& text, std::uint64_t least,
                                        std::uint64_t most);

/// A real number of the command line. Throws InputError, without a place, for anything but a
/// decimal number from `least` to `most`.
[[nodiscard]] double parse_real(const std::string& text, double least, double most);

/// The check of an option that takes a whole number, for transform(): CLI11 by itself takes -1 for
/// the largest number and 010 for 8. Help shows the bounds.
[[nodiscard]] CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);

/// The check of an option that takes a real number, for transform(): CLI11 by itself takes nan for
/// a number within any bounds. Help shows `bounds`.
[[nodiscard]] CLI::Validator real_number(double least, double most, const std::string& bounds);

/// The check of an option whose text `parse` reads later, for check(). An InputError of `parse`
/// becomes an error of the command line, which names the option. Help shows `bounds`.
template <class Parse>
[[nodiscard]] CLI::Validator readable(Parse parse, const std::string& bounds = "") {
  return CLI::Validator(
      [parse = std::move(parse)](std::string& text) -> std::string {
        try {
          static_cast<void>(parse(text));
          return {};
        } catch (const InputError& error) {
          return error.what();
        }
      },
      bounds);
}

}  // namespace gradwire::commands
