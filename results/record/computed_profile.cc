#include "results/record/computed_profile.h"

#include <fmt/core.h>

namespace gradwire::record {
namespace {

constexpr std::string_view kComputed = "computed: ";
constexpr std::string_view kPredictedFrom = "; predicted from ";

}  // namespace

std::string computed_profile(std::string_view what, std::string_view predicted_from) {
  return fmt::format("{}{}{}{}", kComputed, what, kPredictedFrom, predicted_from);
}

bool is_computed(std::string_view profile) {
  return profile.starts_with(kComputed) && profile.find(kPredictedFrom) != std::string_view::npos;
}

std::string_view predicted_from(std::string_view profile) {
  if (!is_computed(profile)) return profile;
  return profile.substr(profile.find(kPredictedFrom) + kPredictedFrom.size());
}

}  // namespace gradwire::record
