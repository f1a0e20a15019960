#include "workloads/dense/values.h"

#include "core/error.h"
#include "core/hasher.h"

namespace gradwire::dense {
namespace {

/// Number i of the key's random sequence, by SplitMix64 (Steele et al., OOPSLA 2014).
std::uint64_t random_bits(std::uint64_t key, std::uint64_t i) {
  std::uint64_t z = key + (i + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

void fill(const Source& source, std::size_t first, float offset, std::span<float> part) {
  Hasher key;
  key.mix(source.seed);
  key.mix(source.iteration);
  key.mix(source.rank.index());
  for (std::size_t i = 0; i < part.size(); ++i) {
    const auto bits = static_cast<std::uint32_t>(random_bits(key.value(), first + i) >> 40);
    part[i] = static_cast<float>(bits) * 0x1p-24F + offset;  // 24 bits: exact
  }
}

}  // namespace

std::vector<LayerPlace> places(const workloads::DenseStack& stack) {
  std::vector<LayerPlace> all;
  std::size_t share = 0;
  std::size_t weights = 0;
  for (const workloads::DenseLayer& layer : stack.layers) {
    const Extent inputs{.first = share, .count = stack.samples * layer.inputs};
    const Extent errors{.first = inputs.end(), .count = stack.samples * layer.outputs};
    all.push_back({.inputs = inputs,
                   .errors = errors,
                   .weights = {.first = weights, .count = layer.weights()}});
    share = errors.end();
    weights += layer.weights();
  }
  return all;
}

void fill_inputs(const Source& source, std::size_t first, std::span<float> part) {
  fill(source, first, 0, part);
}

void fill_errors(const Source& source, std::size_t first, std::span<float> part) {
  fill(source, first, -0.5F, part);
}

void fill_share(const Source& source, const workloads::DenseStack& stack, std::span<float> share) {
  ensure(share.size() == stack.values(), "a worker's share has M (N + K) values");
  for (const LayerPlace& place : places(stack)) {
    const auto part = [&](const Extent& extent) {
      return share.subspan(extent.first, extent.count);
    };
    fill_inputs(source, place.inputs.first, part(place.inputs));
    fill_errors(source, place.errors.first, part(place.errors));
  }
}

}  // namespace gradwire::dense
