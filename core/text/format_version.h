#pragma once

#include <string>
#include <string_view>

#include "core/text/yaml_document.h"

namespace gradwire::text {

/// Refuses a document whose key `key` gives a version of its form newer than `known`, at the key's
/// place. Call it before any other check: a newer file is then refused for its version, not for its
/// first unknown key. A document without the key, or with no number there, is left to its schema.
/// Throws InputError.
void check_format_version(const YamlDocument& document, std::string_view key, int known);

/// The message about a newer version: "is of version 2; this gradwire reads version 1".
[[nodiscard]] std::string newer_version(std::string_view version, int known);

}  // namespace gradwire::text
