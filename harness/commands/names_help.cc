#include "harness/commands/names_help.h"

#include <utility>

#include <fmt/core.h>

#include "core/error.h"
#include "harness/commands/registries.h"

namespace gradwire::commands {
namespace {

constexpr std::size_t kWidth = 80;

/// A registry as a paragraph, "wirings: bcube(n,k), fat-tree(p), ...", in lines that fit a
/// terminal.
std::string paragraph(const Registry& registry) {
  std::string text;
  std::string line = fmt::format("{}:", registry.name);
  std::string comma;
  for (const Listed& row : registry.rows()) {
    line += comma;
    if (line.size() + 2 + row.name.size() > kWidth) {
      text += line + "\n";
      line = "   ";
    }
    line += " " + row.name;
    comma = ",";
  }
  return text + line + "\n";
}

}  // namespace

std::function<std::string()> names_footer(std::vector<std::string_view> values) {
  return [values = std::move(values)] {
    std::string text;
    for (const std::string_view value : values) {
      const Registry* const registry = registry_of(value);
      ensure(registry != nullptr, "help names registries that there are");
      text += paragraph(*registry);
    }
    return text + "gradwire list says what each of them is, and which options it takes.";
  };
}

}  // namespace gradwire::commands
