#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectives/algorithms/amount.h"
#include "collectives/plan_files/plan_file.h"
#include "core/dtype.h"
#include "core/goal.h"
#include "core/plan.h"
#include "core/text/spec.h"
#include "core/units.h"
#include "topologies/link_limits.h"
#include "topologies/topology.h"
#include "workloads/workload.h"

/// Algorithms as values. A name is parsed once, where it enters the program; from there on an
/// Algorithm travels, and answers for itself. docs/architecture.md says how to add one.
namespace gradwire::algorithms {

class Algorithm;
class Peer;

inline constexpr std::size_t kMostPieces = 1'000'000;

/// A limit for Plans that are made and kept at once.
struct PlanLimit {
  std::size_t plans = 1;
  double transfers = 5e7;  ///< sends and receives in all of them: about 2 GB
};

/// The goal of an algorithm on its wiring, and its price.
struct Achieved {
  Goal goal;  ///< says who begins with what, and who must end with it
  /// Multiple of the amount that the busiest NIC of a host with one carries at least. Set
  /// where the collective's name and the number of ranks do not say it (collectives::bus_factor): for
  /// groups, counts for each pair, and hybrid parallelism.
  std::optional<double> bus_factor = {};
};

/// The ways in which algorithms differ: one class for each kind (all_reduces.h, collectives.h,
/// groups.h, from_file.h, peer.h), and decorators for workloads that change what is moved (dense.h,
/// hybrid.h). Every member throws InputError, without a place, for what does not fit the wiring or
/// the amount.
class Method {
 public:
  virtual ~Method() = default;

  /// The collective that it is for, by name (docs/collectives.md).
  [[nodiscard]] virtual std::string collective() const;
  /// The amount that it synchronizes of a workload.
  [[nodiscard]] virtual Amount amount_of(const workloads::Workload& workload) const;
  [[nodiscard]] virtual Achieved achieves(const Amount& amount) const = 0;
  [[nodiscard]] virtual Plan plan(Rank rank, const Amount& amount) const = 0;
  /// All ranks' Plans; `ranks` of them.
  [[nodiscard]] virtual std::vector<Plan> plans(std::size_t ranks, const Amount& amount) const;
  [[nodiscard]] virtual std::vector<Plan> stages(Rank rank, const Amount& amount) const;
  [[nodiscard]] virtual std::vector<Rank> workers(const Amount& amount) const;
  virtual void check_size(const Amount& amount, const PlanLimit& limit) const;
  /// Proves what can be proven for any number of elements at once.
  virtual void prove() const {}
  [[nodiscard]] virtual bool ranks_are_alike(const Amount&) const { return false; }
  [[nodiscard]] virtual bool is_per_tensor() const { return false; }
  [[nodiscard]] virtual std::string file_digest() const { return ""; }
  /// Its file, or null where it came from none.
  [[nodiscard]] virtual const plan_files::PlanFile* file() const { return nullptr; }
  /// The reason why no plan file can hold it; empty where one can.
  [[nodiscard]] virtual std::string why_no_file() const { return ""; }
  [[nodiscard]] virtual const Peer* peer() const { return nullptr; }
  /// The algorithm that a decorator wraps; null for all others.
  [[nodiscard]] virtual const Algorithm* wrapped() const { return nullptr; }
};

/// One algorithm on one wiring: a value, cheap to copy, that never changes. It has a Plan for every
/// rank, unless another project's library does the work (peer()). One that is default-constructed
/// stands for none, and may only be asked whether it is one. All members that make Plans or ask
/// for goals throw InputError, without a place, for an amount that the algorithm does not take.
class Algorithm {
 public:
  Algorithm() = default;
  Algorithm(text::Spec spec, const topologies::Topology& topology,
            std::shared_ptr<const Method> method)
      : spec_(std::move(spec)), topology_(&topology), method_(std::move(method)) {}

  explicit operator bool() const { return method_ != nullptr; }

  /// The one spelling of its name and options: "ps(dedicated, servers=2)".
  [[nodiscard]] std::string name() const { return to_string(spec_); }
  /// The collective that it is for: "all-reduce", "all-gather", ..., "groups" or "hybrid".
  [[nodiscard]] std::string collective() const { return method_->collective(); }
  /// Whether it sums everybody's elements for everybody.
  [[nodiscard]] bool is_all_reduce() const;

