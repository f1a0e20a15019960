#pragma once

#include <functional>
#include <optional>

#include <nlohmann/json.hpp>

#include "results/report/metrics/metric.h"

/// Getters of metrics, made from members of the row and its parts. Times become microseconds, and
/// missing values null.
namespace gradwire::report {

[[nodiscard]] inline nlohmann::json as_value(Seconds time) {
  return time.count() * 1e6;
}

template <class Value>
[[nodiscard]] nlohmann::json as_value(const Value& value) {
  return value;
}

template <class Value>
[[nodiscard]] nlohmann::json as_value(const std::optional<Value>& value) {
  return value ? as_value(*value) : nlohmann::json();
}

template <auto Get>
[[nodiscard]] nlohmann::json of_row(const Subject& subject) {
  return as_value(std::invoke(Get, subject.row));
}

template <auto Get>
[[nodiscard]] nlohmann::json of_configuration(const Subject& subject) {
  return as_value(std::invoke(Get, subject.row.configuration));
}

/// Getter of a training row's value; null in a row that is no training job's.
template <auto Get>
[[nodiscard]] nlohmann::json of_training(const Subject& subject) {
  const auto& training = subject.row.training;
  return training ? as_value(std::invoke(Get, *training)) : nlohmann::json();
}

/// Getter of a wiring's value; null in a row whose wiring was not counted.
template <auto Get>
[[nodiscard]] nlohmann::json of_wiring(const Subject& subject) {
  const auto& wiring = subject.row.wiring;
  return wiring ? as_value(std::invoke(Get, *wiring)) : nlohmann::json();
}

/// A time of a Summary, in microseconds.
template <auto Member>
[[nodiscard]] nlohmann::json in_microseconds(const record::Summary& seconds) {
  return as_value(Seconds(seconds.*Member));
}

/// An end of the median's interval, in microseconds; null without an interval.
template <auto Member>
[[nodiscard]] nlohmann::json interval_end(const record::Summary& seconds) {
  const auto& interval = seconds.median_interval;
  return interval ? as_value(Seconds((*interval).*Member)) : nlohmann::json();
}

/// The confidence of the median's interval; null without an interval.
[[nodiscard]] inline nlohmann::json confidence(const record::Summary& seconds) {
  const auto& interval = seconds.median_interval;
  return interval ? nlohmann::json(interval->confidence) : nlohmann::json();
}

}  // namespace gradwire::report
