#include "results/record/dense_sample.h"

#include <algorithm>

namespace gradwire::record {

DenseSample dense_sample(std::span<const RankIteration> ranks) {
  DenseSample sample;
  for (const RankIteration& rank : ranks) {
    if (!rank.dense) continue;
    sample.products = std::max(sample.products, rank.dense->products);
    if (!rank.dense->deviation) continue;
    sample.deviation = std::max(sample.deviation.value_or(0), *rank.dense->deviation);
  }
  return sample;
}

}  // namespace gradwire::record
