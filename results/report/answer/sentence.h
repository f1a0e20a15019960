#pragma once

#include <span>
#include <string>

#include "results/record/stored_run.h"
#include "results/report/answer/contest.h"

/// Answers in plain English.
namespace gradwire::report {

/// One contest as a sentence without a full stop: "emulated, bml on bcube(3,2) synchronizes lenet5
/// (12.49 MiB) between 9 hosts in the least time, 2.345 ms; ring on single-switch(9) takes 4.682
/// ms, 1.997 times as long (...)". The contest must be of these runs.
[[nodiscard]] std::string contest_words(std::span<const record::StoredRun> runs,
                                        const Contest& contest);

/// Several contests of one question as a sentence: which entrant takes the least time in how many,
/// how clearly, by which factors, and how many rest on spoiled rows and on flagged ones.
[[nodiscard]] std::string tally_words(std::span<const record::StoredRun> runs,
                                      std::span<const Contest> contests);

}  // namespace gradwire::report
