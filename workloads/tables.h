#pragma once

#include <functional>
#include <map>
#include <string>

namespace gradwire::workloads {

/// The model tables of this folder, by name, as JSON text.
[[nodiscard]] const std::map<std::string, std::string, std::less<>>& tables();

}  // namespace gradwire::workloads
