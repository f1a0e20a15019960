#include "workloads/hybrid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/core.h>

#include "core/error.h"
#include "core/text/arguments.h"
#include "core/text/spec.h"
#include "core/text/split.h"
#include "workloads/dense.h"
#include "workloads/model.h"

namespace gradwire::workloads {
namespace {

using text::OptionForm;
using Value = OptionForm::Value;

constexpr std::string_view kHybridName = "hybrid";
constexpr std::array kHybridOptions{
    OptionForm{"model", Value::word, "a network is given", "what is trained"},
    OptionForm{"image", Value::word, "those of the model", "channels and side of a sample"},
    OptionForm{"convolutions", Value::word, "those of the model", "channels and window of each"},
    OptionForm{"stack", Value::word, "that of the model", "outputs of each fully connected layer"},
    OptionForm{"samples", Value::number, "there is no default", "M, of one worker"},
    OptionForm{"host", Value::index, "0", "the rank that has the fully connected layers"}};
/// The most multiplications of a worker's samples in a forward pass: plain loops take a second for
/// them.
constexpr double kMostProducts = 1e9;

std::string required(const text::Arguments& arguments, std::string_view key) {
  if (const auto value = arguments.word(key)) return *value;
  throw InputError(
      fmt::format("hybrid: {} is missing: hybrid(model=alexnet, samples=64), or "
                  "hybrid(image=1x12, convolutions=8x3+16x3, stack=64+10, samples=4)",
                  key));
}

std::size_t size_in(std::string_view text) {
  const std::size_t size = text::parse_count(text);
  if (size > kMostDense) {
    throw InputError(fmt::format("hybrid: {} is more than {}", size, kMostDense));
  }
  return size;
}

/// The two numbers of "8x3".
std::pair<std::size_t, std::size_t> two_sizes(std::string_view text) {
  const std::vector<std::string_view> parts = text::split(text, 'x');
  if (parts.size() != 2) {
    throw InputError(fmt::format("hybrid: {} is not channels x side, such as 8x3", text));
  }
  return {size_in(parts[0]), size_in(parts[1])};
}

SmallNetwork network_in(const text::Arguments& arguments) {
  SmallNetwork network;
  std::tie(network.channels, network.side) = two_sizes(required(arguments, "image"));
  const std::string convolutions = required(arguments, "convolutions");
  for (const std::string_view each : text::split(convolutions, '+')) {
    const auto [outputs, kernel] = two_sizes(each);
    network.convolutions.push_back({.outputs = outputs, .kernel = kernel});
  }
  const std::string stack = required(arguments, "stack");
  for (const std::string_view each : text::split(stack, '+')) {
    network.stack.push_back(size_in(each));
  }
  return network;
}

/// The Hybrid of a network of its own. Its multiplications are counted on the way.
Hybrid hybrid_of(SmallNetwork network, std::size_t samples) {
  Hybrid hybrid;
  std::size_t channels = network.channels;
  std::size_t side = network.side;
  double products = 0;
  const auto add = [&](std::size_t outputs, std::size_t kernel) {
    if (kernel > side) {
      throw InputError(
          fmt::format("hybrid: a window of {0} x {0} on an image of {1} x {1}", kernel, side));
    }
    const auto positions = static_cast<double>(side - kernel + 1);
    products += static_cast<double>(outputs) * static_cast<double>(channels) *
                std::pow(static_cast<double>(kernel) * positions, 2);
    if (products * static_cast<double>(samples) > kMostProducts) {
      throw InputError(
          fmt::format("hybrid: more than {:.0e} products of a worker's samples; a "
                      "network that is computed is a small one",
                      kMostProducts));
    }
    const std::size_t weights = outputs * channels * kernel * kernel;
    channels = outputs;
    side -= kernel - 1;
    return weights;
  };
  for (const auto& each : network.convolutions) {
    hybrid.tensors.push_back({.count = add(each.outputs, each.kernel)});
  }
  hybrid.inputs = channels * side * side;
  for (const std::size_t outputs : network.stack) hybrid.kept += add(outputs, side);
  std::ranges::reverse(hybrid.tensors);
  std::size_t first = 0;
  for (Extent& tensor : hybrid.tensors) {
    tensor.first = first;
    first = tensor.end();
  }
  hybrid.network = std::move(network);
  return hybrid;
}

/// Cuts a model in two: the tensors before its first fully connected layer, and the stack.
Hybrid cut(Model model) {
  const auto first = std::ranges::find_if(model.tensors, is_fully_connected);
  const auto is_of_stack = [](const Tensor& tensor) {
    return is_fully_connected(tensor) || tensor.forward_macs == 0;  // a bias
  };
  if (first == model.tensors.end() || !std::all_of(first, model.tensors.end(), is_of_stack)) {
    throw InputError(
        fmt::format("hybrid: the last layers of {} are not fully connected", model.name));
  }
  Hybrid hybrid{.inputs = first->shape[1]};
  const std::size_t all = model.elements();
  model.tensors.erase(first, model.tensors.end());
  hybrid.kept = all - model.elements();
  hybrid.tensors = extents_of(model);
  return hybrid;
}

}  // namespace

std::size_t Hybrid::gradients() const {
  return tensors.empty() ? 0 : tensors.back().end();
}

bool is_hybrid(std::string_view workload) {
  return workload.starts_with(kHybridName) &&
         workload.find_first_not_of(' ', kHybridName.size()) == workload.find('(');
}

Hybrid parse_hybrid(std::string_view workload) {
  const text::Spec spec = text::parse_spec(workload);
  const text::Arguments arguments(kHybridName, spec, kHybridOptions);
  const bool is_own =
      arguments.has("image") || arguments.has("convolutions") || arguments.has("stack");
  if (is_own && arguments.has("model")) {
    throw InputError("hybrid: model and a network both say what is trained; keep one");
  }
  if (!is_own) static_cast<void>(required(arguments, "model"));
  if (!arguments.has("samples")) static_cast<void>(required(arguments, "samples"));
  const std::size_t samples = arguments.number_or("samples", 0);
  if (samples > kMostDense) {
    throw InputError(fmt::format("hybrid: samples={} is more than {}", samples, kMostDense));
  }
  Hybrid hybrid = is_own ? hybrid_of(network_in(arguments), samples)
                         : cut(load_model(*arguments.word("model")));
  hybrid.samples = samples;
  hybrid.host = Rank(arguments.index_or("host", 0));
  return hybrid;
}

}  // namespace gradwire::workloads
