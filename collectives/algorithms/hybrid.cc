#include "collectives/algorithms/hybrid.h"

#include <utility>

#include <fmt/core.h>

#include "collectives/hybrid.h"
#include "core/error.h"

namespace gradwire::algorithms {
namespace {

/// Hybrid parallelism: an all-reduce of gradients, behind the stages of the stack.
class OnHybrid final : public Method {
 public:
  OnHybrid(Algorithm summing, const collectives::hybrid::Stack& stack)
      : summing_(std::move(summing)), stack_(stack) {}

  [[nodiscard]] std::string collective() const override { return std::string(kHybrid); }
  [[nodiscard]] Achieved achieves(const Amount& amount) const override {
    const Goal summed = summing_.goal(amount);
    return {.goal = collectives::hybrid::goal(summed, stack_),
            .bus_factor = collectives::hybrid::busiest_port(summed, stack_) /
                          static_cast<double>(amount.elements)};
  }
  [[nodiscard]] Plan plan(Rank rank, const Amount& amount) const override {
    return collectives::hybrid::plan(summing_.topology(), rank, summing_.plan(rank, amount),
                                     summing_.goal(amount), stack_);
  }
  [[nodiscard]] std::vector<Plan> stages(Rank rank, const Amount& amount) const override {
    return collectives::hybrid::stages(summing_.topology(), rank, summing_.plan(rank, amount),
                                       summing_.goal(amount), stack_);
  }
  [[nodiscard]] std::vector<Rank> workers(const Amount& amount) const override {
    return contributors(summing_.goal(amount));
  }
  void check_size(const Amount& amount, const PlanLimit& limit) const override {
    summing_.check_size(amount, limit);
  }
  void prove() const override { summing_.prove(); }
  [[nodiscard]] bool is_per_tensor() const override { return summing_.is_per_tensor(); }
  [[nodiscard]] std::string file_digest() const override { return summing_.file_digest(); }
  [[nodiscard]] const Algorithm* wrapped() const override { return &summing_; }

 private:
  Algorithm summing_;
  collectives::hybrid::Stack stack_;
};

collectives::hybrid::Stack stack_of(const workloads::Hybrid& hybrid) {
  return {.host = hybrid.host, .inputs = hybrid.inputs_of_worker()};
}

}  // namespace

void require_host(const workloads::Hybrid& hybrid, const topologies::Topology& topology) {
  collectives::hybrid::require_host(stack_of(hybrid), topology.hosts());
}

std::shared_ptr<const Method> make_for_hybrid(const Algorithm& summing,
                                              const workloads::Hybrid& hybrid) {
  if (!summing.has_plans()) {
    throw InputError(
        fmt::format("{} is a library: it has no Plan for what hybrid(...) moves beside "
                    "gradients",
                    summing.name()));
  }
  if (!summing.is_all_reduce()) {
    throw InputError(fmt::format(
        "{} sums no gradients for everyone; hybrid(...) goes with an all-reduce", summing.name()));
  }
  require_host(hybrid, summing.topology());
  return std::make_shared<OnHybrid>(summing, stack_of(hybrid));
}

}  // namespace gradwire::algorithms
