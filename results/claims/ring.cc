#include "results/claims/ring.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/count.h"
#include "ps/plan.h"
#include "results/claims/evidence.h"
#include "results/claims/formulas.h"
#include "results/report/page/references.h"
#include "ringallreduce/plan.h"
#include "schedule/timeline.h"
#include "topologies/load.h"
#include "topologies/registry.h"

namespace gradwire::claims::ring_claims {
namespace {

constexpr std::size_t kGpus = 40;                // BDU-9a
constexpr std::size_t kSizes[] = {2, 4, 8, 16};  // of ring-scaling

std::string one_switch(std::size_t hosts) {
  return fmt::format("single-switch({})", hosts);
}

/// A ring over a wiring in an order of its own, in T_F.
double ring_in_order(std::string_view wiring, std::vector<Rank> order) {
  const auto topology = topologies::make_topology(wiring);
  const std::size_t elements = topology->hosts();
  std::vector<Plan> plans;
  for (std::size_t rank = 0; rank < topology->hosts(); ++rank) {
    plans.push_back(ringallreduce::plan(*topology, Rank(rank), elements, {.order = order}));
  }
  return topologies::step_bound(*topology, plans) / static_cast<double>(elements);
}

/// Every host beside one of another leaf.
std::vector<Rank> scattered() {
  std::vector<Rank> order;
  for (std::size_t i = 0; i < 16; ++i) order.push_back(Rank(i % 4 * 4 + i / 4));
  return order;
}

/// Whether in step `step` each of 5 ranks sends and receives the chunks that a table has.
bool follows(const Planned& planned, std::size_t step, std::string_view table) {
  const nlohmann::json& rows = report::published(table).value;
  for (std::size_t rank = 0; rank < planned.plans.size(); ++rank) {
    const Step& does = planned.plans[rank].lanes.front().at(step);
    if (does.sends.front().what.first != rows.at(rank).at(0)) return false;
    if (does.recvs.front().where.first != rows.at(rank).at(1)) return false;
  }
  return true;
}

/// An iteration of 370 ms of computing in 24 equal layers, on 40 GPUs.
double language_model(bool overlaps) {
  constexpr std::size_t kLayers = 24;
  const double compute = number_of("BDU-9e") * 1e-3;
  schedule::BackwardPass pass{.gradients = {}, .end = Seconds(compute)};
  for (std::size_t layer = 1; layer <= kLayers; ++layer) {
    const double share = static_cast<double>(layer) / kLayers;
    pass.gradients.push_back({.ready = Seconds(compute / 3 + share * compute * 2 / 3),
                              .bytes = 4 * number_of("BDU-3a") / kLayers});
  }
  const auto cost = schedule::ring(kGpus, {.beta = 1 / (1e9 * number_of("BDU-8c"))});
  return iteration(pass, overlaps ? schedule::wfbp(pass) : schedule::synceasgd(pass), cost);
}

}  // namespace

Finding claim_53(const Runs& runs) {
  Evidence e(fmt::format("+{} on 2, +{} on 10", printed("BDU-3d"), printed("BDU-3e")));
  const double t_f = number_of("BDU-3b") / number_of("BDU-3c");
  const std::pair<std::size_t, const char*> cases[] = {{2, "BDU-3d"}, {10, "BDU-3e"}};
  for (const auto& [workers, id] : cases) {
    const double both_ways = ps::closed_form(workers, 100, {.servers = 1}) * t_f;
    e.theory().number("{:.1f}", both_ways / 2, paper(id));
    e.simulated(runs, "ps-incast", [&](const Rows& rows, Entry in) {
      const Result row = rows.at({.algorithm = "ps(servers=1)", .wiring = one_switch(workers)});
      in.number("{:.1f}", row.gst() / 2, paper(id));
    });
    e.measured(runs, "single-reducer", [&](const Rows& rows, Entry in) {
      const Result row = rows.at({.wiring = one_switch(workers)});
      in.number("{:.2f} s (a hundredth)", row.gst_t_f() / 2 * t_f, paper(id));
    });
  }
  e.partly("one way; sending the sums back takes as long again");
  return e.finish();
}

Finding claim_54(const Runs& runs) {
  Evidence e("tables for 5 GPUs");
  const Planned five = plan_all("ring", one_switch(5), 5);
  e.theory().holds(follows(five, 0, "BDU-6a"), "scatter-reduce as printed");
  e.theory().holds(follows(five, 4, "BDU-6b"), "all-gather as printed");
  e.theory().holds(is_proven(five), "sums proven");
  e.both(runs, "ring-scaling", [](const Rows& rows, Entry in) {
    in.number("{:.3f} T_F on 5", rows.at({.wiring = one_switch(5)}).gst_t_f(), paper(two_t_f(5)));
  });
  return e.finish();
}

Finding claim_55(const Runs& runs) {
  Evidence e(fmt::format("{} sent and received", printed("BDU-7")));
  for (const std::size_t n : {2u, 5u, 9u, 40u}) {
    const Planned planned = plan_all("ring", one_switch(n), 3 * n);
    const Expected share = paper(two_t_f(n) * static_cast<double>(planned.elements));
    for (const Plan& plan : planned.plans) {
      const PortCount port = count_ports(plan).front();
      e.theory().agrees("sent", static_cast<double>(port.sent), share);
      e.theory().agrees("received", static_cast<double>(port.received), share);
    }
  }
  e.theory().say("counted for 2, 5, 9 and 40 ranks");
  e.both(runs, "ring-scaling", [](const Rows& rows, Entry in) {
    for (const std::size_t n : kSizes) {
      in.number("{:.3f}", rows.at({.wiring = one_switch(n)}).gst_t_f(), paper(two_t_f(n)));
    }
  });
  e.measured(runs, "ring-scaling", [](const Rows& rows, Entry in) {
    const auto off = std::ranges::count_if(
        kSizes, [&](std::size_t n) { return rows.at({.wiring = one_switch(n)}).is_off_plan(); });
    in.count("{} rows with bytes off the Plan", static_cast<double>(off), ours(0));
  });
  return e.finish();
}

Finding claim_56(const Runs& runs) {
  Evidence e(fmt::format("{}, {}: {}", printed("BDU-8a"), printed("BDU-8c"), printed("BDU-8d")));
  const double sent = ringallreduce::closed_form(kGpus) * number_of("BDU-3b");
  e.theory().number("{:.2f} GB", sent, paper("BDU-8a"), 0.03);
  e.theory().number("{:.0f} ms", 1e3 * sent / number_of("BDU-8c"), paper("BDU-8d"), 0.03);
  e.simulated(runs, "ring-language-model", [](const Rows& rows, Entry in) {
    in.number("{:.0f} ms", 1e3 * rows.at({.schedule = "synceasgd"}).gst(), paper("BDU-8d"), 0.03);
  });
  e.measured(runs, "ring-scaling", [](const Rows& rows, Entry in) {
    const Result row = rows.at({.wiring = one_switch(16)});
    const double of_bound = row.gst_t_f() / two_t_f(16);
    const double time = of_bound * two_t_f(kGpus) * number_of("BDU-3b") / number_of("BDU-8c");
    in.number("{:.0f} ms, scaled from 16 ranks", 1e3 * time, paper("BDU-8d"), 0.06);
  });
  return e.finish();
}

Finding claim_57(const Runs& runs) {
  Evidence e(fmt::format("{} against {}; {} saved", printed("BDU-9d"), printed("BDU-9e"),
                         printed("BDU-9f")));
  const double sum = number_of("BDU-9e") + number_of("BDU-8d");
  e.fitted("1, how computing is spread over layers, assumed as 24 equal ones");
  e.theory().count("{:.0f}", sum - number_of("BDU-9d", 1), paper("BDU-9f", 0));
  e.theory().count("to {:.0f} ms saved", sum - number_of("BDU-9d", 0), paper("BDU-9f", 1));
  const auto bracket = [](double overlapped, double apart, Entry in) {
    in.less(fmt::format("{:.0f} ms with all overlapped", overlapped), overlapped,
            number_of("BDU-9d", 0));
    in.less(fmt::format("{:.0f} ms with nothing", apart), number_of("BDU-9d", 1), apart);
  };
  bracket(1e3 * language_model(true), 1e3 * language_model(false), e.theory());
  e.simulated(runs, "ring-language-model", [&](const Rows& rows, Entry in) {
    bracket(1e3 * rows.at({.schedule = "wfbp"}).iteration(),
            1e3 * rows.at({.schedule = "synceasgd"}).iteration(), in);
  });
  e.identity(
      "70 to 120 is 370 + 400 - (650 to 700), all printed; runs only bracket the printed times");
  return e.finish();
}

Finding claim_58(const Runs& runs) {
  Evidence e("independent of N; slowest link decides; keep neighbours together");
  e.theory().number("{:.3f} T_F on 2", t_f_of("ring", one_switch(2)), paper(1));
  e.theory().number("{:.3f} on 64", t_f_of("ring", one_switch(64)), paper(two_t_f(64)));
  const char* leaves = "leaf-spine(4,4,1)";
  const double together = ring_in_order(leaves, {});
  e.theory().number("neighbours apart: {:.0f} times", ring_in_order(leaves, scattered()) / together,
                    ours(4));
  e.theory().number("a link of a quarter: {:.0f} times",
                    ring_in_order("leaf-spine(4,4,1, speed=0.25)", {}) / together, ours(4));
  e.both(runs, "ring-scaling", [](const Rows& rows, Entry in) {
    const double four = rows.at({.wiring = one_switch(4)}).gst();
    const double sixteen = rows.at({.wiring = one_switch(16)}).gst();
    in.number("16 take {:.3f} times as long as 4", sixteen / four, paper(two_t_f(16) / two_t_f(4)));
  });
  e.simulated(runs, "ps-incast", [](const Rows& rows, Entry in) {
    const Result ring = rows.at({.algorithm = "ring", .wiring = "leaf-spine(4,4,1)"});
    in.number("{:.3f} T_F over 4:1 oversubscribed leaves", ring.gst_t_f(), paper(two_t_f(16)));
  });
  e.partly("independent only once N is large: it rises from one T_F with 2 towards two");
  return e.finish();
}

}  // namespace gradwire::claims::ring_claims
