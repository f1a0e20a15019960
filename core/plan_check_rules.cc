#include "core/plan_check_rules.h"

#include <algorithm>
#include <compare>
#include <string>
#include <vector>

#include <fmt/core.h>

namespace gradwire::plan_check {
namespace {

/// What every transfer of a run must stay within.
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

/// Transfers of one step may happen in any order, so their result must not depend on it. Reading an
/// element that the same step overwrites would, and so would replacing an element while something
/// else arrives there. Additions may meet: they commute.
void check_step(const Place& place, const Step& step, Findings& findings) {
  for (std::size_t i = 0; i < step.recvs.size(); ++i) {
    const Recv& recv = step.recvs[i];
    for (const Send& send : step.sends) {
      if (overlap(send.what, recv.where)) {
        findings.add(fmt::format("{}: sends {} and receives {}", place.text(), text(send.what),
                                 text(recv.where)));
      }
    }
    for (std::size_t j = i + 1; j < step.recvs.size(); ++j) {
      const Recv& other = step.recvs[j];
      const bool replaces = recv.how == Combine::replace || other.how == Combine::replace;
      if (replaces && overlap(recv.where, other.where)) {
        findings.add(
            fmt::format("{}: replaces {} and receives it again", place.text(), text(recv.where)));
      }
    }
  }
}

/// What a lane touches, and whether it writes there.
struct Touch {
  Extent extent;
  bool writes;
};

std::vector<Touch> touches_of(const Lane& lane) {
  std::vector<Touch> touches;
  for (const Step& step : lane) {
    for (const Send& send : step.sends) touches.push_back({send.what, false});
    for (const Recv& recv : step.recvs) touches.push_back({recv.where, true});
  }
  return touches;
}

/// Nothing makes one lane wait for another, so what one writes no other may touch.
void check_lanes_apart(std::size_t rank, const Plan& plan, Findings& findings) {
  std::vector<std::vector<Touch>> touches;
  for (const Lane& lane : plan.lanes) touches.push_back(touches_of(lane));
  for (std::size_t i = 0; i < touches.size(); ++i) {
    for (std::size_t j = i + 1; j < touches.size(); ++j) {
      for (const Touch& a : touches[i]) {
        for (const Touch& b : touches[j]) {
          if ((a.writes || b.writes) && overlap(a.extent, b.extent)) {
            findings.add(
                fmt::format("rank {}: lanes {} and {} both touch {}", rank, i, j, text(a.extent)));
          }
        }
      }
    }
  }
}

const Step* step_of(std::span<const Plan> plans, const Place& place) {
  if (place.rank >= plans.size()) return nullptr;
  const Plan& plan = plans[place.rank];
  if (place.lane >= plan.lanes.size()) return nullptr;
  const Lane& lane = plan.lanes[place.lane];
  return place.step < lane.size() ? &lane[place.step] : nullptr;
}

/// A transfer as both ends must describe it.
struct Transfer {
  std::size_t peer;
  Port near;
  Port far;
  Extent extent;
  friend constexpr auto operator<=>(const Transfer&, const Transfer&) = default;
};

/// What `step` sends to `peer`, as the sender sees it.
std::vector<Transfer> sent_to(const Step* step, std::size_t peer) {
  std::vector<Transfer> transfers;
  if (step == nullptr) return transfers;
  for (const Send& send : step->sends) {
    if (send.to.rank.index() == peer) {
      transfers.push_back({peer, send.to.via, send.to.at, send.what});
    }
  }
  std::ranges::sort(transfers);
  return transfers;
}

/// What `step` of `peer` receives from `rank`, as the sender must see it.
std::vector<Transfer> received_from(const Step* step, std::size_t rank, std::size_t peer) {
  std::vector<Transfer> transfers;
  if (step == nullptr) return transfers;
  for (const Recv& recv : step->recvs) {
    if (recv.from.rank.index() == rank) {
      transfers.push_back({peer, recv.from.at, recv.from.via, recv.where});
    }
  }
  std::ranges::sort(transfers);
  return transfers;
}

void check_pair(std::span<const Plan> plans, const Place& sender, std::size_t receiver,
                Findings& findings) {
  const auto sent = sent_to(step_of(plans, sender), receiver);
  const auto received =
      received_from(step_of(plans, {receiver, sender.lane, sender.step}), sender.rank, receiver);
  if (sent == received) return;
  const auto list = [](const std::vector<Transfer>& transfers) {
    std::string all;
    for (const Transfer& transfer : transfers) {
      all += fmt::format(" {} (port {} to port {})", text(transfer.extent), transfer.near.index(),
                         transfer.far.index());
    }
    return all.empty() ? std::string(" nothing") : all;
  };
  findings.add(fmt::format("{}: sends rank {}{}, which receives{}", sender.text(), receiver,
                           list(sent), list(received)));
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
    check_step(place, step, findings);
  });
  for (std::size_t rank = 0; rank < plans.size(); ++rank) {
    check_lanes_apart(rank, plans[rank], findings);
  }
}

void check_matches(std::span<const Plan> plans, Findings& findings) {
  for_each_step(plans, [&](const Place& place, const Step& step) {
    std::vector<std::size_t> receivers;
    for (const Send& send : step.sends) receivers.push_back(send.to.rank.index());
    std::ranges::sort(receivers);
    const auto repeated = std::ranges::unique(receivers);
    receivers.erase(repeated.begin(), repeated.end());
    for (const std::size_t receiver : receivers) check_pair(plans, place, receiver, findings);
    for (const Recv& recv : step.recvs) {  // a receive whose sender has no send at all
      const Place sender{recv.from.rank.index(), place.lane, place.step};
      if (sent_to(step_of(plans, sender), place.rank).empty()) {
        findings.add(fmt::format("{}: receives {} from rank {}, which sends nothing", place.text(),
                                 text(recv.where), sender.rank));
      }
    }
  });
}

}  // namespace gradwire::plan_check
