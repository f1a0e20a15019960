#pragma once

#include <string>
#include <string_view>

/// Profile names of training jobs in which a program computes, in place of timed waits.
namespace gradwire::record {

/// The profile of a job in which a program computed `what`, and whose prediction uses the times of
/// another profile: "computed: two layers; predicted from measured: a stopwatch".
[[nodiscard]] std::string computed_profile(std::string_view what, std::string_view predicted_from);

/// Whether a job of this profile computed.
[[nodiscard]] bool is_computed(std::string_view profile);

/// The profile whose times predicted the job: for a computing job the one in its name, for any
/// other `profile` itself. Valid as long as `profile` is.
[[nodiscard]] std::string_view predicted_from(std::string_view profile);

}  // namespace gradwire::record
