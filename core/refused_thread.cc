#include "core/refused_thread.h"

#include <system_error>
#include <typeinfo>

namespace gradwire {

std::optional<SystemError> refused_thread(const std::exception& error) {
  // Of the exceptions that derive from it, files and streams have their own.
  if (typeid(error) != typeid(std::system_error)) return std::nullopt;
  const std::error_code code = dynamic_cast<const std::system_error&>(error).code();
  // fmt, when it cannot write, says so before the code's text.
  if (code.message() != error.what()) return std::nullopt;
  return SystemError("start a thread", code.value());
}

}  // namespace gradwire
