#include "results/report/workload_text.h"

#include <array>
#include <optional>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/table.h"
#include "core/units.h"
#include "workloads/device.h"
#include "workloads/trace.h"

namespace gradwire::report {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

/// Times of one tensor in a profile.
struct Moment {
  const workloads::Layer* layer = nullptr;
  bool first = false;  ///< whether it is the first of its layer
  Seconds ready{};     ///< since the backward pass began
};

/// The moments of all tensors, in forward order.
std::vector<Moment> moments_of(const workloads::Profile& profile) {
  std::vector<Moment> moments;
  Seconds later{};  // layers behind this one, whose backward pass comes first
  for (auto layer = profile.layers.rbegin(); layer != profile.layers.rend(); ++layer) {
    later += layer->backward;
    for (std::size_t i = layer->tensors.size(); i-- > 0;) {
      moments.push_back({.layer = &*layer, .first = i == 0, .ready = later});
    }
  }
  return {moments.rbegin(), moments.rend()};
}

std::vector<Moment> moments_of(const workloads::Model& model, const workloads::Profile* profile) {
  if (profile == nullptr) return {};
  std::vector<Moment> moments = moments_of(*profile);
  ensure(moments.size() == model.tensors.size(), "a profile has its model's tensors");
  return moments;
}

std::string shape_of(const workloads::Tensor& tensor) {
  return fmt::format("{}", fmt::join(tensor.shape, "x"));
}

double giga(std::uint64_t macs) {
  return static_cast<double>(macs) / 1e9;
}

std::string size_of(const workloads::Model& model) {
  const auto bytes = static_cast<double>(model.elements() * sizeof(float));
  return fmt::format("{:.2f}", bytes / (1 << 20));
}

std::string head(const workloads::Model& model, const workloads::Profile* profile) {
  std::string text = fmt::format(
      "# {}: {} tensors, {} parameters ({} MiB), input {}, per sample {:.4f} dense GMACs",
      model.name, model.tensors.size(), model.elements(), size_of(model),
      fmt::join(model.input, "x"), giga(model.dense_forward_macs()));
  if (model.other_forward_macs > 0) {
    text += fmt::format(" and {:.4f} that read no tensor", giga(model.other_forward_macs));
  }
  text += fmt::format("\n# source: {}\n", model.source);
  if (!model.note.empty()) text += fmt::format("# note: {}\n", model.note);
  if (profile == nullptr) return text;
  return text + fmt::format(
                    "# {}\n# forward {} us, backward {} us; ready: since the backward pass "
                    "begins\n",
                    workloads::provenance(*profile), text::microseconds(profile->forward()),
                    text::microseconds(profile->backward()));
}

}  // namespace

std::string workload_table(const workloads::Model& model, const workloads::Profile* profile) {
  std::vector<text::Heading> headings{{.name = "tensor", .left = true},
                                      {.name = "shape", .left = true},
                                      {.name = "elements"},
                                      {.name = "MACs"}};
  if (profile != nullptr) {
    for (const char* name : {"forward", "backward", "ready"}) {
      headings.push_back({.name = name, .unit = "(us)"});
    }
  }
  const std::vector<Moment> moments = moments_of(model, profile);
  Rows rows;
  for (std::size_t i = 0; i < model.tensors.size(); ++i) {
    const workloads::Tensor& tensor = model.tensors[i];
    rows.push_back({tensor.name, shape_of(tensor), fmt::to_string(tensor.elements),
                    fmt::to_string(tensor.forward_macs)});
    if (moments.empty()) continue;
    const auto& [layer, first, ready] = moments[i];
    rows.back().push_back(first ? text::microseconds(layer->forward) : "-");
    rows.back().push_back(first ? text::microseconds(layer->backward) : "-");
    rows.back().push_back(text::microseconds(ready));
  }
  return head(model, profile) + text::format_columns(headings, rows);
}

std::string workload_json(const workloads::Model& model, const workloads::Profile* profile) {
  Json json{{"name", model.name},
            {"source", model.source},
            {"note", model.note},
            {"input", model.input},
            {"elements", model.elements()},
            {"dense_forward_macs", model.dense_forward_macs()},
            {"other_forward_macs", model.other_forward_macs}};
  if (profile != nullptr) {
    json["profile"] = {{"source", workloads::provenance(*profile)},
                       {"measured", profile->measured},
                       {"forward_us", profile->forward().count() * 1e6},
                       {"backward_us", profile->backward().count() * 1e6}};
  }
  const std::vector<Moment> moments = moments_of(model, profile);
  Json tensors = Json::array();
  for (std::size_t i = 0; i < model.tensors.size(); ++i) {
    const workloads::Tensor& tensor = model.tensors[i];
    Json entry{{"tensor", tensor.name},
               {"shape", tensor.shape},
               {"elements", tensor.elements},
               {"forward_macs", tensor.forward_macs}};
    if (!moments.empty()) {
      const auto& [layer, first, ready] = moments[i];
      entry["layer"] = layer->name;
      entry["forward_us"] = first ? layer->forward.count() * 1e6 : 0;
      entry["backward_us"] = first ? layer->backward.count() * 1e6 : 0;
      entry["ready_us"] = ready.count() * 1e6;
    }
    tensors.push_back(std::move(entry));
  }
  json["tensors"] = std::move(tensors);
  return json.dump(2) + "\n";
}

std::string workload_csv(const workloads::Model& model, const workloads::Profile* profile) {
  if (profile != nullptr) return workloads::to_csv(*profile, model);
  std::string text = "tensor,shape,elements,forward_macs\n";
  for (const workloads::Tensor& tensor : model.tensors) {
    text += fmt::format("{},{},{},{}\n", tensor.name, shape_of(tensor), tensor.elements,
                        tensor.forward_macs);
  }
  return text;
}

}  // namespace gradwire::report
