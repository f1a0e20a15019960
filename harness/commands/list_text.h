#pragma once

#include <span>
#include <string>

#include "harness/commands/registries.h"

/// Texts and tables of registries. Every function returns text that ends with a newline.
namespace gradwire::commands {

/// A table of names and, where some have options, one of these. A column that is empty in every row
/// is left out.
[[nodiscard]] std::string list_table(const Registry& registry);
/// The names and options as Markdown: two tables with an empty line between.
[[nodiscard]] std::string list_markdown(const Registry& registry);
/// One JSON object: a list of names under each registry's name.
[[nodiscard]] std::string list_json(std::span<const Registry> registries);
/// The words to type for each name, a line each.
[[nodiscard]] std::string list_words(std::span<const Registry> registries);

}  // namespace gradwire::commands
