#include "workloads/dense.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/core.h>

#include "core/error.h"
#include "core/text/arguments.h"
#include "core/text/spec.h"
#include "core/text/suggest.h"

namespace gradwire::workloads {
namespace {

using text::OptionForm;
using Value = OptionForm::Value;

constexpr std::string_view kDenseName = "dense";
constexpr std::array kDenseOptions{
    OptionForm{"inputs", Value::number, "those of the model's layers", "N"},
    OptionForm{"outputs", Value::number, "those of the model's layers", "K"},
    OptionForm{"model", Value::word, "sizes are given", "whose fully connected layers"},
    OptionForm{"layer", Value::word, "all of the model's", "one of the model's layers"},
    OptionForm{"samples", Value::number, "there is no default", "M, of one worker"}};

std::size_t size_in(const text::Arguments& arguments, std::string_view key) {
  if (!arguments.has(key)) {
    throw InputError(
        fmt::format("dense: {} is missing: dense(inputs=9216, outputs=4096, "
                    "samples=64), or dense(model=alexnet, samples=64)",
                    key));
  }
  const std::size_t size = arguments.number_or(key, 0);
  if (size > kMostDense) {
    throw InputError(fmt::format("dense: {}={} is more than {}", key, size, kMostDense));
  }
  return size;
}

/// The name of a tensor's layer: "fc6" for "fc6.weight".
std::string layer_name(const std::string& tensor) {
  return tensor.substr(0, tensor.rfind('.'));
}

std::vector<DenseLayer> layers_of(const Model& model) {
  std::vector<DenseLayer> layers;
  for (const Tensor& tensor : model.tensors) {
    if (!is_fully_connected(tensor)) continue;
    layers.push_back(
        {.name = layer_name(tensor.name), .inputs = tensor.shape[1], .outputs = tensor.shape[0]});
  }
  return layers;
}

std::vector<DenseLayer> layers_named(const std::string& model,
                                     const std::optional<std::string>& layer) {
  std::vector<DenseLayer> layers = layers_of(load_model(model));
  if (layers.empty()) {
    throw InputError(fmt::format("dense: {} has no fully connected layer", model));
  }
  if (!layer) return layers;
  const auto found = std::ranges::find(layers, *layer, &DenseLayer::name);
  if (found != layers.end()) return {*found};
  std::vector<std::string> known;
  for (const DenseLayer& each : layers) known.push_back(each.name);
  throw InputError(text::unknown_name("fully connected layer", *layer, known));
}

}  // namespace

std::size_t DenseStack::weights() const {
  std::size_t sum = 0;
  for (const DenseLayer& layer : layers) sum += layer.weights();
  return sum;
}

std::size_t DenseStack::values() const {
  std::size_t sum = 0;
  for (const DenseLayer& layer : layers) sum += samples * (layer.inputs + layer.outputs);
  return sum;
}

bool is_fully_connected(const Tensor& tensor) {
  return tensor.shape.size() == 2 && tensor.forward_macs == tensor.elements;
}

bool is_dense(std::string_view workload) {
  return workload.starts_with(kDenseName) &&
         workload.find_first_not_of(' ', kDenseName.size()) == workload.find('(');
}

DenseStack parse_dense(std::string_view workload) {
  const text::Spec spec = text::parse_spec(workload);
  const text::Arguments arguments(kDenseName, spec, kDenseOptions);
  DenseStack stack{.samples = size_in(arguments, "samples")};
  const std::optional<std::string> model = arguments.word("model");
  if (!model) {
    if (arguments.has("layer")) throw InputError("dense: layer needs model");
    stack.layers = {
        {.inputs = size_in(arguments, "inputs"), .outputs = size_in(arguments, "outputs")}};
    return stack;
  }
  for (const char* key : {"inputs", "outputs"}) {
    if (!arguments.has(key)) continue;
    throw InputError(fmt::format("dense: {} and model both say what is connected; keep one", key));
  }
  stack.layers = layers_named(*model, arguments.word("layer"));
  return stack;
}

std::string layers_text(const DenseStack& stack) {
  std::string text;
  for (const DenseLayer& layer : stack.layers) {
    text += fmt::format("{}{}x{}", text.empty() ? "" : " ", layer.inputs, layer.outputs);
  }
  return text;
}

}  // namespace gradwire::workloads
