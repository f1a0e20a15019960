#include "reproduce/late_multiply.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/count.h"
#include "reproduce/evidence.h"
#include "reproduce/formulas.h"
#include "results/record/flags.h"
#include "workloads/device.h"
#include "workloads/model.h"
#include "workloads/profile.h"

namespace gradwire::reproduce::late_multiply_claims {
namespace {

constexpr double kMiB = 1048576;
constexpr std::uint64_t kBatch = 256;  // LM-13, of all workers together
constexpr const char* kExperiments[] = {"late-multiply-10gbe", "late-multiply-56gbib"};

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

/// Elements that all Plans send together.
double moved(const Planned& planned) {
  std::uint64_t sum = 0;
  for (const Plan& plan : planned.plans) {
    for (const PortCount& port : count_ports(plan)) sum += port.sent;
  }
  return static_cast<double>(sum);
}

/// How many times as long reduce and broadcast take as all-gather, network alone.
double network_gain(std::size_t workers) {
  const Dense alexnet = dense_layers(workloads::load_model("alexnet"));
  return 2 * static_cast<double>(workers * alexnet.weights) /
         static_cast<double>(kBatch * alexnet.units);
}

/// The same from runs: the all-gather is the second half of the ring.
double network_gain(const Rows& rows, std::size_t workers) {
  const std::string wiring = fmt::format("single-switch({})", workers);
  const double reduce = rows.at({.algorithm = "ps(servers=1)", .wiring = wiring}).gst();
  return reduce / (rows.at({.algorithm = "ring", .wiring = wiring}).gst() / 2);
}

/// What a worker's n-1 extra products of late-multiply take on a K40 at the share of its peak that is assumed
/// everywhere.
double extra_products(std::size_t workers) {
  const Dense alexnet = dense_layers(workloads::load_model("alexnet"));
  const auto samples = static_cast<double>(kBatch * (workers - 1)) / static_cast<double>(workers);
  return samples * 2 * static_cast<double>(alexnet.weights) /
         (workloads::kDefaultEfficiency * workloads::find_device("k40c").flops);
}

/// Late-multiply's gain with its products, where reduce and broadcast take so long.
double gain_with_products(double reduce, double network_gain) {
  return reduce / (reduce / network_gain + extra_products(2));
}

/// Speed-ups recomputed from printed times agree with the printed ones, to their last digit.
bool agree(const std::string& times, const std::string& speed_ups) {
  for (std::size_t i = 0; i < count_of(times); ++i) {
    const double ratio = number_of(times, 0) / number_of(times, i);
    if (std::abs(ratio - number_of(speed_ups, i)) > 0.0051) return false;
  }
  return true;
}

/// The least that hybrid is faster than data parallelism by.
double smallest_gap(const std::vector<std::pair<const char*, const char*>>& times) {
  std::vector<double> all;
  for (const auto& [data, hybrid] : times) {
    for (std::size_t i = 1; i < 4; ++i) all.push_back(number_of(data, i) / number_of(hybrid, i));
  }
  return std::ranges::min(all);
}

}  // namespace

Finding claim_44(const Runs& runs) {
  Evidence e(fmt::format("{}, at least {}", printed("LM-2c"), printed("LM-2e")));
  const double bytes = 4 * std::pow(number_of("LM-2a"), 2);
  e.theory().number("{:.0f} MB", bytes / 1e6, number_of("LM-2c"));
  e.theory().number("{:.0f} ms at line rate", 1e3 * 8 * bytes / (1e9 * number_of("LM-2d")),
                    number_of("LM-2e"), 0.21);
  e.both(runs, "dense-layer", [](const Rows& rows, Entry in) {
    in.number("{:.0f} ms", 1e3 * rows.at({}).gst() / 2, number_of("LM-2e"), 0.21);
  });
  e.partly("320 ms, 20 % below; 400 ms would be 8 Gbit/s");
  return e.finish();
}

Finding claim_45(const Runs& runs) {
  Evidence e(fmt::format("K*N against {}", printed("LM-4")));
  const Dense alexnet = dense_layers(workloads::load_model("alexnet"));
  for (const std::size_t workers : {2u, 4u}) {
    const std::string wiring = fmt::format("single-switch({})", workers);
    const double reduced = moved(plan_all("ps(servers=1)", wiring, alexnet.weights));
    const double gathered = moved(plan_all("ring", wiring, kBatch * alexnet.units)) / 2;
    e.theory().agrees("reduce and broadcast", reduced,
                      2.0 * static_cast<double>((workers - 1) * alexnet.weights));
    e.theory().agrees("all-gather", gathered,
                      static_cast<double>((workers - 1) * kBatch * alexnet.units));
  }
  e.theory().say(fmt::format("AlexNet: {:.0f} MB against {:.0f} MB of {} samples",
                             4e-6 * static_cast<double>(alexnet.weights),
                             4e-6 * static_cast<double>(kBatch * alexnet.units), kBatch));
  e.both(runs, kExperiments[0], [](const Rows& rows, Entry in) {
    for (const std::size_t workers : {2u, 4u}) {
      in.number("{:.1f} times less time", network_gain(rows, workers), network_gain(workers));
    }
  });
  return e.finish();
}

Finding claim_46(const Runs& runs) {
  const auto gain = [](const char* without, const char* with, std::size_t i) {
    return number_of(without, i) / number_of(with, i);
  };
  Evidence e(fmt::format("{:.2f}, {:.2f} times; {:.2f}, {:.2f}", gain("LM-9", "LM-10", 1),
                         gain("LM-9", "LM-10", 2), gain("LM-11", "LM-12", 1),
                         gain("LM-11", "LM-12", 2)));
  e.theory().say(
      fmt::format("network alone {:.1f}, {:.1f} times", network_gain(2), network_gain(4)));
  e.both(runs, kExperiments[0], [](const Rows& rows, Entry in) {
    for (const std::size_t workers : {2u, 4u}) {
      in.number("{:.1f} times", network_gain(rows, workers), network_gain(workers));
    }
  });
  e.not_here("neither the layers that are counted nor their GPUs' times are stated");
  return e.finish();
}

Finding claim_47(const Runs& runs) {
  Evidence e("more gain at 10 than at 56 Gbit/s");
  const Dense alexnet = dense_layers(workloads::load_model("alexnet"));
  const auto expected = [&](double rate) {
    const double reduce = 8 * 4 * 2 * static_cast<double>(alexnet.weights) / rate;
    return gain_with_products(reduce, network_gain(2));
  };
  const double gains[] = {expected(10e9), expected(56e9)};
  e.theory().holds(gains[0] > gains[1],
                   fmt::format("{:.1f} > {:.1f} times with the products", gains[0], gains[1]));
  for (std::size_t network = 0; network < 2; ++network) {
    e.both(runs, kExperiments[network], [&](const Rows& rows, Entry in) {
      const double reduce =
          rows.at({.algorithm = "ps(servers=1)", .wiring = "single-switch(2)"}).gst();
      in.number("{:.1f} times", gain_with_products(reduce, network_gain(rows, 2)), gains[network],
                0.05);
    });
  }
  return e.finish();
}

Finding claim_48(const Runs& /*runs*/) {
  Evidence e(fmt::format("{}; {}; {}", printed("LM-6a"), printed("LM-7a"), printed("LM-8")));
  const workloads::Model alexnet = workloads::load_model("alexnet");
  const auto parameters = static_cast<double>(alexnet.elements());
  const Dense dense = dense_layers(alexnet);
  e.theory().number("{:.0f}", parameters, number_of("LM-6a"), 0.02);
  e.theory().number("{:.1f} %", 100 * static_cast<double>(dense.parameters) / parameters,
                    number_of("LM-7a"), 0.005);
  e.theory().number("{:.1f} per neuron of 650,000", parameters / number_of("LM-6b"),
                    number_of("LM-8"), 0.05);
  return e.finish();
}

Finding claim_49(const Runs& runs) {
  Evidence e(fmt::format("{}; {}", printed("LM-14"), printed("LM-19")));
  const workloads::Model alexnet = workloads::load_model("alexnet");
  const auto convolutions =
      static_cast<double>(alexnet.elements() - dense_layers(alexnet).parameters);
  for (std::size_t i = 1; i < 4; ++i) {
    const auto workers = std::size_t{1} << i;
    const auto planned =
        plan_all("ps(servers=1, dedicated)", fmt::format("single-switch({})", workers + 1),
                 alexnet.elements());
    e.theory().number("{:.0f}", 4 * moved(planned) / kMiB, number_of("LM-14", i));
    const double hybrid = 2 * static_cast<double>(workers) * convolutions + 2.0 * kBatch * 9216;
    e.theory().number("{:.0f} MiB", 4 * hybrid / kMiB, number_of("LM-19", i), 0.01);
  }
  e.both(runs, "late-multiply-volume", [](const Rows& rows, Entry in) {
    for (std::size_t i = 1; i < 4; ++i) {
      const auto workers = std::size_t{1} << i;
      const Result row = rows.at({.wiring = fmt::format("single-switch({})", workers + 1)});
      in.holds(!row.has_flag(record::kFlagBytesOffPlan), "bytes as in the Plan");
      const double bytes = 2.0 * static_cast<double>(workers * row.row->configuration.bytes());
      in.number("{:.0f} MiB", bytes / kMiB, number_of("LM-14", i));
      in.agrees("time", row.gst_t_f(), 2.0 * static_cast<double>(workers));
    }
  });
  return e.finish();
}

Finding claim_50(const Runs& /*runs*/) {
  Evidence e(fmt::format("gaps from {} (M40) and {} (K40); {} at best", number_of("LM-32a"),
                         number_of("LM-32b"), number_of("LM-1")));
  for (const int times : {15, 17, 20, 22, 24, 26, 28, 30}) {
    e.theory().holds(agree(fmt::format("LM-{}", times), fmt::format("LM-{}", times + 1)),
                     "speed-ups are those of the printed times");
  }
  e.theory().number("{:.2f}", smallest_gap({{"LM-15", "LM-20"}, {"LM-17", "LM-22"}}),
                    number_of("LM-32a"), 0.01);
  e.theory().number("{:.2f}", smallest_gap({{"LM-24", "LM-28"}, {"LM-26", "LM-30"}}),
                    number_of("LM-32b"), 0.01);
  e.theory().number("{:.1f} on 8 M40", number_of("LM-17", 3) / number_of("LM-22", 3),
                    number_of("LM-1"), 0.07);
  e.not_here("the tables agree with themselves; their times are of M40 and K40 GPUs");
  return e.finish();
}

Finding claim_51(const Runs& runs) {
  Evidence e(fmt::format("sum, not average; weight decay {}", printed("LM-35")));
  // y = w x on 2 replicas of 3 samples each; loss: mean of (y - 1)^2 / 2 over all 6, and decay.
  const double inputs[2][3] = {{1, 2, 3}, {4, 5, 6}};
  constexpr double kWeight = 0.5, kDecay = 0.1;
  double whole = kDecay * kWeight, summed = 0, undivided = 0;
  for (const auto& replica : inputs) {
    double gradient = 0;
    for (const double x : replica) gradient += (kWeight * x - 1) * x / 6;
    whole += gradient;
    summed += gradient + kDecay / 2 * kWeight;
    undivided += gradient + kDecay * kWeight;
  }
  e.theory().number("sum with decay/m: {:.4f}", summed, whole, 1e-12);
  e.theory().holds(std::abs(summed / 2 - whole) > 1 && std::abs(undivided - whole) > 0.01,
                   "an average, or all of the decay, is something else");
  e.measured(runs, "quickstart", [](const Rows& rows, Entry in) {
    for (const char* algorithm : {"ring", "ps", "bml"}) {
      in.holds(rows.at({.algorithm = algorithm}).row->wrong == 0, "sums exact");
    }
  });
  return e.finish();
}

}  // namespace gradwire::reproduce::late_multiply_claims
