#include "core/refused_thread.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <typeinfo>

namespace gradwire {

std::optional<SystemError> refused_thread(const std::exception& error) {
  // Of the exceptions that derive from it, files and streams have their own.
  if (typeid(error) != typeid(std::system_error)) return std::nullopt;
  const int number = dynamic_cast<const std::system_error&>(error).code().value();
  // Others are of fmt, which could not write.
  constexpr std::array kOfThreads{EAGAIN, EPERM, ENOSYS, ENOMEM};
  if (std::ranges::find(kOfThreads, number) == kOfThreads.end()) return std::nullopt;
  return SystemError("start a thread", number);
}

}  // namespace gradwire
