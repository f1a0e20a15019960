#include "workloads/model.h"

#include <ranges>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/suggest.h"
#include "workloads/tables.h"

namespace gradwire::workloads {

std::size_t Model::elements() const {
  std::size_t sum = 0;
  for (const Tensor& tensor : tensors) sum += tensor.elements;
  return sum;
}

std::uint64_t Model::dense_forward_macs() const {
  std::uint64_t sum = 0;
  for (const Tensor& tensor : tensors) {
    if (!tensor.is_norm()) sum += tensor.forward_macs;
  }
  return sum;
}

Model load_model(std::string_view name) {
  const auto table = tables().find(name);
  if (table == tables().end()) {
    const std::vector<std::string> known = model_names();
    throw InputError(fmt::format("{}; there are: {}", text::unknown_name("workload", name, known),
                                 fmt::join(known, ", ")));
  }
  const auto json = nlohmann::json::parse(table->second);
  Model model{.name = json.at("name"),
              .source = json.at("source"),
              .note = json.value("note", ""),
              .input = json.at("input").get<std::vector<std::size_t>>(),
              .tensors = {},
              .other_forward_macs = json.at("other_forward_macs")};
  for (const auto& tensor : json.at("tensors")) {
    model.tensors.push_back({.name = tensor.at("name"),
                             .shape = tensor.at("shape").get<std::vector<std::size_t>>(),
                             .elements = tensor.at("parameters"),
                             .forward_macs = tensor.at("forward_macs")});
  }
  return model;
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& [name, table] : tables()) names.push_back(name);
  return names;
}

std::vector<Extent> extents_of(const Model& model) {
  std::vector<Extent> extents;
  std::size_t next = 0;
  for (const Tensor& tensor : std::views::reverse(model.tensors)) {
    extents.push_back({.first = next, .count = tensor.elements});
    next += tensor.elements;
  }
  return extents;
}

}  // namespace gradwire::workloads
