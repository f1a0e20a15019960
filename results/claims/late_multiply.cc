#include "results/claims/late_multiply.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "results/claims/evidence.h"
#include "results/claims/formulas.h"
#include "workloads/device.h"
#include "workloads/model.h"
#include "workloads/profile.h"

namespace gradwire::claims::late_multiply_claims {
namespace {

constexpr std::uint64_t kLateBatch = 256;  // LM-13, of all workers together
constexpr const char* kExperiments[] = {"late-multiply-measured-10gbe",
                                        "late-multiply-measured-56gbib"};
constexpr std::size_t kGigabits[] = {10, 56};  ///< per second, of these
constexpr std::size_t kWorkers[] = {2, 4};

/// The fully connected layers of a model.
struct Dense {
  std::uint64_t weights = 0;  ///< sum of K N
  std::uint64_t units = 0;    ///< sum of N + K
  std::uint64_t parameters = 0;
};

Dense dense_layers(const workloads::Model& model) {
  Dense dense;
  for (std::size_t i = 0; i < model.tensors.size(); ++i) {
    const workloads::Tensor& tensor = model.tensors[i];
    if (tensor.shape.size() != 2) continue;
    dense.weights += tensor.elements;
    dense.units += tensor.shape[0] + tensor.shape[1];
    dense.parameters += tensor.elements + model.tensors.at(i + 1).elements;  // and its bias
  }
  return dense;
}

const Dense& alexnet_layers() {
  static const Dense dense = dense_layers(workloads::load_model("alexnet"));
  return dense;
}

/// How many times as long reduce and broadcast take as all-gather, network alone.
double network_gain(std::size_t workers) {
  const Dense& alexnet = alexnet_layers();
  return 2 * static_cast<double>(workers * alexnet.weights) /
         static_cast<double>(kLateBatch * alexnet.units);
}

/// What reduce and broadcast take in runs.
double reduce_time(const Rows& rows, std::size_t workers) {
  const std::string wiring = fmt::format("single-switch({})", workers);
  return rows.at({.algorithm = "ps(servers=1)", .wiring = wiring}).gst();
}

/// The row of late-multiply, which is an all-gather.
Result late(const Rows& rows, std::size_t workers) {
  const std::string wiring = fmt::format("single-switch({})", workers);
  return rows.at({.algorithm = "all-gather(ring)", .wiring = wiring});
}

double network_gain(const Rows& rows, std::size_t workers) {
  return reduce_time(rows, workers) / late(rows, workers).gst();
}

/// How many times the products of an early multiplication late-multiply forms.
double products(const Rows& rows, std::size_t workers) {
  const std::string wiring = fmt::format("single-switch({})", workers);
  return late(rows, workers).products() /
         rows.at({.algorithm = "ps(servers=1)", .wiring = wiring}).products();
}

/// What a worker's n-1 extra products of late-multiply take on a K40 at the share of its peak that is assumed
/// everywhere.
double extra_products(std::size_t workers) {
  const Dense& alexnet = alexnet_layers();
  const auto samples =
      static_cast<double>(kLateBatch * (workers - 1)) / static_cast<double>(workers);
  return samples * 2 * static_cast<double>(alexnet.weights) /
         (workloads::kDefaultEfficiency * workloads::find_device("k40c").flops);
}

/// Late-multiply's gain with its products, where reduce and broadcast take so long.
double gain_with_products(double reduce, double network_gain) {
  return reduce / (reduce / network_gain + extra_products(2));
}

/// Table 1: our gain on one network beside the printed one, for all workers.
void beside_table_1(Evidence& e, const Runs& runs, std::size_t network) {
  const char* tables[2][2] = {{"LM-9", "LM-10"}, {"LM-11", "LM-12"}};
  for (std::size_t i = 0; i < std::size(kWorkers); ++i) {
    const std::size_t workers = kWorkers[i];
    const Expected table =
        paper(number_of(tables[network][0], i + 1) / number_of(tables[network][1], i + 1));
    const std::string text = fmt::format("{} Gbit/s, {}: {{:.1f}}", kGigabits[network], workers);
    e.theory().beside(text, network_gain(workers), table);
    e.both(runs, kExperiments[network], [&](const Rows& rows, Entry in) {
      const double gain = network_gain(rows, workers);
      in.beside(text, gain, table);
      in.agrees(fmt::format("gain with {}", workers), gain, ours(network_gain(workers)));
    });
  }
}

}  // namespace

Finding claim_44(const Runs& runs) {
  Evidence e(fmt::format("{}, at least {}", printed("LM-2c"), printed("LM-2e")));
  const double bytes = 4 * std::pow(number_of("LM-2a"), 2);
  const double at_line_rate = 1e3 * 8 * bytes / (1e9 * number_of("LM-2d"));
  e.theory().number("{:.0f} MB", bytes / 1e6, paper("LM-2c"));
  e.theory().beside("{:.0f} ms at line rate", at_line_rate, paper("LM-2e"));
  e.both(runs, "dense-layer", [&](const Rows& rows, Entry in) {
    const double time = 1e3 * rows.at({}).gst() / 2;
    in.beside("{:.0f} ms", time, paper("LM-2e"));
    in.agrees("one way", time, ours(at_line_rate));
  });
  e.differs("400 ms is 400 MB at 8 Gbit/s, not at 10; most likely it is rounded up");
  return e.finish();
}

Finding claim_45(const Runs& runs) {
  Evidence e(fmt::format("K*N against {}", printed("LM-4")));
  const Dense& alexnet = alexnet_layers();
  for (const std::size_t workers : kWorkers) {
    const std::string wiring = fmt::format("single-switch({})", workers);
    const auto others = static_cast<double>(workers - 1);
    const double reduced = sent(plan_all("ps(servers=1)", wiring, alexnet.weights));
    const double gathered = sent(plan_all("all-gather(ring)", wiring, kLateBatch * alexnet.units));
    e.theory().agrees("each way of a worker's weights", reduced / (2 * others),
                      paper(static_cast<double>(alexnet.weights)));  // K N
    e.theory().agrees("all inputs and errors at another worker", gathered / others,
                      paper(static_cast<double>(kLateBatch * alexnet.units)));  // M (N + K)
    e.both(runs, kExperiments[0], [&](const Rows& rows, Entry in) {
      in.number("{:.1f} times less time", network_gain(rows, workers), ours(network_gain(workers)));
    });
    for (const char* experiment : kExperiments) {
      e.measured(runs, experiment, [&](const Rows& rows, Entry in) {
        in.number("{:.2f} times the products", products(rows, workers),
                  paper(static_cast<double>(workers)), 0.15);
      });
    }
  }
  e.theory().say(fmt::format("AlexNet: {:.0f} MB against {:.0f} MB of {} samples",
                             4e-6 * static_cast<double>(alexnet.weights),
                             4e-6 * static_cast<double>(kLateBatch * alexnet.units), kLateBatch));
  return e.finish();
}

Finding claim_46(const Runs& runs) {
  const auto gain = [](const char* without, const char* with, std::size_t i) {
    return number_of(without, i) / number_of(with, i);
  };
  Evidence e(fmt::format("{:.2f}, {:.2f} times; {:.2f}, {:.2f}", gain("LM-9", "LM-10", 1),
                         gain("LM-9", "LM-10", 2), gain("LM-11", "LM-12", 1),
                         gain("LM-11", "LM-12", 2)));
  for (const std::size_t network : {0u, 1u}) beside_table_1(e, runs, network);
  e.differs(
      "ours is the network alone. Most likely theirs is not: 894 ms is 42 % of line rate, and "
      "copies and late products count; which layers do, and the GPUs' times, are not stated");
  return e.finish();
}

Finding claim_47(const Runs& runs) {
  Evidence e(fmt::format("more gain at 10 than at 56 Gbit/s: {:.2f}, {:.2f} times",
                         number_of("LM-9", 1) / number_of("LM-10", 1),
                         number_of("LM-11", 1) / number_of("LM-12", 1)));
  e.fitted("1, the share of its peak that a K40 reaches, assumed at 35 %");
  const Dense& alexnet = alexnet_layers();
  const auto expected = [&](std::size_t network) {
    const double rate = 1e9 * static_cast<double>(kGigabits[network]);
    const double reduce = 8 * 4 * 2 * static_cast<double>(alexnet.weights) / rate;
    return gain_with_products(reduce, network_gain(2));
  };
  e.theory().less("more gain on the slower network", expected(1), expected(0));
  for (const std::size_t network : {0u, 1u}) {
    const char* times = network == 0 ? "LM-9" : "LM-11";
    const char* late = network == 0 ? "LM-10" : "LM-12";
    const Expected table = paper(number_of(times, 1) / number_of(late, 1));
    e.theory().beside("{:.1f} times", expected(network), table);
    e.both(runs, kExperiments[network], [&](const Rows& rows, Entry in) {
      const double reduce = reduce_time(rows, 2);
      in.beside("{:.1f} times", gain_with_products(reduce, network_gain(rows, 2)), table);
      in.agrees("network alone", network_gain(rows, 2), ours(network_gain(2)));
    });
  }
  e.partly("more on the slower network, as printed, with products of an assumed GPU added");
  return e.finish();
}

Finding claim_48(const Runs& /*runs*/) {
  Evidence e(fmt::format("{}; {}; {}", printed("LM-6a"), printed("LM-7a"), printed("LM-8")));
  const workloads::Model alexnet = workloads::load_model("alexnet");
  const auto parameters = static_cast<double>(alexnet.elements());
  const Dense dense = dense_layers(alexnet);
  e.theory().number("{:.0f}", parameters, paper("LM-6a"), 0.02);
  e.theory().number("{:.1f} %", 100 * static_cast<double>(dense.parameters) / parameters,
                    paper("LM-7a"), 0.005);
  e.theory().number("{:.1f} per neuron of 650,000", parameters / number_of("LM-6b"), paper("LM-8"),
                    0.05);
  return e.finish();
}

}  // namespace gradwire::claims::late_multiply_claims
