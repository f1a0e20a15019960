#pragma once

#include <string>
#include <string_view>

#include <fmt/core.h>

#include "core/error.h"
#include "tests/fuzz/fuzz.h"
#include "workloads/model.h"
#include "workloads/trace.h"

/// A trace is read, written, and read again; what is written then is the same text.
namespace gradwire::workloads {

/// A model that the profile fits.
inline Model model_of(const Profile& profile) {
  Model model{.name = "fuzz"};
  for (const Layer& layer : profile.layers) {
    for (const std::size_t elements : layer.tensors) {
      model.tensors.push_back(
          {.name = fmt::format("t{}", model.tensors.size()), .elements = elements});
    }
  }
  return model;
}

inline void check_trace(std::string_view text, const std::string& name) {
  const auto profile = fuzz::value_of<InputError>([&] { return parse_trace(text, name, nullptr); });
  if (!profile) return;
  fuzz::require(!profile->layers.empty(), "a trace has a layer");
  const Model model = model_of(*profile);
  const std::string written = to_csv(*profile, model);
  const auto again =
      fuzz::value_of<InputError>([&] { return parse_trace(written, "again.csv", &model); });
  fuzz::require(again.has_value(), "what was written of a trace is one");
  fuzz::require(to_csv(*again, model) == written, "a trace is read as it is written");
}

}  // namespace gradwire::workloads
