#pragma once

#include <span>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "results/record/stored_run.h"
#include "results/report/prediction/causes.h"

/// Predictions beside measurements, for people and for the page.
namespace gradwire::report {

/// The report of predictions: definitions, errors of all pairs and of those that share a wiring, an
/// algorithm and so on, every outlier with its cause, how many pairs each flag leaves out, and last
/// agreement_sentence. Where nothing was predicted, a sentence says so. Ends with a newline.
[[nodiscard]] std::string format_predictions(std::span<const record::StoredRun> runs,
                                             const Causes& causes);

/// The predictions for the page: `Predictions` of results/web/src/data.ts; null where nothing was
/// predicted.
[[nodiscard]] nlohmann::json predictions_json(std::span<const record::StoredRun> runs);

}  // namespace gradwire::report
