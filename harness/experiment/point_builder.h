#pragma once

#include <optional>
#include <vector>

#include "core/text/yaml_document.h"
#include "harness/experiment/experiment.h"

namespace gradwire::experiment {

/// The points of an experiment: every setting of its sweep, taken apart. Every distinct wiring is
/// built once, to know its size. Throws InputError at its place in the document.
[[nodiscard]] std::vector<Point> build_points(const text::YamlDocument& document,
                                              const std::optional<Compute>& compute);

}  // namespace gradwire::experiment
