#include "core/error.h"

#include <cerrno>
#include <system_error>

#include <fmt/core.h>

namespace gradwire {
namespace {

std::string located(const SourcePlace& place, const std::string& message) {
  if (place.file.empty()) return message;
  if (place.line == 0) return fmt::format("{}: {}", place.file, message);
  return fmt::format("{}:{}:{}: {}", place.file, place.line, place.column, message);
}

}  // namespace

std::string to_string(FabricFailure failure) {
  switch (failure) {
    case FabricFailure::peer_closed:
      return "peer closed";
    case FabricFailure::stalled:
      return "stalled";
    case FabricFailure::cancelled:
      return "cancelled";
    case FabricFailure::refused:
      return "refused";
  }
  throw InternalError("unknown FabricFailure");
}

std::string to_string(const FabricPlace& place) {
  std::string text;
  const auto add = [&text](const char* name, std::size_t number) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, number);
  };
  if (place.rank) add("rank", place.rank->index());
  if (place.peer) add("peer", place.peer->index());
  if (place.port) add("port", place.port->index());
  if (place.lane) add("lane", *place.lane);
  if (place.step) add("step", *place.step);
  return text;
}

namespace {

std::string described(const FabricPlace& place, FabricFailure failure, const std::string& detail) {
  const std::string where = to_string(place);
  return fmt::format("{}{}{}: {}", where, where.empty() ? "" : ": ", to_string(failure), detail);
}

}  // namespace

FabricError::FabricError(FabricFailure failure, FabricPlace place, const std::string& detail)
    : std::runtime_error(described(place, failure, detail)),
      failure_(failure),
      place_(place),
      detail_(detail) {}

InputError::InputError(const SourcePlace& place, const std::string& message)
    : std::runtime_error(located(place, message)), has_place_(!place.file.empty()) {}

SystemError::SystemError(const std::string& operation, int error_number)
    : std::runtime_error(
          fmt::format("{}: {}", operation, std::generic_category().message(error_number))),
      error_number_(error_number) {}

int checked(int result, const std::string& operation) {
  if (result == -1) throw SystemError(operation, errno);
  return result;
}

}  // namespace gradwire
