#include "schedule/jobs/check.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "schedule/jobs/program_graph.h"
#include "schedule/jobs/waits.h"

namespace gradwire::jobs {
namespace {

/// The findings, up to the most that are listed.
class Findings {
 public:
  void add(std::string text, std::optional<NodePlace> place = std::nullopt) {
    if (!is_full()) all_.push_back({.text = std::move(text), .place = place});
  }
  [[nodiscard]] bool is_full() const { return all_.size() == kMostFindings; }
  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] std::vector<Finding> take() { return std::move(all_); }

 private:
  std::vector<Finding> all_;
};

bool is_duration(Seconds time) {
  return std::isfinite(time.count()) && time.count() >= 0;
}

void check_groups(const Job& job, Findings& findings) {
  std::vector<std::size_t> last(job.ranks.size());  // by rank: the last group that has it, from 1
  for (std::size_t number = 1; number <= job.groups.size(); ++number) {
    const NamedGroup& group = job.groups[number - 1];
    if (group.ranks.empty()) findings.add(fmt::format("group {} has no ranks", group.name));
    for (const Rank rank : group.ranks) {
      if (rank.index() >= job.ranks.size()) {
        findings.add(fmt::format("group {} has rank {}, and the job has {} ranks", group.name,
                                 rank.index(), job.ranks.size()));
      } else if (std::exchange(last[rank.index()], number) == number) {
        findings.add(fmt::format("group {} has rank {} twice", group.name, rank.index()));
      }
    }
  }
}

/// The fault of a node, whoever runs it; empty for none.
std::string fault_of(const Program& program, std::size_t number) {
  const Node& node = program.nodes[number];
  if (!is_duration(node.lag)) return "its lag is no duration";
  if (std::ranges::any_of(node.after, [&](std::size_t before) { return before >= number; })) {
    return "it comes after itself or a later node";
  }
  if (const auto* compute = std::get_if<Compute>(&node.what)) {
    return is_duration(compute->time) ? "" : "its time is no duration";
  }
  const Call& call = std::get<Call>(node.what);
  if (call.slot >= kMostSlots) return fmt::format("slots are below {}", kMostSlots);
  if (call.elements == 0) return fmt::format("its {} has no elements", to_string(call.what));
  const bool has_root = call.what == Collective::broadcast || call.what == Collective::reduce;
  if (call.root > 0 && !has_root) return fmt::format("{} has no root", to_string(call.what));
  const bool adds = call.what == Collective::all_reduce || call.what == Collective::reduce ||
                    call.what == Collective::reduce_scatter;
  if (adds && call.dtype == Dtype::byte) return "bytes are moved, not added";
  return "";
}

void check_programs(const Job& job, Findings& findings) {
  for (std::size_t program = 0; program < job.programs.size(); ++program) {
    for (std::size_t node = 0; node < job.programs[program].nodes.size(); ++node) {
      const std::string fault = fault_of(job.programs[program], node);
      if (fault.empty()) continue;
      findings.add(fmt::format("program {}, {}: {}", job.programs[program].name,
                               describe(job.programs[program], node), fault),
                   NodePlace{program, node});
    }
  }
}

/// The fault of the group behind the slot that a rank's node names; empty for none.
std::string fault_of(const Job& job, std::size_t rank, const Call& call) {
  const std::vector<std::uint32_t>& groups = job.ranks[rank].groups;
  if (call.slot >= groups.size()) return fmt::format("has no group for slot {}", call.slot);
  const NamedGroup& group = job.groups[groups[call.slot]];
  if (call.root >= group.ranks.size()) {
    return fmt::format("has group {} of {} ranks there, with no place {}", group.name,
                       group.ranks.size(), call.root);
  }
  if (call.what == Collective::send && group.ranks.size() != 2) {
    return fmt::format("has group {} of {} ranks there, and a send is among two", group.name,
                       group.ranks.size());
  }
  return "";
}

/// Checks that the rank's groups exist, differ from each other, and have the rank as a member.
/// `with_it` lists the job's groups with the rank, ascending.
bool check_groups_of(const Job& job, std::span<const std::uint32_t> with_it, std::size_t rank,
                     Findings& findings) {
  std::set<std::uint32_t> seen;
  for (const std::uint32_t number : job.ranks[rank].groups) {
    if (number >= job.groups.size()) {
      findings.add(fmt::format("rank {} has group {} of {}", rank, number, job.groups.size()));
    } else if (!std::ranges::binary_search(with_it, number)) {
      findings.add(fmt::format("rank {} is not in group {}, which its program {} uses", rank,
                               job.groups[number].name,
                               job.programs[job.ranks[rank].program].name));
    } else if (!seen.insert(number).second) {
      findings.add(
          fmt::format("rank {} has group {} under two names", rank, job.groups[number].name));
    } else {
      continue;
    }
    return false;
  }
  return true;
}

void check_ranks(const Job& job, Findings& findings) {
  std::vector<std::vector<std::uint32_t>> groups_of(job.ranks.size());
  for (std::uint32_t group = 0; group < job.groups.size(); ++group) {
    for (const Rank rank : job.groups[group].ranks) groups_of[rank.index()].push_back(group);
  }
  for (std::size_t rank = 0; rank < job.ranks.size() && !findings.is_full(); ++rank) {
    const std::size_t program = job.ranks[rank].program;
    if (program >= job.programs.size()) {
      findings.add(fmt::format("rank {} has program {} of {}", rank, program, job.programs.size()));
      continue;
    }
    if (!check_groups_of(job, groups_of[rank], rank, findings)) continue;
    const std::vector<Node>& nodes = job.programs[program].nodes;
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      const Call* call = std::get_if<Call>(&nodes[node].what);
      if (call == nullptr) continue;
      const std::string fault = fault_of(job, rank, *call);
      if (fault.empty()) continue;
      findings.add(fmt::format("program {}, {}: rank {} {}", job.programs[program].name,
                               describe(job.programs[program], node), rank, fault),
                   NodePlace{program, node});
      break;
    }
  }
}

