#include "core/plan_check_rules.h"

#include <algorithm>
#include <compare>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "core/count.h"

namespace gradwire::plan_check {
namespace {

/// The bounds within which every transfer of a run must stay.
struct Bounds {
  std::size_t ranks;
  std::size_t elements;
};

void check_transfer(const Place& place, const Peer& peer, const Extent& extent,
                    const Bounds& bounds, Findings& findings) {
  if (extent.empty()) findings.add(place.text() + ": empty extent");
  // The second test catches an end that has wrapped around.
  if (extent.end() > bounds.elements || extent.end() < extent.first) {
    findings.add(fmt::format("{}: {} reaches beyond {} elements", place.text(), text(extent),
                             bounds.elements));
  }
  if (peer.rank.index() >= bounds.ranks || peer.rank.index() == place.rank) {
    findings.add(fmt::format("{}: no peer {}", place.text(), peer.rank.index()));
  }
}

std::vector<Extent> written_in(const Step& step) {
  std::vector<Extent> extents;
  for (const Recv& recv : step.recvs) extents.push_back(recv.where);
  return merged(std::move(extents));
}

/// Finds sends of elements that the same step overwrites. Transfers of one step may happen in any
/// order, so their result must not depend on it.
void check_sends_apart(const Place& place, const Step& step, Findings& findings) {
  if (step.recvs.empty()) return;
  const std::vector<Extent> written = written_in(step);
  for (const Send& send : step.sends) {
    const std::vector<Extent> both = intersection({&send.what, 1}, written);
    if (!both.empty()) {
      findings.add(fmt::format("{}: sends {} and receives {}", place.text(), text(send.what),
                               text(both.front())));
    }
  }
}

/// Finds replaced elements at which something else arrives in the same step. Additions may meet:
/// they commute.
void check_receives_apart(const Place& place, const Step& step, Findings& findings) {
  std::vector<Recv> recvs = step.recvs;
  std::ranges::sort(recvs, {}, &Recv::where);
  Extent any;       // of the receives so far, the one that reaches furthest
  Extent replaced;  // of those that replace, the one that reaches furthest
  for (const Recv& recv : recvs) {
    const bool replaces = recv.how == Combine::replace;
    if (overlap(replaces ? any : replaced, recv.where)) {
      findings.add(
          fmt::format("{}: replaces {} and receives it again", place.text(), text(recv.where)));
    }
    if (recv.where.end() > any.end()) any = recv.where;
    if (replaces && recv.where.end() > replaced.end()) replaced = recv.where;
  }
}

/// The elements that a lane reads or writes, and those that it writes: ascending, apart.
struct Touched {
  std::vector<Extent> any;
  std::vector<Extent> written;
};

Touched touched_by(const Lane& lane) {
  Touched touched;
  for (const Step& step : lane) {
    for (const Send& send : step.sends) touched.any.push_back(send.what);
    for (const Recv& recv : step.recvs) touched.written.push_back(recv.where);
  }
  touched.any.insert(touched.any.end(), touched.written.begin(), touched.written.end());
  return {.any = merged(std::move(touched.any)), .written = merged(std::move(touched.written))};
}

/// Finds elements that one lane writes and another touches. Nothing makes one lane wait for
/// another.
void check_lanes_apart(std::size_t rank, const Plan& plan, Findings& findings) {
  if (plan.lanes.size() < 2) return;
  std::vector<Touched> lanes;
  for (const Lane& lane : plan.lanes) lanes.push_back(touched_by(lane));
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    for (std::size_t j = i + 1; j < lanes.size(); ++j) {
      std::vector<Extent> both = intersection(lanes[i].written, lanes[j].any);
      if (both.empty()) both = intersection(lanes[i].any, lanes[j].written);
      if (both.empty()) continue;
      findings.add(
          fmt::format("rank {}: lanes {} and {} both touch {}", rank, i, j, text(both.front())));
    }
  }
}

/// A transfer as both ends must describe it.
struct Transfer {
  std::size_t sender;
  std::size_t receiver;
  Port near;  ///< port of the sender
  Port far;
  Extent extent;
  friend constexpr auto operator<=>(const Transfer&, const Transfer&) = default;
};
using Transfers = std::span<const Transfer>;

/// The sends and the receives of a step of a lane over all ranks, in one order.
struct Sides {
  std::vector<Transfer> sent;
  std::vector<Transfer> received;
};

Sides sides_of(std::span<const Plan> plans, std::size_t lane, std::size_t step) {
  Sides sides;
  for (std::size_t rank = 0; rank < plans.size(); ++rank) {
    const auto& lanes = plans[rank].lanes;
    if (lane >= lanes.size() || step >= lanes[lane].size()) continue;
    for (const Send& send : lanes[lane][step].sends) {
      sides.sent.push_back({rank, send.to.rank.index(), send.to.via, send.to.at, send.what});
    }
    for (const Recv& recv : lanes[lane][step].recvs) {
      sides.received.push_back(
          {recv.from.rank.index(), rank, recv.from.at, recv.from.via, recv.where});
    }
  }
  std::ranges::sort(sides.sent);
  std::ranges::sort(sides.received);
  return sides;
}

std::string list(Transfers transfers) {
  std::string all;
  for (const Transfer& transfer : transfers) {
    all += fmt::format(" {} (port {} to port {})", text(transfer.extent), transfer.near.index(),
                       transfer.far.index());
  }
  return all.empty() ? std::string(" nothing") : all;
}

/// Compares the transfers that one rank sends another in a step with those that the other receives.
void check_pair(Transfers sent, Transfers received, const Place& step, Findings& findings) {
  if (std::ranges::equal(sent, received)) return;
  if (!sent.empty()) {
    findings.add(fmt::format("{}: sends rank {}{}, which receives{}",
                             Place{sent.front().sender, step.lane, step.step}.text(),
                             sent.front().receiver, list(sent), list(received)));
    return;
  }
  for (const Transfer& transfer : received) {
    findings.add(fmt::format("{}: receives {} from rank {}, which sends nothing",
                             Place{transfer.receiver, step.lane, step.step}.text(),
                             text(transfer.extent), transfer.sender));
  }
}

using Ends = std::pair<std::size_t, std::size_t>;

Ends ends_of(const Transfer& transfer) {
  return {transfer.sender, transfer.receiver};
}

/// Takes the transfers at the front that have these ends; `transfers` continues behind them.
Transfers take(Transfers& transfers, const Ends& ends) {
  std::size_t count = 0;
  while (count < transfers.size() && ends_of(transfers[count]) == ends) ++count;
  const Transfers taken = transfers.first(count);
  transfers = transfers.subspan(count);
  return taken;
}

void check_pairs(const Sides& sides, const Place& step, Findings& findings) {
  Transfers sent = sides.sent;
  Transfers received = sides.received;
  while (!sent.empty() || !received.empty()) {
    const bool from_sent =
        received.empty() || (!sent.empty() && ends_of(sent.front()) <= ends_of(received.front()));
    const Ends ends = ends_of(from_sent ? sent.front() : received.front());
    const Transfers ours = take(sent, ends);
    check_pair(ours, take(received, ends), step, findings);
  }
}

}  // namespace

