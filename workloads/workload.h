#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/extent.h"
#include "workloads/dense.h"
#include "workloads/hybrid.h"
#include "workloads/model.h"

namespace gradwire::workloads {

/// A gradient of so many elements that belong to no tensors.
struct Elements {
  std::size_t count = 0;
};

/// The thing that is synchronized: a value, parsed once from the name that users write.
class Workload {
 public:
  Workload() = default;
  explicit Workload(Elements elements) : what_(elements) {}
  Workload(std::string name, std::variant<Elements, Model, DenseStack, Hybrid> what)
      : name_(std::move(name)), what_(std::move(what)) {}

  /// The one spelling of its name: "vgg19", "dense(...)"; empty for a number of elements.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Elements of the gradient that an all-reduce sums: K N of dense layers, the replicated ones of
  /// hybrid parallelism.
  [[nodiscard]] std::size_t elements() const;
  /// The gradient's tensors, in the order of its elements; empty where there are none.
  [[nodiscard]] std::vector<Extent> tensors() const;

  /// The layers of dense(...), or null. The Workload owns them.
  [[nodiscard]] const DenseStack* dense() const { return std::get_if<DenseStack>(&what_); }
  /// The network of hybrid(...), or null. The Workload owns it.
  [[nodiscard]] const Hybrid* hybrid() const { return std::get_if<Hybrid>(&what_); }
  /// Whether ranks compute it with real numbers: dense layers, and a small hybrid network.
  [[nodiscard]] bool is_computed() const;

 private:
  std::string name_;
  std::variant<Elements, Model, DenseStack, Hybrid> what_;
};

/// The workload that a name stands for: a model, dense(...) or hybrid(...); without a name so many
/// elements. Throws InputError, without a place, for an unknown model, and as parse_dense and
/// parse_hybrid.
[[nodiscard]] Workload parse_workload(std::string_view name, std::size_t elements = 0);

}  // namespace gradwire::workloads
