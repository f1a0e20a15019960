#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gradwire::text {

/// What an experiment file calls an algorithm: a name and what it is told.
///
///     ring                        {"ring"}
///     ring(pieces=4)              {"ring", options {pieces: 4}}
///     ps(servers=2, dedicated)    {"ps", flags {dedicated}, options {servers: 2}}
struct Spec {
  std::string name;
  std::vector<std::string> flags;  ///< in the order written, each once
  std::map<std::string, std::string> options;

  friend bool operator==(const Spec&, const Spec&) = default;
};

/// Reads `name` or `name(argument, ...)`, an argument being `flag` or `key=value`. Names, flags and
/// keys are lower-case letters, digits and '-', and begin with a letter; values are letters, digits
/// and any of "._:+-". Spaces are allowed around every part. Throws InputError, without a place,
/// that says which part is wrong.
[[nodiscard]] Spec parse_spec(std::string_view text);

/// The one spelling of a Spec: flags as written, then options by key; "ps(dedicated, servers=2)".
[[nodiscard]] std::string to_string(const Spec& spec);

}  // namespace gradwire::text
