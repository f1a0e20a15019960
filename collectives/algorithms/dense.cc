#include "collectives/algorithms/dense.h"

#include <utility>

#include <fmt/core.h>

#include "core/error.h"

namespace gradwire::algorithms {
namespace {

/// Any all-reduce or all-gather, for dense layers.
class OnDense final : public Method {
 public:
  OnDense(Algorithm moving, const workloads::DenseStack& stack)
      : moving_(std::move(moving)), is_late_(multiplies_late(moving_)), values_(stack.values()) {}

  [[nodiscard]] std::string collective() const override { return moving_.collective(); }
  [[nodiscard]] Amount amount_of(const workloads::Workload& workload) const override {
    return {.elements = is_late_ ? moving_.topology().hosts() * values_ : workload.elements()};
  }
  [[nodiscard]] Achieved achieves(const Amount& amount) const override;
  [[nodiscard]] Plan plan(Rank rank, const Amount& amount) const override {
    return moving_.plan(rank, amount);
  }
  [[nodiscard]] std::vector<Plan> plans(std::size_t, const Amount& amount) const override {
    return moving_.plans(amount);
  }
  void check_size(const Amount& amount, const PlanLimit& limit) const override {
    moving_.check_size(amount, limit);
  }
  void prove() const override { moving_.prove(); }
  [[nodiscard]] bool ranks_are_alike(const Amount& amount) const override {
    return moving_.ranks_are_alike(amount);
  }
  [[nodiscard]] bool is_per_tensor() const override { return moving_.is_per_tensor(); }
  [[nodiscard]] std::string file_digest() const override { return moving_.file_digest(); }
  [[nodiscard]] const Algorithm* wrapped() const override { return &moving_; }
  [[nodiscard]] const Peer* peer() const override { return moving_.peer(); }

 private:
  Algorithm moving_;
  bool is_late_;
  std::size_t values_;  ///< inputs and errors of a rank
};

Achieved OnDense::achieves(const Amount& amount) const {
  Achieved achieved = moving_.achieves(amount);
  if (!is_late_) return achieved;
  const std::vector<std::vector<Extent>>& begins = achieved.goal.begins;
  for (std::size_t rank = 0; rank < begins.size(); ++rank) {
    std::size_t values = 0;
    for (const Extent& extent : begins[rank]) values += extent.count;
    if (values == values_) continue;
    throw InputError(
        fmt::format("{}: rank {} begins with {} elements, but has {} inputs and errors",
                    moving_.name(), rank, values, values_));
  }
  return achieved;
}

}  // namespace

bool multiplies_late(const Algorithm& algorithm) {
  if (algorithm.collective() == "all-gather") return true;
  if (algorithm.is_all_reduce()) return false;
  throw InputError(
      fmt::format("{} is neither an all-reduce of a layer's gradient nor an all-gather "
                  "of its inputs and errors",
                  algorithm.name()));
}

std::shared_ptr<const Method> make_for_dense(const Algorithm& algorithm,
                                             const workloads::DenseStack& stack) {
  return std::make_shared<OnDense>(algorithm, stack);
}

}  // namespace gradwire::algorithms
