#pragma once

#include <span>
#include <string>

#include "results/record/stored_run.h"
#include "results/report/answer/contest.h"

namespace gradwire::report {

/// Several matrices in one sentence, without a full stop: where and with which schedule each is
/// fastest, and how far ahead that is of the best elsewhere. Matrices of the same gradients that
/// differ only in batches and times share a clause: "vgg19 (548 MiB) in batches of 16 and 32 goes
/// fastest by ...". Where that takes more than kMostNamed clauses, and for several runs, backings
/// or numbers of hosts, wins are counted as in tally_words. Requires at least one.
[[nodiscard]] std::string matrices_words(std::span<const record::StoredRun> runs,
                                         std::span<const Contest> contests);

}  // namespace gradwire::report