void check_each_rank(std::span<const Plan> plans, std::size_t elements, Findings& findings) {
  const Bounds bounds{.ranks = plans.size(), .elements = elements};
  for_each_step(plans, [&](const Place& place, const Step& step) {
    for (const Send& send : step.sends) {
      check_transfer(place, send.to, send.what, bounds, findings);
    }
    for (const Recv& recv : step.recvs) {
      check_transfer(place, recv.from, recv.where, bounds, findings);
    }
    check_sends_apart(place, step, findings);
    check_receives_apart(place, step, findings);
  });
  for (std::size_t rank = 0; rank < plans.size(); ++rank) {
    check_lanes_apart(rank, plans[rank], findings);
  }
}

void check_matches(std::span<const Plan> plans, Findings& findings) {
  std::size_t lanes = 0;
  std::size_t steps = 0;
  for (const Plan& plan : plans) {
    lanes = std::max(lanes, plan.lanes.size());
    steps = std::max(steps, step_count(plan));
  }
  for (std::size_t step = 0; step < steps; ++step) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const Sides sides = sides_of(plans, lane, step);
      if (sides.sent != sides.received) {
        check_pairs(sides, {.rank = 0, .lane = lane, .step = step}, findings);
      }
    }
  }
}

}  // namespace gradwire::plan_check
