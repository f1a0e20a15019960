#include "harness/commands/utf8_arguments.h"

#include <string_view>

#include <fmt/core.h>

#include "core/error.h"
#include "core/text/text_check.h"

namespace gradwire::commands {

void require_utf8(std::span<char* const> arguments) {
  const std::string_view command = arguments.size() > 1 ? arguments[1] : "";
  if (command == "worker" || command == "enter-host") return;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (text::is_utf8(arguments[i])) continue;
    throw InputError(fmt::format("argument {} is not UTF-8: '{}'; give the file another name", i,
                                 text::plain_line(arguments[i])));
  }
}

}  // namespace gradwire::commands
