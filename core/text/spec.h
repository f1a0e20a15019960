#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gradwire::text {

/// A name and what stands in its parentheses, taken apart but not judged: "bcube(3, 2)" is
/// {"bcube", {"3", "2"}}. Views into the text that was read, without spaces around them.
struct Call {
  std::string_view name;
  std::vector<std::string_view> arguments;  ///< empty without parentheses
};

/// How a Call's parentheses are read.
enum class Parentheses {
  list,  ///< arguments between commas
  path,  ///< one argument, which may hold commas and parentheses
};

/// Takes `name` or `name(argument, ...)` apart. Throws InputError when the parentheses are not
/// closed, hold nothing, or hold more than kMostArguments arguments, and when text follows them, also
/// for those of an argument; it
/// says what is wrong, and leaves it to the caller to say with which text.
[[nodiscard]] Call parse_call(std::string_view text, Parentheses parentheses = Parentheses::list);
inline constexpr std::size_t kMostArguments = 64;

/// What an experiment file calls an algorithm: a name and what it is told.
///
///     ring                        {"ring"}
///     ring(pieces=4)              {"ring", options {pieces: 4}}
///     ps(servers=2, dedicated)    {"ps", flags {dedicated}, options {servers: 2}}
///     grid(4x2, rows=reduce(root=1))
///                                 {"grid", flags {4x2}, options {rows: "reduce(root=1)"}}
///     plan(mine/ring.json)        {"plan", file "mine/ring.json"}
struct Spec {
  std::string name;
  std::string file = {};           ///< empty, unless it is told a file alone
  std::vector<std::string> flags;  ///< in the order written, each once
  std::map<std::string, std::string> options;

  friend bool operator==(const Spec&, const Spec&) = default;
};

/// Reads `name` or `name(argument, ...)`, an argument being `flag` or `key=value`, or `name(file)`.
/// Names, flags and keys are lower-case letters, digits and '-', and begin with a letter, a flag also
/// with a digit; values are letters, digits and any of "._:+-/", or a name with parentheses of its own
/// that hold none, which is kept in its one spelling. What has a '.' or '/' before any '=' is a file's path; it
/// holds no quotes, backslashes or control characters. Spaces are allowed around every part. Throws
/// InputError, without a place, that says which part is wrong.
[[nodiscard]] Spec parse_spec(std::string_view text);

/// The same of a name and arguments that are taken apart already.
[[nodiscard]] Spec make_spec(std::string_view name, std::span<const std::string_view> arguments);

/// The one spelling of a Spec: the file, or flags as written, then options by key;
/// "ps(dedicated, servers=2)".
[[nodiscard]] std::string to_string(const Spec& spec);

}  // namespace gradwire::text
