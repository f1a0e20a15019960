#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/text/yaml_document.h"

namespace gradwire::experiment {

/// The value of a key of one point, as written, and where.
struct Setting {
  std::string text;
  SourcePlace place;
};

/// Settings of one point in the file, by key: only keys that may be swept (algorithm, wiring,
/// workload, elements, size, dtype, batch, schedule).
using Settings = std::map<std::string, Setting>;

/// The points of an experiment that matches the schema: the fixed keys alone, or every combination
/// of the product lists with every position of the zip lists; the first product key changes
/// slowest, the zip position fastest. Throws InputError for a key that is given in two of these
/// ways, zip lists of unequal length, a list item that a comma broke ("[bcube(3,2)]" is two), and
/// more than kMaxPoints points.
[[nodiscard]] std::vector<Settings> expand_points(const text::YamlDocument& document);

}  // namespace gradwire::experiment
