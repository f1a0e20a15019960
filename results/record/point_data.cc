#include "results/record/point_data.h"

#include <algorithm>

#include <fmt/format.h>

#include "results/record/flags.h"
#include "results/record/store_error.h"

namespace gradwire::record {

void PointData::begin(PointRecord record) {
  // A simulation would choose the same again.
  const bool apart =
      record.training.has_value() && record.configuration.backing != Backing::simulated;
  if (sessions_.empty() || apart) {
    sessions_.push_back({std::move(record), {}});
  } else {
    sessions_.back().record = std::move(record);
  }
}

void PointData::add(const StoredSample& sample) {
  Session& session = session_of(sample.session);
  const std::pair place(sample.session, sample.iteration);
  if (session.last && place <= *session.last) {
    throw StoreError(fmt::format("comes after iteration {} of its point", session.last->second));
  }
  if (!session.builder.takes(sample.times)) {
    throw StoreError("has other buckets than its point");
  }
  if (!session.builder.empty() && session.last->first != sample.session) {
    session.builder.mark(std::string(kFlagResumed));
  }
  session.last = place;
  session.builder.add(sample.times);
}

void PointData::mark(std::size_t session, const std::string& flag) {
  session_of(session).builder.mark(flag);
}

std::optional<StoredPoint> PointData::point() const {
  for (auto session = sessions_.rbegin(); session != sessions_.rend(); ++session) {
    const RowBuilder& builder = session->builder;
    if (builder.empty()) continue;
    return StoredPoint{.record = session->record,
                       .row = builder.row(session->record),
                       .gst = {builder.gst().begin(), builder.gst().end()},
                       .iterations = {builder.iterations().begin(), builder.iterations().end()}};
  }
  return std::nullopt;
}

PointData::Session& PointData::session_of(std::size_t number) {
  if (sessions_.size() == 1 && sessions_.back().record.session == number) return sessions_.back();
  const PointRecord& newest = sessions_.back().record;
  if (!newest.training || newest.configuration.backing == Backing::simulated)
    return sessions_.back();
  const auto found = std::ranges::find(
      sessions_, number, [](const Session& session) { return session.record.session; });
  if (found == sessions_.end()) throw StoreError("is of a session that never began");
  return *found;
}

}  // namespace gradwire::record
