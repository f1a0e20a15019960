#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "results/claims/claim.h"
#include "results/claims/runs.h"
#include "results/record/row.h"

/// Runs made by hand, for claims to be judged on.
namespace gradwire::claims::testing {

/// The finding of claim `number` on these runs.
inline Finding judge_number(std::size_t number, const Runs& runs) {
  return judge(claims()[number - 1], runs);
}

/// A run whose links carry 1e9 elements of 4 bytes per second.
inline Run run_of(std::string experiment) {
  return {.experiment = std::move(experiment), .payload = {32e9}, .rows = {}};
}

/// A row that synchronized 1e9 elements in `t_f` T_F, which are seconds here.
inline record::Row row_of(record::Backing backing, std::string algorithm, std::string wiring,
                          std::size_t ranks, double t_f) {
  record::Row row;
  row.configuration = {.backing = backing,
                       .wiring = std::move(wiring),
                       .algorithm = std::move(algorithm),
                       .ranks = ranks,
                       .ports_per_host = 1,
                       .elements = 1'000'000'000};
  row.gst.n = 10;
  row.gst.median = t_f;
  row.bound = Seconds(t_f);
  row.wrong = 0;
  return row;
}

/// A row of a training job whose iterations take so many seconds, half of them computing.
inline record::Row job_of(record::Backing backing, std::string wiring, std::string schedule,
                          double iteration) {
  record::Row row = row_of(backing, "ring", std::move(wiring), 8, iteration / 2);
  row.configuration.schedule = std::move(schedule);
  row.training = record::TrainingRow{};
  row.training->iteration.median = iteration;
  row.training->compute = Seconds(iteration / 2);
  row.training->plan.predicted.iteration = Seconds(iteration);
  row.training->bucket_gst = {Seconds(iteration / 2)};
  return row;
}

}  // namespace gradwire::claims::testing
