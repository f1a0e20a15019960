#pragma once

#include <stdexcept>

namespace gradwire::workers {

/// The machine, or what the ranks agreed on, does not fit the experiment: exit code 5.
class Preflight : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace gradwire::workers
