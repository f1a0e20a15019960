#include "harness/workers/mpi/mpi_rendezvous.h"

#include <utility>

#include "core/error.h"
#include "harness/workers/mpi/backoff.h"

namespace gradwire::workers {
namespace {

using namespace std::chrono_literals;

constexpr Rank kRendezvousRoot{0};
constexpr Backoff::Limits kWaiting{.yields = 100us, .least = 20us, .most = 100us};
constexpr Nanoseconds kReportMissing = 1s;
constexpr Nanoseconds kReportMet = 500ms;

}  // namespace

MpiRendezvous::MpiRendezvous(MpiChannel& channel, const transport::Cancellation& cancellation,
                             const Clock& clock, Report report)
    : channel_(channel),
      cancellation_(cancellation),
      clock_(clock),
      report_(std::move(report)),
      reported_(clock.now()) {}

void MpiRendezvous::throw_if_cancelled() const {
  if (!cancellation_.requested()) return;
  throw FabricError(FabricFailure::cancelled, {.rank = channel_.self()},
                    "stopped while waiting for the other ranks");
}

MpiChannel::Message MpiRendezvous::await(std::optional<Rank> from) {
  const Backoff backoff(kWaiting, clock_);
  for (;;) {
    if (auto message = channel_.receive(from)) return std::move(*message);
    static_cast<void>(channel_.all_sent());
    throw_if_cancelled();
    backoff.pause();
  }
}

std::vector<std::string> MpiRendezvous::all_gather(const std::string& mine) {
  if (channel_.self() == kRendezvousRoot) return gather(mine);
  channel_.send(kRendezvousRoot, mine);
  auto all = from_bytes<std::vector<std::string>>(await(kRendezvousRoot).bytes);
  if (!all) throw InternalError("what was gathered is no list of texts");
  return *std::move(all);
}

std::vector<std::string> MpiRendezvous::gather(const std::string& mine) {
  std::vector<std::optional<std::string>> all(channel_.size());
  all[kRendezvousRoot.index()] = mine;
  const TimePoint since = clock_.now();
  const Backoff backoff(kWaiting, clock_);
  for (std::size_t missing = all.size() - 1; missing > 0;) {
    if (auto message = channel_.receive()) {
      all[message->from.index()] = std::move(message->bytes);
      --missing;
      continue;
    }
    throw_if_cancelled();
    report_missing(all, since);
    backoff.pause();
  }
  std::vector<std::string> gathered;
  for (auto& text : all) gathered.push_back(std::move(*text));
  const std::string bytes = to_bytes(gathered);
  for (std::size_t i = 1; i < all.size(); ++i) channel_.send(Rank(i), bytes);
  for (const Backoff sending(kWaiting, clock_); !channel_.all_sent(); sending.pause()) {
    throw_if_cancelled();
  }
  report_met();
  return gathered;
}

void MpiRendezvous::report_missing(const std::vector<std::optional<std::string>>& all,
                                   TimePoint since) {
  const TimePoint now = clock_.now();
  if (now - since < kReportMissing || now - reported_ < kReportMissing) return;
  reported_ = now;
  std::vector<Rank> missing;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i]) missing.emplace_back(i);
  }
  report_(missing);
}

void MpiRendezvous::report_met() {
  const TimePoint now = clock_.now();
  if (now - reported_ < kReportMet) return;
  reported_ = now;
  report_({});
}

void MpiRendezvous::barrier() {
  static_cast<void>(all_gather(""));
}

}  // namespace gradwire::workers
