#pragma once

#include <string>
#include <string_view>

namespace gradwire {

/// Six random letters or digits (0-9, a-z), for names that nobody else has.
[[nodiscard]] std::string random_id();

/// Whether random_id() could have returned `text`.
[[nodiscard]] bool is_random_id(std::string_view text);

}  // namespace gradwire
