#pragma once

#include <string>

#include "tests/faults/loopback/run.h"
#include "tests/faults/loopback/scenario.h"

namespace gradwire::faults {

/// Whether a run ended as it must.
struct Judgement {
  std::string wrong_in;        ///< what is not as it must be; empty when all is
  bool accepts_wrong = false;  ///< a wrong sum passed the verification
};

[[nodiscard]] Judgement judge(const Scenario& scenario, const Outcome& outcome);

}  // namespace gradwire::faults
