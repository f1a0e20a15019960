#pragma once

#include <string>
#include <string_view>

/// Where computing times of a training job come from when a program computed, in place of timed waits.
namespace gradwire::record {

/// "computed: two layers; predicted from measured: a stopwatch": the profile of a job in which a
/// program computed `what`, and whose prediction goes by the times of another profile.
[[nodiscard]] std::string computed_profile(std::string_view what, std::string_view predicted_from);

/// Whether a program computed in the job of this profile.
[[nodiscard]] bool is_computed(std::string_view profile);

/// The profile that such a job was predicted from; of any other job its own. Valid as long as
/// `profile` is.
[[nodiscard]] std::string_view predicted_from(std::string_view profile);

}  // namespace gradwire::record
