#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What a wiring's name has between its parentheses: "8, nics=2, ecmp".
namespace gradwire::topologies {

/// An option that a kind of wiring knows.
struct OptionForm {
  enum class Value { none, number, speed };
  std::string_view key;
  Value value = Value::none;
  std::string_view about = {};  ///< what it says
};

/// As help shows it: "nics=...", or "ecmp" for one without a value.
[[nodiscard]] std::string form_of(const OptionForm& option);

/// What a kind of wiring takes: from `fewest` to `most` numbers, then options in any order.
struct ParameterForm {
  std::string_view form;  ///< for messages: "bcube(n,k)"
  std::size_t fewest = 1;
  std::size_t most = 1;
  std::span<const OptionForm> options = {};
};

/// The numbers and options of one name.
struct Parameters {
  std::vector<std::size_t> numbers;
  std::map<std::string, std::size_t, std::less<>> counts;  ///< options that are whole numbers
  std::map<std::string, double, std::less<>> speeds;       ///< options that are speeds
  std::vector<std::string> flags;

  [[nodiscard]] bool has_flag(std::string_view key) const;
  [[nodiscard]] std::size_t count_or(std::string_view key, std::size_t otherwise) const;
  [[nodiscard]] double speed_or(std::string_view key, double otherwise) const;
};

inline constexpr double kMinSpeed = 0.001;
inline constexpr double kMaxSpeed = 10'000;

/// Reads `list`, the text between the parentheses of `whole`. Numbers are positive and whole; a
/// speed is decimal, from kMinSpeed to kMaxSpeed. Throws InputError for anything else, for an
/// unknown option (naming those that there are) and for one given twice.
[[nodiscard]] Parameters parse_parameters(std::string_view list, std::string_view whole,
                                          const ParameterForm& form);

/// `text` without spaces around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// The text as a message may show it: quoted, on one line, and not longer than a line.
[[nodiscard]] std::string shown(std::string_view text);
/// As a wiring's canonical name has it: "", or ",speed=2.5".
[[nodiscard]] std::string speed_suffix(double speed);

}  // namespace gradwire::topologies
