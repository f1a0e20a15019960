#pragma once

#include <string>
#include <string_view>

#include "core/text/yaml_document.h"

namespace gradwire::text {

/// Refuses a document whose key `key` says a newer version of its form than `known`, at its place,
/// whatever else in it this program does not understand. Asked before anything else is looked at: a
/// newer file is then told by its version, not by its first unknown key. A document without the key,
/// or with no number there, is left to its schema. Throws InputError.
void check_format_version(const YamlDocument& document, std::string_view key, int known);

/// "is of version 2; this gradwire reads version 1".
[[nodiscard]] std::string newer_version(std::string_view version, int known);

}  // namespace gradwire::text
