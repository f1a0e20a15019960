#include "harness/emulate/first_failure.h"

#include <cerrno>

namespace gradwire::emulate {
namespace {

constexpr int kSignalled = 128;
constexpr int kNotFound = 127;
constexpr int kNotExecutable = 126;

}  // namespace

int exit_code_of(const testbed::Ending& ending) {
  return ending.signal ? kSignalled + *ending.signal : ending.exit_code;
}

int exit_code_of_refusal(int error_number) {
  return error_number == ENOENT ? kNotFound : kNotExecutable;
}

bool FirstFailure::note(const testbed::Ending& ending) {
  const int code = exit_code_of(ending);
  if (has_shell_ || ends_all() || code == 0) return false;
  code_ = code;
  return true;
}

void FirstFailure::note_shell(const testbed::Ending& ending) {
  if (!ends_all()) code_ = exit_code_of(ending);
}

int FirstFailure::exit_code() const {
  if (interrupt_) return kSignalled + *interrupt_;
  return code_.value_or(0);
}

}  // namespace gradwire::emulate
