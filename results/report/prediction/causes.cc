#include "results/report/prediction/causes.h"

#include <cstddef>
#include <sstream>

#include <fmt/format.h>

#include "core/error.h"
#include "core/text/text_check.h"

namespace gradwire::report {

Causes parse_causes(std::string_view file, const std::string& name) {
  Causes causes;
  std::istringstream lines{std::string(file)};
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::string_view content = text::trimmed(line);
    if (content.empty() || content.starts_with('#')) continue;
    const SourcePlace place{.file = name, .line = number, .column = 1};
    const std::size_t end = content.find_first_of(" \t");
    if (end == std::string_view::npos) {
      throw InputError(place, "a cause is a point's key and then a sentence");
    }
    const auto [known, is_new] =
        causes.emplace(content.substr(0, end), text::trimmed(content.substr(end)));
    if (!is_new) throw InputError(place, fmt::format("{} has a cause already", known->first));
  }
  return causes;
}

}  // namespace gradwire::report
