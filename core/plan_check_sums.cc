#include "core/plan_check_sums.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/core.h>

#include "core/count.h"

namespace gradwire::plan_check {
namespace {

/// For every rank and every atom: the set of ranks whose contribution it holds. An atom is a run of
/// elements that no extent of any rank cuts, so one set holds for all its elements, and the cost
/// depends on the number of extent bounds instead of the number of elements. Sets are bits, 64
/// ranks to a word.
class Contributions {
 public:
  Contributions(std::span<const Plan> plans, const Goal& goal)
      : ranks_(plans.size()), words_((plans.size() + 63) / 64), cuts_{0, goal.elements} {
    const auto add = [this](const Extent& extent) {
      cuts_.insert(cuts_.end(), {extent.first, extent.end()});
    };
    for_each_step(plans, [&add](const Place&, const Step& step) {
      for (const Send& send : step.sends) add(send.what);
      for (const Recv& recv : step.recvs) add(recv.where);
    });
    for (const auto* extents : {&goal.begins, &goal.ends}) {
      for (const std::vector<Extent>& of_rank : *extents) std::ranges::for_each(of_rank, add);
    }
    std::ranges::sort(cuts_);
    const auto repeated = std::ranges::unique(cuts_);
    cuts_.erase(repeated.begin(), repeated.end());
    bits_.assign(ranks_ * atoms() * words_, 0);
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      for_each_atom(goal.begins[rank], [&](std::size_t atom) {
        at(rank, atom)[rank / 64] |= std::uint64_t{1} << (rank % 64);
      });
    }
  }

  [[nodiscard]] std::size_t atoms() const { return cuts_.size() - 1; }
  [[nodiscard]] Extent atom(std::size_t index) const {
    return {cuts_[index], cuts_[index + 1] - cuts_[index]};
  }
  [[nodiscard]] std::span<std::uint64_t> at(std::size_t rank, std::size_t atom) {
    return std::span(bits_).subspan((rank * atoms() + atom) * words_, words_);
  }

  /// Calls visit(atom) for every atom of these extents.
  template <class Visit>
  void for_each_atom(std::span<const Extent> extents, Visit visit) const {
    for (const Extent& extent : extents) {
      for (std::size_t a = index_of(extent.first); a < index_of(extent.end()); ++a) visit(a);
    }
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
  std::vector<std::size_t> cuts_;    ///< ascending: atom i lies between cuts i and i + 1
  std::vector<std::uint64_t> bits_;  ///< by rank, atom and word
};

/// Runs one step of all lanes of all ranks, one receive after the other.
///
/// That is right although all transfers of a step happen at once: no lane receives in a step what
/// it sends in it, and no other lane writes there (check_each_rank), so every sender still holds
/// what it held when the step began, whatever has been received before. An executor overlaps steps,
/// but keeps the order of any two transfers whose order makes a difference (core/lane_program.cc).
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

/// By atom: the ranks that begin with it, as sets of bits.
std::vector<std::vector<std::uint64_t>> beginners_of(const Goal& goal, const Contributions& state) {
  const std::size_t words = (goal.begins.size() + 63) / 64;
  std::vector<std::vector<std::uint64_t>> beginners(state.atoms(),
                                                    std::vector<std::uint64_t>(words));
  for (std::size_t rank = 0; rank < goal.begins.size(); ++rank) {
    state.for_each_atom(goal.begins[rank], [&](std::size_t atom) {
      beginners[atom][rank / 64] |= std::uint64_t{1} << (rank % 64);
    });
  }
  return beginners;
}

/// Whoever must end with an element must hold the contribution of every rank that began with it.
/// None can be there twice: run_step() has reported that.
void check_results(const Goal& goal, Contributions& state, Findings& findings) {
  const auto beginners = beginners_of(goal, state);
  for (std::size_t rank = 0; rank < goal.ends.size(); ++rank) {
    state.for_each_atom(goal.ends[rank], [&](std::size_t atom) {
      const auto held = state.at(rank, atom);
      for (std::size_t word = 0; word < held.size(); ++word) {
        const std::uint64_t missing = beginners[atom][word] & ~held[word];
        if (missing == 0) continue;
        const std::size_t other = word * 64 + static_cast<std::size_t>(std::countr_zero(missing));
        findings.add(fmt::format("rank {}: {} ends without rank {}'s contribution", rank,
                                 text(state.atom(atom)), other));
        return;
      }
    });
  }
}

}  // namespace

void check_sums(std::span<const Plan> plans, const Goal& goal, Findings& findings) {
  Contributions state(plans, goal);
  std::size_t steps = 0;
  for (const Plan& plan : plans) steps = std::max(steps, step_count(plan));
  for (std::size_t step = 0; step < steps; ++step) run_step(plans, step, state, findings);
  check_results(goal, state, findings);
}

}  // namespace gradwire::plan_check
