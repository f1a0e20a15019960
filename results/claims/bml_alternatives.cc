#include <cstddef>

#include <fmt/format.h>

#include "bml/plan.h"
#include "results/claims/bml.h"
#include "results/claims/evidence.h"
#include "results/claims/formulas.h"
#include "topologies/bcube.h"
#include "topologies/cost.h"
#include "topologies/load.h"
#include "topologies/registry.h"
#include "workloads/model.h"

/// Claims 10 to 14: what else would do, Figure 5, and what is synchronized.
namespace gradwire::claims::bml_claims {
namespace {

constexpr double kMiB = 1048576;

/// What a parameter server takes on a BCube(n,2) along its own routes: the load of a link when
/// every pair of servers exchanges 1/N of the gradient, twice.
double ps_on_bcube(std::size_t n) {
  const topologies::BCube wiring(n, 2);
  topologies::LinkLoad load(wiring);
  for (std::size_t from = 0; from < wiring.hosts(); ++from) {
    for (std::size_t to = 0; to < wiring.hosts(); ++to) {
      if (from != to) load.add(Rank(from), Rank(to), 1);
    }
  }
  return 2 * static_cast<double>(load.max()) / static_cast<double>(wiring.hosts());
}

double ps_on_16() {
  static const double t_f = ps_on_bcube(4);
  return t_f;
}

double ps_on_1024() {
  static const double t_f = ps_on_bcube(32);
  return t_f;
}

}  // namespace

Finding claim_10(const Runs& runs) {
  Evidence e(fmt::format("{} times", number_of("BML-25")));
  const double on_16 = ps_on_16() / bml::closed_form(4, 2);
  const double on_1024 = ps_on_1024() / bml::closed_form(32, 2);
  e.theory().beside("{:.2f} on 16", on_16, paper("BML-25"));
  e.theory().beside("{:.2f} on 1024", on_1024, paper("BML-25"));
  e.theory().agrees("16", on_16, ours(1.6));
  e.theory().agrees("1024", on_1024, ours(1.9393));
  const auto judge = [](const Rows& rows, const char* cube, double expected, Entry in) {
    const double bml = rows.at({.algorithm = "bml", .wiring = cube}).gst();
    const double times = rows.at({.algorithm = "ps", .wiring = cube}).gst() / bml;
    in.beside("{:.2f}", times, paper("BML-25"));
    in.agrees(cube, times, ours(expected));
  };
  e.simulated(runs, "bml-figure5", [&](const Rows& rows, Entry in) {
    judge(rows, "bcube(4,2)", on_16, in);
    judge(rows, "bcube(32,2)", on_1024, in);
  });
  e.measured(runs, "figure5",
             [&](const Rows& rows, Entry in) { judge(rows, "bcube(4,2)", on_16, in); });
  e.differs(
      "on the shortest ways a parameter server takes 2(n-1)/n T_F; double only in the limit of "
      "many "
      "servers");
  return e.finish();
}

Finding claim_11(const Runs& runs) {
  Evidence e("hierarchical as PS; k NICs as BCube, k times the switches");
  // What both are said to equal, by the paper's own formulas: BML-11 and BML-24.
  const Expected as_ps = paper(two_t_f(16));
  const Expected as_bml = paper(two_t_f(16) / 2);
  e.theory().number("hierarchical {:.4f}", t_f_of("hierarchical", "fat-tree(4)"), as_ps);
  e.theory().number("2 NICs {:.4f} T_F", t_f_of("striped-rings", "fat-tree(4, nics=2)"), as_bml);
  const auto switches = [](const char* wiring) {
    return static_cast<double>(topologies::cost_of(*topologies::make_topology(wiring)).switches);
  };
  e.theory().number("{:.0f} times the switches",
                    switches("fat-tree(4, nics=2)") / switches("fat-tree(4)"), paper(2));
  e.simulated(runs, "fat-tree-nics", [&](const Rows& rows, Entry in) {
    const double hierarchical = rows.at({.algorithm = "hierarchical"}).gst_t_f();
    const double two_nics = rows.at({.wiring = "fat-tree(4,nics=2)"}).gst_t_f();
    in.number("hierarchical {:.4f}", hierarchical, as_ps);
    in.number("2 NICs {:.4f} T_F", two_nics, as_bml);
    in.agrees("as PS", hierarchical, ours(rows.at({.algorithm = "ps"}).gst_t_f()));
    in.agrees("as BML", two_nics, ours(rows.at({.algorithm = "bml"}).gst_t_f()));
  });
  e.measured(runs, "collectives", [&](const Rows& rows, Entry in) {
    in.number("hierarchical {:.4f}", rows.at({.algorithm = "hierarchical"}).gst_t_f(), as_ps);
  });
  return e.finish();
}

Finding claim_12(const Runs& runs) {
  Evidence e("bars without numbers, 16 and 1024 servers");
  const double theory[] = {t_f_of("ps", "fat-tree(4)"), t_f_of("hierarchical", "fat-tree(4)"),
                           ps_on_16(), t_f_of("bml", "bcube(4,2)")};
  const double expected[] = {1.875, 1.875, 1.5, 0.9375};
  for (std::size_t i = 0; i < 4; ++i) e.theory().number("{:.4f}", theory[i], ours(expected[i]));
  e.theory().number("1024: {:.4f}", ps_on_1024(), ours(1.9375));
  e.theory().number("{:.4f}", bml::closed_form(32, 2), ours(0.9990));
  e.simulated(runs, "bml-figure5", [&](const Rows& rows, Entry in) {
    const auto row = [&](const char* algorithm, const char* wiring, double t_f) {
      in.number("{:.4f}", rows.at({.algorithm = algorithm, .wiring = wiring}).gst_t_f(), ours(t_f));
    };
    row("ps", "fat-tree(4)", expected[0]);
    row("hierarchical", "fat-tree(4)", expected[1]);
    row("ps", "bcube(4,2)", expected[2]);
    row("bml", "bcube(4,2)", expected[3]);
    row("ps", "fat-tree(16)", two_t_f(1024));
    row("hierarchical", "fat-tree(16)", two_t_f(1024));
    row("ps", "bcube(32,2)", 1.9375);
    row("bml", "bcube(32,2)", 0.9990);
  });
  e.measured(runs, "figure5", [&](const Rows& rows, Entry in) {
    for (const auto& [algorithm, wiring, t_f] :
         {std::tuple{"ps", "fat-tree(4)", expected[0]}, std::tuple{"ps", "bcube(4,2)", expected[2]},
          std::tuple{"bml", "bcube(4,2)", expected[3]}}) {
      in.number("{:.4f}", rows.at({.algorithm = algorithm, .wiring = wiring}).gst_t_f(), ours(t_f));
    }
  });
  return e.finish();
}

Finding claim_13(const Runs& runs) {
  Evidence e("each layer in kN pieces");
  const topologies::BCube wiring(3, 2);
  const workloads::Model lenet = workloads::load_model("lenet5");
  for (const workloads::Tensor& tensor : lenet.tensors) {
    e.theory().holds(is_proven(plan_all("bml", "bcube(3,2)", tensor.elements)),
                     "8 tensors of LeNet-5, each proven");
  }
  std::size_t empty = 0;
  for (std::size_t thread = 0; thread < 2; ++thread) {
    for (std::size_t owner = 0; owner < 9; ++owner) {
      if (bml::extent_of(wiring.digits(), 10, {thread, Rank(owner)}).empty()) ++empty;
    }
  }
  e.theory().count("a bias of 10 leaves {} of 18 pieces empty", static_cast<double>(empty),
                   ours(8));
  e.both(runs, "bml-per-layer", [&](const Rows& rows, Entry in) {
    const Result layers = rows.at({.schedule = "none"});
    const Result whole = rows.at({.schedule = "synceasgd"});
    in.count("{} synchronizations", static_cast<double>(layers.messages()),
             ours(static_cast<double>(lenet.tensors.size())));
    const double startups = 7 * 2 * 2 * layers.startup.count();  // 2k each
    in.say(fmt::format("{:.0f} us more than one of all (7 x 2k start-ups: {:.0f} us)",
                       1e6 * (layers.gst() - whole.gst()), 1e6 * startups));
  });
  e.identity("BML cuts whatever it is given into kN pieces; no value is printed");
  return e.finish();
}

Finding claim_14(const Runs& /*runs*/) {
  Evidence e(fmt::format("{}, {}; {}, {}", printed("BML-29a"), printed("BML-29b"),
                         printed("BML-30a"), printed("BML-30b")));
  const auto check = [&](const char* model, const char* parameters, const char* size) {
    const auto elements = static_cast<double>(workloads::load_model(model).elements());
    e.theory().number("{:.0f}", elements, paper(parameters), 0.002);
    e.theory().number("{:.2f} MiB", 4 * elements / kMiB, paper(size), 0.002);
  };
  check("lenet5", "BML-29a", "BML-29b");
  check("vgg19", "BML-30a", "BML-30b");
  return e.finish();
}

}  // namespace gradwire::claims::bml_claims