/// A member's calls of a group: nodes of its program.
struct Calls {
  std::size_t rank = 0;
  std::size_t program = 0;
  std::size_t slot = 0;  ///< beyond the program's slots if it has none for the group
  std::span<const std::uint32_t> nodes;

  [[nodiscard]] const Call& call(const Job& job, std::size_t ordinal) const {
    return std::get<Call>(job.programs[program].nodes[nodes[ordinal]].what);
  }
  [[nodiscard]] NodePlace place(std::size_t ordinal) const { return {program, nodes[ordinal]}; }
};

Calls calls_of(const Job& job, std::span<const ProgramGraph> graphs, Rank rank,
               std::uint32_t group) {
  const Part& part = job.ranks[rank.index()];
  const std::size_t slot = part.slot_of(group);
  return {.rank = rank.index(),
          .program = part.program,
          .slot = slot,
          .nodes = slot < part.groups.size() ? graphs[part.program].calls(slot)
                                             : std::span<const std::uint32_t>{}};
}

/// Compares the calls that two members of a group make. The first has at least as many calls.
void compare(const Job& job, const NamedGroup& group, const std::pair<Calls, Calls>& members,
             Findings& findings) {
  const auto& [most, other] = members;
  for (std::size_t i = 0; i < other.nodes.size(); ++i) {
    const Call& a = most.call(job, i);
    const Call& b = other.call(job, i);
    if (a.what == b.what && a.elements == b.elements && a.dtype == b.dtype && a.root == b.root) {
      continue;
    }
    return findings.add(
        fmt::format(
            "collective {} of group {} is {} on rank {} (program {}, {}), and {} on rank {} "
            "(program {}, {})",
            i, group.name, describe(a), most.rank, job.programs[most.program].name,
            describe(job.programs[most.program], most.nodes[i]), describe(b), other.rank,
            job.programs[other.program].name,
            describe(job.programs[other.program], other.nodes[i])),
        other.place(i));
  }
  if (most.nodes.size() == other.nodes.size()) return;
  findings.add(
      fmt::format("rank {} calls {} collectives of group {}, and rank {} calls {}, of which "
                  "the next is {} (program {}, {})",
                  other.rank, other.nodes.size(), group.name, most.rank, most.nodes.size(),
                  describe(most.call(job, other.nodes.size())), job.programs[most.program].name,
                  describe(job.programs[most.program], most.nodes[other.nodes.size()])),
      most.place(other.nodes.size()));
}

void check_agreement(const Job& job, std::span<const ProgramGraph> graphs, Findings& findings) {
  for (std::uint32_t number = 0; number < job.groups.size(); ++number) {
    const NamedGroup& group = job.groups[number];
    // Who has most calls, and of those who run one program under one slot, the first.
    Calls most = calls_of(job, graphs, group.ranks.front(), number);
    std::set<std::pair<std::size_t, std::size_t>> seen;
    std::vector<Calls> kinds;
    for (const Rank rank : group.ranks) {
      const Calls calls = calls_of(job, graphs, rank, number);
      if (calls.nodes.size() > most.nodes.size()) most = calls;
      if (seen.insert({calls.program, calls.slot}).second) kinds.push_back(calls);
    }
    for (const Calls& other : kinds) compare(job, group, {most, other}, findings);
  }
}

void check_waits(const Job& job, std::span<const ProgramGraph> graphs, Findings& findings) {
  const std::vector<Wait> waits = endless_waits(job, graphs);
  if (waits.empty()) return;
  constexpr std::size_t kMostNamed = 8;
  std::vector<std::string> links;
  for (std::size_t i = 0; i < std::min(waits.size(), kMostNamed); ++i) {
    const Program& program = job.programs[job.ranks[waits[i].rank].program];
    links.push_back(fmt::format("rank {} in {} of program {} for rank {}", waits[i].rank,
                                describe(program, waits[i].node), program.name, waits[i].for_rank));
  }
  findings.add(
      fmt::format(
          "these ranks would wait for each other for ever: {}{}", fmt::join(links, "; "),
          waits.size() > kMostNamed ? fmt::format("; and {} more", waits.size() - kMostNamed) : ""),
      NodePlace{job.ranks[waits.front().rank].program, waits.front().node});
}

}  // namespace

std::vector<Finding> check(const Job& job) {
  Findings findings;
  if (job.ranks.empty()) findings.add("a job has at least one rank");
  check_groups(job, findings);
  check_programs(job, findings);
  if (findings.empty()) check_ranks(job, findings);
  if (!findings.empty()) return findings.take();
  const std::vector<ProgramGraph> graphs = graphs_of(job);
  check_agreement(job, graphs, findings);
  if (findings.empty()) check_waits(job, graphs, findings);
  return findings.take();
}

}  // namespace gradwire::jobs
