#pragma once

#include <span>
#include <string>

#include "harness/commands/registries.h"

/// Registries in words and columns. Every function returns text that ends with a newline.
namespace gradwire::commands {

/// A table of names and, where some have options, one of these. A column that is empty in every row
/// is left out.
[[nodiscard]] std::string list_table(const Registry& registry);
/// The same as Markdown: two tables with an empty line between.
[[nodiscard]] std::string list_markdown(const Registry& registry);
/// One object: a list of names under each registry's.
[[nodiscard]] std::string list_json(std::span<const Registry> registries);
/// What is typed of each name, a line each.
[[nodiscard]] std::string list_words(std::span<const Registry> registries);

}  // namespace gradwire::commands
