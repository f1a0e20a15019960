#include "results/record/rank_iteration.h"

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/whole_number.h"

namespace gradwire::record {
namespace {

using nlohmann::json;

json to_json(const RankTraining& training) {
  json buckets = json::array();
  for (const RankBucket& bucket : training.buckets) {
    buckets.push_back({bucket.ready.count(), bucket.start.count(), bucket.end.count()});
  }
  return {{"compute_end_ns", training.compute_end.count()},
          {"buckets", std::move(buckets)},
          {"parameters", training.parameters}};
}

RankTraining rank_training_from_json(const json& value) {
  RankTraining training{.compute_end = nanoseconds_from_json(value.at("compute_end_ns")),
                        .parameters = text::whole_number<std::uint64_t>(value.at("parameters"))};
  for (const auto& bucket : value.at("buckets")) {
    training.buckets.push_back({.ready = nanoseconds_from_json(bucket.at(0)),
                                .start = nanoseconds_from_json(bucket.at(1)),
                                .end = nanoseconds_from_json(bucket.at(2))});
  }
  return training;
}

json to_json(const RankDense& dense) {
  json result{{"products_ns", dense.products.count()}};
  if (dense.deviation) result["deviation"] = *dense.deviation;
  return result;
}

RankDense rank_dense_from_json(const json& value) {
  RankDense dense{.products = nanoseconds_from_json(value.at("products_ns"))};
  if (value.contains("deviation")) dense.deviation = value.at("deviation").get<double>();
  return dense;
}

json to_json(const RankProgram& program) {
  json ends = json::array();
  for (const Nanoseconds end : program.ends) ends.push_back(end.count());
  json nodes = json::array();
  for (const RankNode& node : program.nodes) {
    nodes.push_back({node.start.count(), node.end.count(), node.cause});
  }
  return {{"ends", std::move(ends)}, {"nodes", std::move(nodes)}, {"verified", program.verified}};
}

RankProgram rank_program_from_json(const json& value) {
  RankProgram program{.verified = text::whole_number<std::uint64_t>(value.at("verified"))};
  for (const json& end : value.at("ends")) program.ends.push_back(nanoseconds_from_json(end));
  for (const json& node : value.at("nodes")) {
    program.nodes.push_back({.start = nanoseconds_from_json(node.at(0)),
                             .end = nanoseconds_from_json(node.at(1)),
                             .cause = text::whole_number<std::uint32_t>(node.at(2))});
  }
  return program;
}

}  // namespace

Nanoseconds nanoseconds_from_json(const json& json) {
  const auto count = text::whole_number<Nanoseconds::rep>(json);
  if (count < -kMostNanoseconds || count > kMostNanoseconds) {
    throw InternalError("a time is beyond 73 years");
  }
  return Nanoseconds(count);
}

json to_json(const TracedTransfer& transfer) {
  return {
      transfer.bucket,          transfer.lane,           transfer.step,          transfer.sends,
      transfer.peer.rank.value, transfer.peer.via.value, transfer.peer.at.value, transfer.elements,
      transfer.posted.count(),  transfer.done.count()};
}

TracedTransfer traced_transfer_from_json(const json& json) try {
  const auto number = [&json](std::size_t i) {
    return text::whole_number<std::size_t>(json.at(i));
  };
  return {.bucket = number(0),
          .lane = number(1),
          .step = number(2),
          .sends = json.at(3),
          .peer = {.rank = Rank(number(4)), .via = Port(number(5)), .at = Port(number(6))},
          .elements = number(7),
          .posted = nanoseconds_from_json(json.at(8)),
          .done = nanoseconds_from_json(json.at(9))};
} catch (const nlohmann::json::exception& error) {
  throw InternalError(std::string("transfer: ") + error.what());
}

json to_json(const RankIteration& iteration) {
  json result{
      {"start_ns", iteration.start.count()}, {"end_ns", iteration.end.count()}, {"wrong", nullptr}};
  if (iteration.wrong) result["wrong"] = *iteration.wrong;
  if (iteration.training) result["training"] = to_json(*iteration.training);
  if (iteration.dense) result["dense"] = to_json(*iteration.dense);
  if (iteration.program) result["program"] = to_json(*iteration.program);
  if (iteration.stood_still > Nanoseconds::zero()) {
    result["stood_still_ns"] = iteration.stood_still.count();
  }
  for (const LinkEvent& event : iteration.links) {
    result["links"].push_back({event.port.value, event.what});
  }
  return result;
}

RankIteration rank_iteration_from_json(const json& json) try {
  RankIteration iteration{.start = nanoseconds_from_json(json.at("start_ns")),
                          .end = nanoseconds_from_json(json.at("end_ns")),
                          .stood_still = json.contains("stood_still_ns")
                                             ? nanoseconds_from_json(json.at("stood_still_ns"))
                                             : Nanoseconds::zero()};
  if (!json.at("wrong").is_null())
    iteration.wrong = text::whole_number<std::int64_t>(json.at("wrong"));
  if (json.contains("training")) iteration.training = rank_training_from_json(json.at("training"));
  if (json.contains("dense")) iteration.dense = rank_dense_from_json(json.at("dense"));
  if (json.contains("program")) iteration.program = rank_program_from_json(json.at("program"));
  if (json.contains("links")) {
    for (const auto& event : json.at("links")) {
      iteration.links.push_back(
          {.port = Port(text::whole_number<std::size_t>(event.at(0))), .what = event.at(1)});
    }
  }
  return iteration;
} catch (const nlohmann::json::exception& error) {
  throw InternalError(std::string("step: ") + error.what());
}

}  // namespace gradwire::record