  /// The amount that it synchronizes of a workload: the gradient's, or that of late-multiply.
  [[nodiscard]] Amount amount_of(const workloads::Workload& workload) const {
    return method_->amount_of(workload);
  }
  /// The goal, and how much a NIC carries for it. Makes no Plan.
  [[nodiscard]] Achieved achieves(const Amount& amount) const { return method_->achieves(amount); }
  /// The goal alone.
  [[nodiscard]] Goal goal(const Amount& amount) const { return achieves(amount).goal; }

  /// Rank `rank`'s Plan. A bucket smaller than its pieces are many travels as fewer. Throws InputError
  /// for a library, whose schedule is its own.
  [[nodiscard]] Plan plan(Rank rank, const Amount& amount) const {
    return method_->plan(rank, amount);
  }
  /// All ranks' Plans.
  [[nodiscard]] std::vector<Plan> plans(const Amount& amount) const;
  /// All ranks' Plans, proven by the symbolic checker. Throws as check_size and prove, and
  /// InternalError with the first finding when Plans of ours do not reach their goal.
  [[nodiscard]] std::vector<Plan> proven_plans(const Amount& amount) const;
  /// Rank `rank`'s Plans between which ranks compute, as in_stages takes them: three for hybrid
  /// parallelism (collectives/hybrid.h), else one.
  [[nodiscard]] std::vector<Plan> stages(Rank rank, const Amount& amount) const {
    return method_->stages(rank, amount);
  }
  /// The ranks that contribute gradients, ascending.
  [[nodiscard]] std::vector<Rank> workers(const Amount& amount) const {
    return method_->workers(amount);
  }

  /// Refuses Plans that would take the machine's memory, before any is made: more pieces than a part
  /// has elements, more than kMostPieces, and more transfers than the limit.
  void check_size(const Amount& amount, const PlanLimit& limit) const {
    method_->check_size(amount, limit);
  }
  /// Proves the Plans of a file with an element for each chunk, and so for any number of elements.
  /// Does nothing for algorithms of ours. Throws InputError with the first finding.
  void prove() const { method_->prove(); }
  /// Whether all ranks' Plans are certain to be rank 0's, translated (Topology::translation). It is
  /// known by arithmetic: no Plan is made. False says nothing.
  [[nodiscard]] bool ranks_are_alike(const Amount& amount) const {
    return method_->ranks_are_alike(amount);
  }
  /// Whether it places whole tensors, so that a size alone does not say what a bucket costs.
  [[nodiscard]] bool is_per_tensor() const { return method_->is_per_tensor(); }
  /// A digest of the file that the name stands for: a plan's, but for its name, or counts; empty
  /// without a file.
  [[nodiscard]] std::string file_digest() const { return method_->file_digest(); }
  /// The text of a plan file that does the same for any number of elements: each of `elements`
  /// becomes a chunk. Throws InputError for what no plan file can hold, and as proven_plans.
  [[nodiscard]] std::string plan_text(std::size_t elements) const;

  /// The library that does the work, or null where our Plans do. The Algorithm owns it.
  [[nodiscard]] const Peer* peer() const { return method_->peer(); }
  [[nodiscard]] bool has_plans() const { return peer() == nullptr; }

  [[nodiscard]] const topologies::Topology& topology() const { return *topology_; }
  /// This algorithm for a number of elements, whatever workload it was made for.
  [[nodiscard]] Algorithm for_elements() const;

 private:
  text::Spec spec_;
  const topologies::Topology* topology_ = nullptr;
  std::shared_ptr<const Method> method_;
};

/// The algorithm that a name stands for, on a wiring, which must outlive it, for a workload. Throws
/// InputError, without a place, for an unknown name, option or way, for one that does not fit the
/// wiring, and for a workload that the algorithm has no use for.
[[nodiscard]] Algorithm parse_algorithm(const text::Spec& spec,
                                        const topologies::Topology& topology,
                                        const workloads::Workload& workload = {});

/// Wirings of more hosts have their Plans taken on trust in the same algorithm on smaller ones: the
/// checker's time grows with their square.
inline constexpr std::size_t kMostProven = 256;

/// The least time that Plans can take with elements of this type (topologies/least_time.h).
[[nodiscard]] Seconds bound_of(const topologies::Topology& topology, std::span<const Plan> plans,
                               const topologies::LinkLimits& limits, Dtype type);

}  // namespace gradwire::algorithms
