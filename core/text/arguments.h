#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/text/spec.h"
#include "core/units.h"

namespace gradwire::text {

/// One argument that a name may be given in its parentheses, as the name's row in a registry has
/// it: help, messages and `gradwire list` show the same that is read.
struct OptionForm {
  enum class Value : std::uint8_t {
    none,      ///< it stands alone: a flag
    number,    ///< a whole number above 0
    index,     ///< a whole number from 0, such as a rank's
    bytes,     ///< a size such as 25MiB, above 0
    decimal,   ///< a decimal number without an exponent
    duration,  ///< a time such as 45us
    word,      ///< whatever a value may be (spec.h)
  };
  std::string_view key;
  Value value = Value::none;
  /// What holds when it is left out: its value as a user would write it, or words where that
  /// depends on something. Empty for a flag.
  std::string_view otherwise = {};
  std::string_view about = {};  ///< what it says
};

/// As help shows it: "pieces=...", or "dedicated" for one without a value.
[[nodiscard]] std::string form_of(const OptionForm& option);
/// All of them with commas between: "nics=..., ecmp, seed=...".
[[nodiscard]] std::string forms_of(std::span<const OptionForm> options);

/// The values that a Spec gives to the options of a row. The options must outlive it. Everything
/// throws InputError, without a place, for what the user can mend.
class Arguments {
 public:
  /// `form` is how messages call the name: "ring", "bcube(n,k)". Throws for an argument that is
  /// none of `options`, for a flag with a value, for an option without one, and for a file.
  Arguments(std::string_view form, Spec spec, std::span<const OptionForm> options);

  /// Whether it is given, with or without a value.
  [[nodiscard]] bool has(std::string_view key) const;

  /// The value that is given, or the row's `otherwise`.
  [[nodiscard]] std::size_t number(std::string_view key) const;
  [[nodiscard]] std::uint64_t bytes(std::string_view key) const;
  [[nodiscard]] Nanoseconds duration(std::string_view key) const;
  /// Throws also for a number below `least` or above `most`.
  [[nodiscard]] double decimal(std::string_view key, double least, double most) const;

  /// The value that is given, or nothing: for a row that has words in its place.
  [[nodiscard]] std::optional<std::string> word(std::string_view key) const;
  /// The value that is given, or `otherwise`: for a row that has words in its place.
  [[nodiscard]] std::size_t number_or(std::string_view key, std::size_t otherwise) const;
  [[nodiscard]] std::size_t index_or(std::string_view key, std::size_t otherwise) const;
  [[nodiscard]] std::uint64_t bytes_or(std::string_view key, std::uint64_t otherwise) const;

 private:
  void check_known(std::string_view key, bool has_value) const;
  [[nodiscard]] std::string_view value_of(std::string_view key, OptionForm::Value value) const;
  [[noreturn]] void refuse(std::string_view why) const;

  std::string form_;
  Spec spec_;
  std::span<const OptionForm> options_;
};

/// Reads a whole number above 0. Throws InputError, without a place, that shows the text.
[[nodiscard]] std::size_t parse_count(std::string_view text);

}  // namespace gradwire::text
