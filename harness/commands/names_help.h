#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gradwire::commands {

/// The end of a command's help: a paragraph with the names of each registry that `values` name
/// (harness/commands/registries.h). The registries are read when help is asked for.
[[nodiscard]] std::function<std::string()> names_footer(std::vector<std::string_view> values);

}  // namespace gradwire::commands
