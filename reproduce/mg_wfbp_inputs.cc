#include <vector>

#include <fmt/format.h>

#include "core/mtu.h"
#include "reproduce/evidence.h"
#include "reproduce/formulas.h"
#include "reproduce/mg_wfbp.h"
#include "schedule/cost.h"
#include "testbed/shape.h"
#include "workloads/model.h"

/// Claims 22 to 25, 31 to 33 and 43: what an all-reduce costs, and what is reduced.
namespace gradwire::reproduce::mg_wfbp_claims {
namespace {

using schedule::Affine;
using schedule::Network;
using workloads::load_model;
using workloads::Model;

/// The network that all-reduce-sizes.yaml asks for.
Network network_of_sizes() {
  return {.alpha = Seconds(69.43e-6),
          .beta = 8 / (10e9 * testbed::payload_fraction(kDefaultMtu)),
          .gamma = 0.65e-9};
}

constexpr const char* kSizes = "all-reduce-sizes";  // simulated, from 200 KB
constexpr const char* kLines = "all-reduce-lines";  // measured, from 2 MB

std::string show(const char* name, const Affine& line) {
  return fmt::format("{} {:.0f} us + {:.2f} ns/B", name, line.a.count() * 1e6, line.b * 1e9);
}

}  // namespace

Finding claim_22(const Runs& runs) {
  Evidence e(fmt::format("{}; two cost more than one of both", printed("MGT-1")));
  const Affine line = schedule::ring(8, network_of_sizes());
  e.theory().number("{:.0f} us saved by merging two",
                    1e6 * (2 * line.at(2e5) - line.at(4e5)).count(), 1e6 * line.a.count());
  const auto judge = [](const Rows& rows, Entry in) {
    in.number("r2 = {:.4f}", line_through(rows, "ring").r_squared, 1, 0.02);
    const std::vector<Result> sizes = rows.all({.algorithm = "ring"});  // each twice the one before
    const double saved = 2 * sizes.at(0).gst() - sizes.at(1).gst();
    in.holds(saved > 0, fmt::format("{:.0f} us saved", 1e6 * saved));
  };
  e.simulated(runs, kSizes, judge);
  e.measured(runs, kLines, judge);
  return e.finish();
}

Finding claim_23(const Runs& runs) {
  Evidence e("a and b of five algorithms");
  const Network network = network_of_sizes();
  const Affine ring = schedule::ring(8, network);
  const Affine halving = schedule::halving_doubling(8, network);
  e.theory().say(show("ring", ring));
  e.theory().say(show("halving-doubling", halving));
  e.theory().number("double trees {:.2f} ns/B", 1e9 * schedule::double_binary_trees(8, network).b,
                    1e9 * (2 * network.beta + network.gamma));
  e.simulated(runs, kSizes, [&](const Rows& rows, Entry in) {
    for (const auto& [name, formula] :
         {std::pair{"ring", ring}, std::pair{"halving-doubling", halving}}) {
      const Affine line = line_through(rows, name).line;
      in.agrees(name, line.a.count(), formula.a.count());
      in.agrees(name, line.b, formula.b);
      in.say(show(name, line));
    }
    const Affine trees = line_through(rows, "double-tree").line;
    in.holds(trees.b > 1.2 * (network.beta + network.gamma),
             fmt::format("double trees {:.2f} ns/B, not beta + gamma", 1e9 * trees.b));
  });
  e.measured(runs, kLines, [&](const Rows& rows, Entry in) {
    for (const char* name : {"ring", "halving-doubling", "double-tree"}) {
      const schedule::Fit fit = line_through(rows, name);
      in.agrees("r2", fit.r_squared, 1, 0.02);
      in.say(show(name, fit.line));
    }
  });
  e.partly(
      "the double trees' row lacks alpha and a beta; binary tree and recursive doubling are "
      "formulas here, not algorithms");
  return e.finish();
}

Finding claim_24(const Runs& runs) {
  Evidence e("90.52, 271.56, 633.64 us on 2, 4, 8");
  const char* ids[] = {"MGI-10", "MGI-11", "MGI-12"};
  const std::size_t nodes[] = {2, 4, 8};
  for (std::size_t i = 0; i < 3; ++i) {
    const Affine ring = schedule::ring(nodes[i], {.alpha = Seconds(45.26e-6)});
    e.theory().number("{:.2f}", 1e6 * ring.a.count(), number_of(ids[i]));
  }
  e.both(runs, "ring-startup", [&](const Rows& rows, Entry in) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string wiring = fmt::format("single-switch({})", nodes[i]);
      in.number("{:.2f}", 1e6 * rows.at({.wiring = wiring}).gst(), number_of(ids[i]), 0.1);
    }
  });
  return e.finish();
}

