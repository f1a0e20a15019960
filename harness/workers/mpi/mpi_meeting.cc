#include "harness/workers/mpi/mpi_meeting.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "harness/workers/control.h"

namespace gradwire::workers {
namespace {

constexpr Rank kRoot{0};
constexpr int kQuestions = 40;

/// Correction that rank 0 tells a rank in the end: the same type as times that are asked for.
struct Correction {
  Nanoseconds::rep offset = 0;
  Nanoseconds::rep error = std::numeric_limits<Nanoseconds::rep>::max();
};

template <class Value>
std::string bytes_of(const Value& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <class Value>
Value value_of(const std::string& bytes) {
  Value value;
  ensure(bytes.size() == sizeof value, "a time is as long as a time");
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

void report(int control, std::span<const Rank> missing) {
  nlohmann::json ranks = nlohmann::json::array();
  for (const Rank rank : missing) ranks.push_back(rank.value);
  send_message(control, {Message::awaited, std::move(ranks)});
}

}  // namespace

MpiMeeting::MpiMeeting(MpiChannel& channel, int control,
                       const transport::Cancellation& cancellation)
    : channel_(channel),
      rendezvous_(channel, cancellation, clock_,
                  [control](std::span<const Rank> missing) { report(control, missing); }) {}

Nanoseconds MpiMeeting::agree_on_time() {
  return channel_.self() == kRoot ? time_others() : be_timed();
}

Nanoseconds MpiMeeting::time_others() {
  Nanoseconds::rep worst = 0;
  for (std::size_t i = 1; i < channel_.size(); ++i) {
    Correction best;
    for (int question = 0; question < kQuestions; ++question) {
      const Nanoseconds asked = clock_.now().time_since_epoch();
      channel_.send(Rank(i), "");
      const auto theirs = value_of<Nanoseconds::rep>(rendezvous_.await(Rank(i)).bytes);
      const Nanoseconds answered = clock_.now().time_since_epoch();
      const Nanoseconds::rep error = (answered - asked).count() / 2;
      if (error >= best.error) continue;
      best = {.offset = asked.count() + error - theirs, .error = error};
    }
    channel_.send(Rank(i), bytes_of(best));
    worst = std::max(worst, best.error);
  }
  return Nanoseconds(worst);
}

Nanoseconds MpiMeeting::be_timed() {
  for (;;) {
    const std::string question = rendezvous_.await(kRoot).bytes;
    if (question.empty()) {
      channel_.send(kRoot, bytes_of(clock_.now().time_since_epoch().count()));
      continue;
    }
    const auto correction = value_of<Correction>(question);
    clock_.move(Nanoseconds(correction.offset));
    return Nanoseconds(correction.error);
  }
}

}  // namespace gradwire::workers
