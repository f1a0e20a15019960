#include "core/text/format_version.h"

#include <fmt/core.h>

#include "core/error.h"
#include "core/to_number.h"

namespace gradwire::text {

void check_format_version(const YamlDocument& document, std::string_view key, int known) {
  const YamlEntry* const entry = document.root.find(key);
  if (entry == nullptr || to_number<int>(entry->value.text).value_or(0) <= known) return;
  throw InputError(document.place(entry->value.position),
                   fmt::format("the file {}", newer_version(entry->value.text, known)));
}

std::string newer_version(std::string_view version, int known) {
  return fmt::format("is of version {}; this gradwire reads version {}", version, known);
}

}  // namespace gradwire::text
