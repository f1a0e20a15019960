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

/// The form of one argument that a name may take in its parentheses, given in the name's row of a
/// registry. Help, messages and `gradwire list` show the form that is read.
struct OptionForm {
  enum class Value : std::uint8_t {
    none,      ///< a flag: it stands alone
    number,    ///< a whole number above 0
    index,     ///< a whole number from 0, such as a rank's
    bytes,     ///< a size such as 25MiB, above 0
    decimal,   ///< a decimal number without an exponent
    duration,  ///< a time such as 45us
    word,      ///< any text that a value may be (spec.h)
  };
  std::string_view key;
  Value value = Value::none;
  /// The default, written like a user's value, or in words if it depends on something. Empty for a
  /// flag.
  std::string_view otherwise = {};
  std::string_view about = {};  ///< its meaning
};

/// The option in help's form: "pieces=...", or "dedicated" for one without a value.
[[nodiscard]] std::string form_of(const OptionForm& option);
/// The forms of all options, separated by commas: "nics=..., ecmp, seed=...".
[[nodiscard]] std::string forms_of(std::span<const OptionForm> options);

/// The values that a Spec gives to the options of a row. The options must outlive it. All functions
/// throw InputError, without a place, for mistakes that the user can mend.
class Arguments {
 public:
  /// Reads the Spec's arguments. `form` is the name in messages: "ring", "bcube(n,k)". Throws for
  /// an argument that is none of `options`, for a flag with a value, for an option without one, and
  /// for a file.
  Arguments(std::string_view form, Spec spec, std::span<const OptionForm> options);

  /// Whether the argument is given, with or without a value.
  [[nodiscard]] bool has(std::string_view key) const;

  /// The given value, or the row's `otherwise`.
  [[nodiscard]] std::size_t number(std::string_view key) const;
  [[nodiscard]] std::uint64_t bytes(std::string_view key) const;
  [[nodiscard]] Nanoseconds duration(std::string_view key) const;
  /// The given value, or the row's `otherwise`. Throws also for a number below `least` or above
  /// `most`.
  [[nodiscard]] double decimal(std::string_view key, double least, double most) const;

  /// The given value, or nothing, for a row whose `otherwise` is in words.
  [[nodiscard]] std::optional<std::string> word(std::string_view key) const;
  /// The given value, or `otherwise`, for a row whose `otherwise` is in words.
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
