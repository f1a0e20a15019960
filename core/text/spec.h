#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gradwire::text {

/// A name and the arguments in its parentheses, split but not judged: "bcube(3, 2)" is {"bcube",
/// {"3", "2"}}. The parts are views into the text that was read, without surrounding spaces.
struct Call {
  std::string_view name;
  std::vector<std::string_view> arguments;  ///< empty without parentheses
};

/// The way to read a Call's parentheses.
enum class Parentheses {
  list,  ///< arguments between commas
  path,  ///< one argument, which may hold commas and parentheses
};

/// Splits `name` or `name(argument, ...)`. Throws InputError if the parentheses are not closed, are
/// empty, or hold more than kMostArguments arguments, and if text follows them, also for the
/// parentheses of an argument. The message says what is wrong; the caller adds with which text.
[[nodiscard]] Call parse_call(std::string_view text, Parentheses parentheses = Parentheses::list);
inline constexpr std::size_t kMostArguments = 64;

/// The name of an algorithm in an experiment file, with its arguments.
///
///     ring                        {"ring"}
///     ring(pieces=4)              {"ring", options {pieces: 4}}
///     ps(servers=2, dedicated)    {"ps", flags {dedicated}, options {servers: 2}}
///     grid(4x2, rows=reduce(root=1))
///                                 {"grid", flags {4x2}, options {rows: "reduce(root=1)"}}
///     plan(mine/ring.json)        {"plan", file "mine/ring.json"}
struct Spec {
  std::string name;
  std::string file = {};           ///< empty, unless a file is the only argument
  std::vector<std::string> flags;  ///< in the order written, each once
  std::map<std::string, std::string> options;

  friend bool operator==(const Spec&, const Spec&) = default;
};

/// Reads `name` or `name(argument, ...)`, an argument being `flag` or `key=value`, or `name(file)`.
/// Names, flags and keys are lower-case letters, digits and '-', and begin with a letter, a flag
/// also with a digit. Values are letters, digits and any of "._:+-/", or a name with parentheses of
/// its own that hold none, which is kept in its one spelling. An argument with a '.' or '/' before
/// any '=' is a file's path; it holds no quotes, backslashes or control characters. Spaces are
/// allowed around every part. Throws InputError, without a place, that says which part is wrong.
[[nodiscard]] Spec parse_spec(std::string_view text);

/// Makes the Spec of a name and arguments that are split already. Throws like parse_spec().
[[nodiscard]] Spec make_spec(std::string_view name, std::span<const std::string_view> arguments);

/// The one spelling of a Spec: the file, or flags as written, then options by key;
/// "ps(dedicated, servers=2)".
[[nodiscard]] std::string to_string(const Spec& spec);

}  // namespace gradwire::text
