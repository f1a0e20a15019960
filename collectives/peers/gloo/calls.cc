#include "collectives/peers/gloo/calls.h"

#include <cstdint>
#include <utility>
#include <vector>

#include <gloo/allgatherv.h>
#include <gloo/allreduce_bcube.h>
#include <gloo/allreduce_halving_doubling.h>
#include <gloo/allreduce_ring_chunked.h>
#include <gloo/alltoallv.h>
#include <gloo/broadcast.h>
#include <gloo/math.h>
#include <gloo/reduce.h>
#include <gloo/reduce_scatter.h>

#include "collectives/peers/blocks.h"
#include "core/error.h"

namespace gradwire::peers::gloo {
namespace {

using Context = std::shared_ptr<::gloo::Context>;

std::shared_ptr<::gloo::Algorithm> summing(Algorithm algorithm, const Context& context,
                                           std::span<float> values) {
  const std::vector<float*> pointers{values.data()};
  const int count = static_cast<int>(values.size());
  switch (algorithm) {
    case Algorithm::ring:
      return std::make_shared<::gloo::AllreduceRingChunked<float>>(context, pointers, count);
    case Algorithm::halving_doubling:
      return std::make_shared<::gloo::AllreduceHalvingDoubling<float>>(context, pointers, count);
    case Algorithm::bcube:
      return std::make_shared<::gloo::AllreduceBcube<float>>(context, pointers, count);
  }
  throw_bug("an algorithm is one of those that Gloo has");
}

template <class Count>
std::vector<Count> counts_of(std::span<const Extent> extents) {
  std::vector<Count> counts;
  for (const Extent& extent : extents) counts.push_back(static_cast<Count>(extent.count));
  return counts;
}

/// An all-gather in place: every rank's part lies where it goes.
Call all_gather(const Context& context, std::span<float> values, const Group& group) {
  const std::vector<Extent> parts = parts_of({0, values.size()}, group.ranks);
  return {.run = [context, values, counts = counts_of<std::size_t>(parts)] {
    ::gloo::AllgathervOptions options(context);
    options.setOutput(values.data(), counts);
    ::gloo::allgatherv(options);
  }};
}

/// A reduce-scatter, which puts the rank's part at the beginning of the values.
Call reduce_scatter(const Context& context, std::span<float> values, const Group& group) {
  const std::vector<Extent> parts = parts_of({0, values.size()}, group.ranks);
  auto algorithm = std::make_shared<::gloo::ReduceScatterHalvingDoubling<float>>(
      context, std::vector<float*>{values.data()}, static_cast<int>(values.size()),
      counts_of<int>(parts));
  return {.run = [algorithm] { algorithm->run(); },
          .put_in_place =
              [values, own = parts[group.self.index()]] {
                unpack(values.first(own.count), {&own, 1}, values);
              }};
}

Call all_to_all(const Context& context, std::span<float> values, const Group& group) {
  const Extent whole{0, values.size()};
  const std::vector<Extent> sends = blocks_to_each(whole, group);
  std::vector<Extent> gets = blocks_from_each(whole, group);
  auto output = std::make_shared<std::vector<float>>(count_of(gets));
  return {
      .run =
          [context, values, output, first = sends.front().first,
           sent = counts_of<std::int64_t>(sends), received = counts_of<std::int64_t>(gets)] {
            ::gloo::AlltoallvOptions options(context);
            options.setInput(values.data() + first, sent);
            options.setOutput(output->data(), received);
            ::gloo::alltoallv(options);
          },
      .put_in_place = [values, output, gets = std::move(gets)] { unpack(*output, gets, values); }};
}

Call broadcast(const Context& context, std::span<float> values) {
  return {.run = [context, values] {
    ::gloo::BroadcastOptions options(context);
    options.setOutput(values.data(), values.size());
    options.setRoot(0);
    ::gloo::broadcast(options);
  }};
}

Call reduce(const Context& context, std::span<float> values) {
  return {.run = [context, values] {
    ::gloo::ReduceOptions options(context);
    options.setOutput(values.data(), values.size());
    options.setRoot(0);
    options.setReduceFunction(
        static_cast<void (*)(void*, const void*, const void*, std::size_t)>(&::gloo::sum<float>));
    ::gloo::reduce(options);
  }};
}

}  // namespace

Call make_call(const std::shared_ptr<::gloo::Context>& context, std::span<float> gradient,
               const Extent& whole, const ConnectOptions& options) {
  const std::span<float> values = gradient.subspan(whole.first, whole.count);
  const Group group{.self = options.self, .ranks = options.ranks};
  switch (options.what) {
    case What::all_reduce:
      return {.run = [sum = summing(options.algorithm, context, values)] { sum->run(); }};
    case What::reduce_scatter:
      return reduce_scatter(context, values, group);
    case What::all_gather:
      return all_gather(context, values, group);
    case What::all_to_all:
      return all_to_all(context, values, group);
    case What::broadcast:
      return broadcast(context, values);
    case What::reduce:
      return reduce(context, values);
  }
  throw_bug("a collective is one of those that Gloo has");
}

}  // namespace gradwire::peers::gloo
