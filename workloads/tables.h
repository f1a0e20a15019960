#pragma once

#include <functional>
#include <map>
#include <string>

namespace gradwire::workloads {

/// The texts of files of this folder, by name without the ending.
using Texts = std::map<std::string, std::string, std::less<>>;

/// The model tables, as JSON text.
[[nodiscard]] const Texts& tables();
/// The published traces, as CSV text.
[[nodiscard]] const Texts& traces();

}  // namespace gradwire::workloads
