#include "harness/commands/exit_code.h"

#include "core/error.h"
#include "harness/workers/preflight.h"

namespace gradwire::commands {

ExitCode exit_code_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const InputError&) {
    return kExitUsage;
  } catch (const workers::Preflight&) {
    return kExitPreflight;
  } catch (const FabricError& failure) {
    const bool waited_in_vain = failure.failure() == FabricFailure::stalled ||
                                failure.failure() == FabricFailure::unanswered;
    return waited_in_vain ? kExitDeadline : kExitRunFailed;
  } catch (...) {
    return kExitRunFailed;
  }
}

}  // namespace gradwire::commands
