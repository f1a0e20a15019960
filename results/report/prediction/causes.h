#pragma once

#include <map>
#include <string>
#include <string_view>

/// Why outliers are off, as people have found it.
namespace gradwire::report {

/// By a point's key.
using Causes = std::map<std::string, std::string>;

/// Inside a folder of runs: a line for each cause, a point's key and then a sentence. Lines that begin
/// with '#' and empty ones say nothing.
inline constexpr const char* kCausesFile = "causes.txt";

/// Throws InputError with the place of a key without a sentence, and of one that comes twice. `name`
/// is the file's, for messages.
[[nodiscard]] Causes parse_causes(std::string_view file, const std::string& name);

}  // namespace gradwire::report
