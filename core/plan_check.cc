#include "core/plan_check.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "core/count.h"

namespace gradwire {
namespace {

constexpr std::size_t kMostFindings = 20;

std::string text(const Extent& extent) {
  return fmt::format("[{}, {})", extent.first, extent.end());
}

/// One step of one lane of one rank: where a finding is.
struct Place {
  std::size_t rank;
  std::size_t lane;
  std::size_t step;

  [[nodiscard]] std::string text() const {
    return fmt::format("rank {}, lane {}, step {}", rank, lane, step);
  }
};

class Findings {
 public:
  void add(std::string finding) {
    if (list_.size() < kMostFindings) list_.push_back(std::move(finding));
  }
  [[nodiscard]] bool empty() const { return list_.empty(); }
  [[nodiscard]] std::vector<std::string> take() { return std::move(list_); }

 private:
  std::vector<std::string> list_;
};

/// Calls visit(place, step) for every step of every lane of every rank.
template <class Visit>
void for_each_step(std::span<const Plan> plans, Visit visit) {
  for (std::size_t rank = 0; rank < plans.size(); ++rank) {
    for (std::size_t lane = 0; lane < plans[rank].lanes.size(); ++lane) {
      const Lane& steps = plans[rank].lanes[lane];
      for (std::size_t step = 0; step < steps.size(); ++step) {
        visit(Place{rank, lane, step}, steps[step]);
      }
    }
  }
}

// --- each rank by itself -------------------------------------------------------------------------

void check_transfer(const Place& place, const Peer& peer, const Extent& extent, std::size_t ranks,
                    std::size_t elements, Findings& findings) {
  if (extent.empty()) findings.add(place.text() + ": empty extent");
  if (extent.end() > elements || extent.end() < extent.first) {
    findings.add(
        fmt::format("{}: {} reaches beyond {} elements", place.text(), text(extent), elements));
  }
  if (peer.rank.index() >= ranks || peer.rank.index() == place.rank) {
    findings.add(fmt::format("{}: no peer {}", place.text(), peer.rank.index()));
  }
}

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

// --- all ranks together --------------------------------------------------------------------------

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

// --- symbolic execution --------------------------------------------------------------------------

/// For every rank and every atom (a run of elements that no extent cuts): the set of ranks whose
/// contribution it holds.
class Contributions {
 public:
  Contributions(std::span<const Plan> plans, std::size_t elements)
      : ranks_(plans.size()), words_((plans.size() + 63) / 64), cuts_{0, elements} {
    for_each_step(plans, [this](const Place&, const Step& step) {
      for (const Send& send : step.sends)
        cuts_.insert(cuts_.end(), {send.what.first, send.what.end()});
      for (const Recv& recv : step.recvs)
        cuts_.insert(cuts_.end(), {recv.where.first, recv.where.end()});
    });
    std::ranges::sort(cuts_);
    const auto repeated = std::ranges::unique(cuts_);
    cuts_.erase(repeated.begin(), repeated.end());
    bits_.assign(ranks_ * atoms() * words_, 0);
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      if (plans[rank].role != Role::worker) continue;
      for (std::size_t atom = 0; atom < atoms(); ++atom) {
        at(rank, atom)[rank / 64] |= std::uint64_t{1} << (rank % 64);
      }
    }
  }

  [[nodiscard]] std::size_t atoms() const { return cuts_.size() - 1; }
  [[nodiscard]] Extent atom(std::size_t index) const {
    return {cuts_[index], cuts_[index + 1] - cuts_[index]};
  }
  [[nodiscard]] std::span<std::uint64_t> at(std::size_t rank, std::size_t atom) {
    return std::span(bits_).subspan((rank * atoms() + atom) * words_, words_);
  }

  /// Combines what `sender` holds in `extent` into `receiver`. Returns the first atom where an
  /// addition counts a contribution twice.
  std::optional<std::size_t> transfer(std::size_t sender, std::size_t receiver,
                                      const Extent& extent, Combine how) {
    std::optional<std::size_t> twice;
    for (std::size_t a = index_of(extent.first); a < index_of(extent.end()); ++a) {
      const auto source = at(sender, a);
      const auto target = at(receiver, a);
      for (std::size_t word = 0; word < words_; ++word) {
        const bool counted = how == Combine::add && (source[word] & target[word]) != 0;
        if (counted && !twice) twice = a;
        target[word] = how == Combine::add ? (source[word] | target[word]) : source[word];
      }
    }
    return twice;
  }

 private:
  [[nodiscard]] std::size_t index_of(std::size_t cut) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(cuts_, cut) - cuts_.begin());
  }

  std::size_t ranks_;
  std::size_t words_;
  std::vector<std::size_t> cuts_;
  std::vector<std::uint64_t> bits_;
};

/// Runs one step of all lanes of all ranks. No extent is both sent and received in a step, so the
/// order of the receives does not matter.
void run_step(std::span<const Plan> plans, std::size_t step, Contributions& state,
              Findings& findings) {
  for (std::size_t rank = 0; rank < plans.size(); ++rank) {
    for (std::size_t lane = 0; lane < plans[rank].lanes.size(); ++lane) {
      if (step >= plans[rank].lanes[lane].size()) continue;
      for (const Recv& recv : plans[rank].lanes[lane][step].recvs) {
        const auto twice = state.transfer(recv.from.rank.index(), rank, recv.where, recv.how);
        if (twice) {
          findings.add(fmt::format("{}: adds a contribution twice in {}",
                                   Place{rank, lane, step}.text(), text(state.atom(*twice))));
        }
      }
    }
  }
}

void check_sums(std::span<const Plan> plans, Contributions& state, Findings& findings) {
  for (std::size_t rank = 0; rank < plans.size(); ++rank) {
    if (plans[rank].role != Role::worker) continue;
    for (std::size_t atom = 0; atom < state.atoms(); ++atom) {
      const auto held = state.at(rank, atom);
      for (std::size_t other = 0; other < plans.size(); ++other) {
        const bool has = ((held[other / 64] >> (other % 64)) & 1) != 0;
        if (!has && plans[other].role == Role::worker) {
          findings.add(fmt::format("rank {}: {} ends without rank {}'s contribution", rank,
                                   text(state.atom(atom)), other));
          break;
        }
      }
    }
  }
}

}  // namespace

std::vector<std::string> check_plans(std::span<const Plan> plans, std::size_t elements) {
  Findings findings;
  for_each_step(plans, [&](const Place& place, const Step& step) {
    for (const Send& send : step.sends) {
      check_transfer(place, send.to, send.what, plans.size(), elements, findings);
    }
    for (const Recv& recv : step.recvs) {
      check_transfer(place, recv.from, recv.where, plans.size(), elements, findings);
    }
    check_step(place, step, findings);
  });
  for (std::size_t rank = 0; rank < plans.size(); ++rank) {
    check_lanes_apart(rank, plans[rank], findings);
  }
  check_matches(plans, findings);
  if (!findings.empty()) return findings.take();  // meaningless to run what does not fit together
  if (elements == 0) return {};

  Contributions state(plans, elements);
  std::size_t steps = 0;
  for (const Plan& plan : plans) steps = std::max(steps, step_count(plan));
  for (std::size_t step = 0; step < steps; ++step) run_step(plans, step, state, findings);
  check_sums(plans, state, findings);
  return findings.take();
}

}  // namespace gradwire
