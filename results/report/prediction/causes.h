#pragma once

#include <map>
#include <string>
#include <string_view>

/// Causes of outliers, as people have found them.
namespace gradwire::report {

/// Causes by the key of their point.
using Causes = std::map<std::string, std::string>;

/// Name of the causes file in a folder of runs. Each of its lines has a point's key and then a
/// sentence; empty lines and those that begin with '#' are skipped.
inline constexpr const char* kCausesFile = "causes.txt";

/// Parses a causes file, which messages call `name`. Throws InputError with the place of a key
/// without a sentence, and of one that comes twice.
[[nodiscard]] Causes parse_causes(std::string_view file, const std::string& name);

}  // namespace gradwire::report
