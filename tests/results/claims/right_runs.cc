#include "tests/results/claims/right_runs.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "results/claims/formulas.h"
#include "results/claims/read_runs.h"
#include "schedule/collective_cost.h"
#include "schedule/cost.h"
#include "tests/results/claims/made_runs.h"

namespace gradwire::claims::testing {
namespace {

namespace fs = std::filesystem;

/// Those whose simulation takes milliseconds are simulated.
constexpr const char* kQuick[] = {"quickstart",
                                  "figure5",
                                  "collectives",
                                  "mg-wfbp",
                                  "bml-figure6",
                                  "bml-figure7",
                                  "ps-incast",
                                  "ring-scaling",
                                  "ring-startup",
                                  "bml-per-layer",
                                  "all-reduce-sizes",
                                  "all-reduce-lines",
                                  "fat-tree-nics",
                                  "dense-layer",
                                  "single-reducer",
                                  "late-multiply-measured-10gbe",
                                  "late-multiply-measured-56gbib",
                                  "late-multiply-volume",
                                  "hybrid-parallelism",
                                  "hybrid-step",
                                  "mg-wfbp-scaled-4",
                                  "mg-wfbp-scaled-8",
                                  "mg-wfbp-scaled-16",
                                  "mg-wfbp-scaled-32",
                                  "mg-wfbp-scaled-64",
                                  "mg-wfbp-scaled-128",
                                  "mg-wfbp-scaled-256",
                                  "mg-wfbp-scaled-512",
                                  "mg-wfbp-scaled-trees-128",
                                  "mg-wfbp-scaled-trees-512",
                                  "mg-wfbp-scaled-trees-2048",
                                  "mg-wfbp-figure9-resnet152",
                                  "mg-wfbp-figure9-densenet161",
                                  "ring-language-model"};

Runs simulated() {
  const fs::path folder =
      fs::temp_directory_path() / ("gradwire-whole-" + std::to_string(getpid()));
  fs::create_directories(folder);
  for (const std::string name : kQuick) {
    const std::string run = std::string(GRADWIRE_PROGRAM) + " run " GRADWIRE_ROOT "/experiments/" +
                            name + ".yaml --backing simulated --out " + (folder / name).string() +
                            " > /dev/null 2>&1";
    EXPECT_EQ(std::system(run.c_str()), 0) << name;
  }
  const FoundRuns found = read_runs(folder);
  EXPECT_TRUE(found.problems.empty());
  fs::remove_all(folder);
  return found.runs;
}

/// What an iteration takes by all four schedules, and the cost by which they merge.
struct Job {
  std::string pass;  ///< as claims.yaml calls it
  schedule::Affine cost;
};

void add_schedules(Run& run, const std::string& wiring, const std::string& workload,
                   const Job& job) {
  const std::vector<Value> arguments{job.pass, numbers_of(job.cost)};
  const auto all = std::get<Numbers>(formula("iterations", arguments));
  for (const auto& [schedule, name] :
       {std::pair{"wfbp", "wfbp"}, std::pair{"synceasgd", "synceasgd"},
        std::pair{"mg-wfbp", "mg_wfbp"}, std::pair{"optimum", "optimum"}}) {
    run.rows.push_back(job_of(record::Backing::simulated, wiring, schedule, all.at(name)));
    run.rows.back().configuration.workload = workload;
    run.rows.back().training->bucket_gst.resize(static_cast<std::size_t>(all.at("messages")));
    run.rows.back().training->plan.cost.fit.line = job.cost;
  }
}

/// The network of MG-WFBP's plotting script.
constexpr schedule::Network kPlotted{
    .alpha = Seconds(45.25e-6), .beta = 1.2 / (9 * 1073741824.0 / 8), .gamma = 2.5e-9};

void add_figures_10_and_11(Runs& runs) {
  for (const auto& [pass, suffix] :
       {std::pair{"googlenet-k80", ""}, std::pair{"resnet50-k80", "-resnet50"}}) {
    Run ten = run_of(std::string("mg-wfbp-figure10") + suffix);
    Run eleven = run_of(std::string("mg-wfbp-figure11") + suffix);
    for (std::size_t n = 4; n <= 2048; n *= 2) {
      const std::string wiring = "single-switch(" + std::to_string(n) + ")";
      add_schedules(ten, wiring, "", {pass, schedule::ring_as_plotted(n, kPlotted)});
      add_schedules(eleven, wiring, "", {pass, schedule::double_binary_trees(n, kPlotted)});
    }
    runs.add(ten);
    runs.add(eleven);
  }
}

/// Figure 9 by formulas, as claims 36 and 37 have it.
void add_figure_9(Runs& runs) {
  const std::tuple<const char*, double, double> networks[] = {
      {"mg-wfbp-figure9-10gbe", 0.000908, 7.4e-10}, {"mg-wfbp-figure9-56gbib", 0.000236, 4.06e-10}};
  const std::pair<const char*, int> models[] = {
      {"resnet152", 128}, {"densenet161", 64}, {"densenet201", 64}, {"inceptionv4", 128}};
  for (const auto& [name, a, b] : networks) {
    Run nine = run_of(name);
    for (const auto& [model, batch] : models) {
      const std::string pass =
          fmt::format("derived(batch={}, device=v100, model={})", batch, model);
      add_schedules(nine, "single-switch(16)", model, {pass, {Seconds(a), b}});
    }
    runs.add(nine);
  }
}

/// A simulated row: what ran, and its GST in T_F.
struct BcubeRow {
  const char* algorithm;
  const char* wiring;
  std::size_t n;
  std::size_t k;
  double t_f;
};

void add(Run& run, const BcubeRow& row) {
  run.rows.push_back(row_of(record::Backing::simulated, row.algorithm, row.wiring, row.n, row.t_f));
  run.rows.back().configuration.ports_per_host = row.k;
}

void add_bcubes(Runs& runs) {
  Run five = run_of("bml-figure5"), scaling = run_of("bcube-scaling");
  for (const char* algorithm : {"ps", "hierarchical"}) {
    add(five, {algorithm, "fat-tree(4)", 16, 1, two_t_f(16)});
    add(five, {algorithm, "fat-tree(16)", 1024, 1, two_t_f(1024)});
  }
  add(five, {"ps", "bcube(4,2)", 16, 2, 1.5});
  add(five, {"bml", "bcube(4,2)", 16, 2, two_t_f(16) / 2});
  add(five, {"ps", "bcube(32,2)", 1024, 2, 1.9375});
  add(five, {"bml", "bcube(32,2)", 1024, 2, two_t_f(1024) / 2});
  add(scaling, {"bml", "bcube(4,2)", 16, 2, two_t_f(16) / 2});
  add(scaling, {"bml", "bcube(256,2)", 65536, 2, two_t_f(65536) / 2});
  add(scaling, {"bml", "bcube(40,3)", 64000, 3, two_t_f(64000) / 3});
  add(scaling, {"bml", "bcube(16,4)", 65536, 4, two_t_f(65536) / 4});
  runs.add(five);
  runs.add(scaling);
}

bool is_only_simulated(std::string_view experiment) {
  const auto names = {"all-reduce-sizes", "fat-tree-nics", "ps-incast", "ring-language-model"};
  return std::ranges::find(names, experiment) != names.end();
}

/// What is not simulated: late-multiply forms the products of all ranks, others their own.
void add_products(record::Row& row) {
  const record::Configuration& of = row.configuration;
  if (!of.workload.starts_with("dense(")) return;
  const bool is_late = of.algorithm.starts_with("all-gather");
  row.dense = record::DenseRow{.products = Seconds(is_late ? static_cast<double>(of.ranks) : 1)};
}

Runs make_right_runs() {
  const Runs runs = simulated();
  Runs all;
  for (const auto& [name, run] : runs.all()) {
    Run both = run;
    if (is_only_simulated(name)) {
      all.add(std::move(both));
      continue;
    }
    for (record::Row row : run.rows) {
      row.configuration.backing = record::Backing::emulated;
      row.wrong = 0;
      row.flags.clear();
      add_products(row);
      both.rows.push_back(std::move(row));
    }
    all.add(std::move(both));
  }
  add_figures_10_and_11(all);
  add_figure_9(all);
  add_bcubes(all);
  return all;
}

}  // namespace

const Runs& right_runs() {
  static const Runs runs = make_right_runs();
  return runs;
}

}  // namespace gradwire::claims::testing
