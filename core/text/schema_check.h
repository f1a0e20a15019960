#pragma once

#include <string_view>

#include "core/text/yaml_document.h"

namespace gradwire::text {

/// Throws InputError at the first key or value of the document that a JSON Schema (draft-07) does
/// not allow. The message is made from the schema: its keys for an unknown key ("did you mean"),
/// and its own keyword "x-expects" for a value. Plain scalars are null, booleans and numbers as in
/// YAML 1.2's core schema, less its octal and hexadecimal numbers; everything else is text.
/// Understands local references ("#/definitions/..."). Throws InternalError for an invalid schema.
void check_against_schema(const YamlDocument& document, std::string_view schema);

}  // namespace gradwire::text
