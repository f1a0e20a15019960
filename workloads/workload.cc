#include "workloads/workload.h"

#include "core/text/spec.h"

namespace gradwire::workloads {
namespace {

template <class... Visitors>
struct Cases : Visitors... {
  using Visitors::operator()...;
};
template <class... Visitors>
Cases(Visitors...) -> Cases<Visitors...>;  // Clang 16 deduces none for aggregates

}  // namespace

std::size_t Workload::elements() const {
  return std::visit(Cases{[](const Elements& elements) { return elements.count; },
                          [](const Model& model) { return model.elements(); },
                          [](const DenseStack& stack) { return stack.weights(); },
                          [](const Hybrid& hybrid) { return hybrid.gradients(); }},
                    what_);
}

std::vector<Extent> Workload::tensors() const {
  if (const auto* const model = std::get_if<Model>(&what_)) return extents_of(*model);
  return hybrid() != nullptr ? hybrid()->tensors : std::vector<Extent>{};
}

bool Workload::is_computed() const {
  return dense() != nullptr || (hybrid() != nullptr && hybrid()->network);
}

Workload parse_workload(std::string_view name, std::size_t elements) {
  if (name.empty()) return Workload(Elements{elements});
  const auto spelled = [&] { return to_string(text::parse_spec(name)); };
  if (is_dense(name)) return {spelled(), parse_dense(name)};
  if (is_hybrid(name)) return {spelled(), parse_hybrid(name)};
  return {std::string(name), load_model(name)};
}

}  // namespace gradwire::workloads
