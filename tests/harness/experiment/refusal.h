#pragma once

#include <string>

#include "core/error.h"
#include "harness/experiment/experiment.h"

namespace gradwire::testing {

/// What is said of an experiment with this text, in a file x.yaml; empty when it is valid.
inline std::string refusal(const std::string& text) {
  try {
    static_cast<void>(experiment::load_experiment_text(text, "x.yaml"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// An experiment of a ring on two hosts with this workload, and `more` lines below; the workload stands in line 6.
inline std::string with_workload(const std::string& workload, const std::string& more = "") {
  return "gradwire: 1\nname: t\nlink: {rate: 1Gbit}\nwiring: single-switch(2)\nalgorithm: ring\n"
         "workload: \"" +
         workload + "\"\n" + more;
}

/// The text with the first `from` replaced.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace gradwire::testing