Finding claim_25(const Runs& runs) {
  Evidence e(fmt::format("{}, {} for 200 and 400 KB", printed("MGI-4a"), printed("MGI-4b")));
  const Affine fit{Seconds(number_of("MGT-14a")), number_of("MGT-14b")};
  e.theory().number("{:.2f}", 1e3 * fit.at(2e5).count(), number_of("MGI-4a"), 0.1);
  e.theory().number("{:.2f} ms by the paper's fit", 1e3 * fit.at(4e5).count(), number_of("MGI-4b"),
                    0.1);
  e.simulated(runs, kSizes, [](const Rows& rows, Entry in) {
    const auto time = [&](std::uint64_t elements) {
      return 1e3 * rows.at({.algorithm = "ring", .elements = elements}).gst();
    };
    in.number("{:.2f}", time(50'000), number_of("MGI-4a"), 0.1);
    in.number("{:.2f} ms", time(100'000), number_of("MGI-4b"), 0.1);
  });
  return e.finish();
}

Finding claim_31(const Runs& /*runs*/) {
  Evidence e("972, 908 and 236 us; 1.97, 0.74 and 0.406 ns/B");
  e.theory().say(fmt::format("inputs of claims 25, 34 and 36; cluster 1: alpha = {:.2f} us",
                             1e6 * number_of("MGT-14a") / 14));
  const double infocom = number_of("MGI-12") * 1e-6;
  e.theory().number("INFOCOM {:.2f} of this start-up on 8 nodes", infocom / number_of("MGT-14a"),
                    0.65, 0.01);
  e.partly("taken as they are: inputs; the two versions of the paper disagree on cluster 1");
  return e.finish();
}

Finding claim_32(const Runs& /*runs*/) {
  Evidence e("tensors, parameters, MACs of six models");
  const char* models[] = {"googlenet",   "resnet50",    "resnet152",
                          "densenet161", "densenet201", "inceptionv4"};
  for (std::size_t i = 0; i < 6; ++i) {
    const Model model = load_model(models[i]);
    const std::string row = fmt::format("MGT-{}", 7 + i);
    double macs = static_cast<double>(model.dense_forward_macs());
    for (const workloads::Tensor& tensor : model.tensors) {
      if (tensor.is_norm() && i > 1) macs += 4 * static_cast<double>(tensor.forward_macs);
    }
    e.theory().agrees(models[i], static_cast<double>(model.tensors.size()), number_of(row + "a"),
                      0);
    if (i > 0) {
      e.theory().agrees(models[i], static_cast<double>(model.elements()), number_of(row + "b"),
                        0.01);
    }
    e.theory().agrees(models[i], macs, number_of(row + "c"), 0.06);
  }
  const Model with_heads = load_model("googlenet_caffe");
  e.theory().say("all six, to 6 %, but GoogLeNet's parameters");
  e.theory().number("{:.3g} with auxiliary heads", static_cast<double>(with_heads.elements()),
                    number_of("MGT-7b"), 0.04);
  e.theory().number("{} tensors", static_cast<double>(with_heads.tensors.size()), 128, 0);
  e.partly("GoogLeNet's row has the tensors of one variant and the parameters of another");
  return e.finish();
}

Finding claim_33(const Runs& /*runs*/) {
  Evidence e("150 tensors of 1024 B; 160 of 768 B");
  const auto count = [](const char* model, std::size_t bytes) {
    std::size_t tensors = 0;
    for (const workloads::Tensor& tensor : load_model(model).tensors) {
      if (4 * tensor.elements == bytes) ++tensors;
    }
    return static_cast<double>(tensors);
  };
  e.theory().number("{}", count("resnet152", 1024), number_of("MGT-17a"), 0.02);
  e.theory().number("{}", count("densenet161", 768), number_of("MGT-17b"), 0);
  return e.finish();
}

Finding claim_43(const Runs& runs) {
  Evidence e(fmt::format("one model of memory, copied at {}", printed("MGT-6d")));
  const Model model = load_model("resnet50");
  const double copy = 4 * static_cast<double>(model.elements()) / (number_of("MGT-6d") * 1e9);
  e.theory().say(fmt::format("ResNet-50: {:.0f} MB, {:.2f} ms to copy",
                             4e-6 * static_cast<double>(model.elements()), 1e3 * copy));
  e.simulated(runs, "mg-wfbp", [&](const Rows& rows, Entry in) {
    const Result row = rows.at({.schedule = "mg-wfbp", .workload = "resnet50"});
    in.holds(copy < 0.01 * row.iteration(),
             fmt::format("{:.2f} % of an iteration", 100 * copy / row.iteration()));
  });
  e.partly(
      "here the gradient lies in the order of merging, and nothing is copied; not timed on a "
      "GPU");
  return e.finish();
}

}  // namespace gradwire::reproduce::mg_wfbp_claims
