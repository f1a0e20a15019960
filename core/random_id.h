#pragma once

#include <string>

namespace gradwire {

/// Six random letters or digits (0-9, a-z), for names that nobody else has.
[[nodiscard]] std::string random_id();

}  // namespace gradwire
