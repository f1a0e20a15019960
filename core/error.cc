#include "core/error.h"

#include <cerrno>
#include <string_view>
#include <system_error>

#include <fmt/core.h>
#include <sys/resource.h>

#include "core/name_table.h"

namespace gradwire {
namespace {

constexpr NameTable<FabricFailure, 7> kFailures({
    {"peer closed", FabricFailure::peer_closed},
    {"stalled", FabricFailure::stalled},
    {"cancelled", FabricFailure::cancelled},
    {"refused", FabricFailure::refused},
    {"link down", FabricFailure::link_down},
    {"corrupted", FabricFailure::corrupted},
    {"no answer", FabricFailure::unanswered},
});

std::string located(const SourcePlace& place, const std::string& message) {
  if (place.file.empty()) return message;
  if (place.line == 0) return fmt::format("{}: {}", place.file, message);
  return fmt::format("{}:{}:{}: {}", place.file, place.line, place.column, message);
}

std::string described(const FabricPlace& place, FabricFailure failure, const std::string& detail) {
  const std::string where = to_string(place);
  return fmt::format("{}{}{}: {}", where, where.empty() ? "" : ": ", to_string(failure), detail);
}

/// The soft limit and its name: " (ulimit -n is 20)".
std::string value_of_limit(int resource, const char* name) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return "";
  return fmt::format(" ({} is {})", name, limit.rlim_cur);
}

/// The limit that was reached, where an errno tells.
std::string limit_behind(const std::string& operation, int error_number) {
  const bool starts = operation == "fork" || operation.starts_with("start ");
  if (error_number == EMFILE) return value_of_limit(RLIMIT_NOFILE, "ulimit -n");
  if (error_number == ENFILE) return " (fs.file-max of this machine)";
  if (error_number == ENOMEM) return value_of_limit(RLIMIT_AS, "the limit of ulimit -v, in bytes,");
  if (error_number == EPERM && operation.starts_with("start a thread")) {
    return " (clone3 is refused: the container's seccomp profile is older than its C library)";
  }
  if (error_number != EAGAIN || !starts) return "";
  return " (ulimit -u, ulimit -v or pids.max of the cgroup allows no more)";
}

}  // namespace

std::string to_string(FabricFailure failure) {
  return std::string(kFailures.name_of(failure));
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

FabricError::FabricError(FabricFailure failure, FabricPlace place, const std::string& detail)
    : std::runtime_error(described(place, failure, detail)),
      failure_(failure),
      place_(place),
      detail_(detail) {}

InputError::InputError(const SourcePlace& place, const std::string& message)
    : std::runtime_error(located(place, message)), has_place_(!place.file.empty()) {}

SystemError::SystemError(const std::string& operation, int error_number)
    : std::runtime_error(fmt::format("{}: {}{}", operation,
                                     std::generic_category().message(error_number),
                                     limit_behind(operation, error_number))),
      error_number_(error_number) {}

void throw_bug(const char* what, std::source_location where) {
  throw InternalError(
      fmt::format("bug at {}:{}: expected that {}", where.file_name(), where.line(), what));
}

int checked(int result, const std::string& operation) {
  if (result == -1) throw SystemError(operation, errno);
  return result;
}

}  // namespace gradwire
