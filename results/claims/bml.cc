#include "results/claims/bml.h"

#include <set>
#include <utility>

#include <fmt/format.h>

#include "bml/plan.h"
#include "results/claims/evidence.h"
#include "results/claims/formulas.h"
#include "topologies/bcube.h"
#include "topologies/cost.h"
#include "topologies/load.h"
#include "topologies/registry.h"

namespace gradwire::claims::bml_claims {
namespace {

using topologies::BCube;

constexpr std::pair<std::size_t, std::size_t> kWirings[] = {{3, 2}, {4, 2}, {5, 2},
                                                            {2, 3}, {3, 3}, {2, 4}};

std::string bcube(std::size_t n, std::size_t k) {
  return fmt::format("bcube({},{})", n, k);
}

std::size_t power(std::size_t base, std::size_t exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

/// BML's Plans with `scale` elements per piece.
Planned pieces(std::size_t n, std::size_t k, std::size_t scale = 1) {
  return plan_all("bml", bcube(n, k), scale * k * power(n, k));
}

/// The most that a link carries in one step of all lanes and ranks.
double largest_load(const Planned& planned, std::size_t step) {
  return static_cast<double>(
      topologies::load_of_step(*planned.topology, planned.plans, step).max());
}

/// Whether every cable carries as much as every other, in both directions.
bool is_even(const Planned& planned, std::size_t step) {
  const auto load = topologies::load_of_step(*planned.topology, planned.plans, step);
  for (std::size_t link = 0; link < planned.topology->links().size(); ++link) {
    for (const bool from_a : {true, false}) {
      if (load.at({LinkId(link), from_a}) != load.max()) return false;
    }
  }
  return true;
}

/// Whether no two lanes of a rank send through the same port in one step.
bool lanes_have_ports_of_their_own(const Planned& planned) {
  for (const Plan& plan : planned.plans) {
    for (std::size_t step = 0; step < plan.lanes.front().size(); ++step) {
      std::set<Port> ports;
      for (const Lane& lane : plan.lanes) {
        const auto& sends = lane.at(step).sends;
        for (const Send& send : sends) {
          if (send.to.via != sends.front().to.via) return false;
        }
        if (!sends.empty() && !ports.insert(sends.front().to.via).second) return false;
      }
    }
  }
  return true;
}

}  // namespace

Finding claim_1(const Runs& runs) {
  Evidence e(printed("BML-10"));
  for (const char* wiring : {"single-switch(9)", "fat-tree(4)"}) {
    const double expected = two_t_f(topologies::make_topology(wiring)->hosts());
    for (const char* algorithm : {"ring", "ps"}) {
      e.theory().number("{:.3f}", t_f_of(algorithm, wiring), paper(expected));
    }
  }
  e.both(runs, "quickstart", [](const Rows& rows, Entry in) {
    in.number("ring {:.3f}", rows.at({.algorithm = "ring"}).gst_t_f(), paper(two_t_f(9)));
    in.number("ps {:.3f} on 9", rows.at({.algorithm = "ps"}).gst_t_f(), paper(two_t_f(9)));
  });
  e.both(runs, "ring-scaling", [](const Rows& rows, Entry in) {
    in.number("ring {:.3f} on fat-tree(4)", rows.at({.wiring = "fat-tree(4)"}).gst_t_f(),
              paper(two_t_f(16)));
  });
  e.both(runs, "figure5", [](const Rows& rows, Entry in) {
    const Result ps = rows.at({.algorithm = "ps", .wiring = "fat-tree(4)"});
    in.number("ps {:.3f} there", ps.gst_t_f(), paper(two_t_f(16)));
  });
  return e.finish();
}

Finding claim_2(const Runs& runs) {
  Evidence e(fmt::format("{}; {}; {}; {}", printed("BML-14a"), printed("BML-14b"),
                         printed("BML-13"), printed("BML-15")));
  for (const auto& [n, k] : {std::pair<std::size_t, std::size_t>{3, 2}, {4, 3}, {16, 4}}) {
    const BCube wiring(n, k);
    const auto counts = [&](const char* name, std::size_t value, std::size_t expected) {
      e.theory().counts(name, static_cast<double>(value), paper(static_cast<double>(expected)));
    };
    counts("servers", wiring.hosts(), power(n, k));
    counts("switches", wiring.switches(), k * power(n, k - 1));
    counts("NICs", wiring.ports_per_host(), k);
  }
  const BCube nine(3, 2);
  const auto neighbours = nine.neighbours(Rank(0), 0).size() + nine.neighbours(Rank(0), 1).size();
  e.theory().count("{} neighbours", static_cast<double>(neighbours), paper("BML-13"));
  e.theory().count("{} servers", static_cast<double>(BCube(16, 4).hosts()), paper("BML-15"));
  e.simulated(runs, "bcube-scaling", [](const Rows& rows, Entry in) {
    const Result large = rows.at({.wiring = "bcube(16,4)"});
    in.count("{} servers run", static_cast<double>(large.row->configuration.ranks),
             paper("BML-15"));
  });
  e.measured(runs, "quickstart", [](const Rows& rows, Entry in) {
    const Result nine_servers = rows.at({.wiring = "bcube(3,2)"});
    in.count("{} servers run", static_cast<double>(nine_servers.row->configuration.ranks),
             paper("BML-4"));
  });
  return e.finish();
}

Finding claim_3(const Runs& /*runs*/) {
  Evidence e(fmt::format("{}; {}", printed("BML-2"), printed("BML-16c")));
  const auto per_server = [](const std::string& wiring) {  // switches, in units of 1/ports
    const auto topology = topologies::make_topology(wiring);
    return static_cast<double>(topologies::cost_of(*topology).switches *
                               topology->ports_per_switch()) /
           static_cast<double>(topology->hosts());
  };
  for (const std::size_t k : {2u, 3u, 4u}) {
    const double share = per_server(bcube(8, k)) / per_server("fat-tree(8)");
    e.theory().number("{:.0f} %", 100 * share, paper(20.0 * static_cast<double>(k)));
  }
  const auto cost = [](const char* wiring) {
    return topologies::cost_of(*topologies::make_topology(wiring));
  };
  const auto ports = static_cast<double>(cost("bcube(32,2)").switch_ports) /
                     static_cast<double>(cost("fat-tree(16)").switch_ports);
  e.theory().number("with 1024 servers {:.0f} % of the switch ports", 100 * ports, ours(40));
  return e.finish();
}

Finding claim_4(const Runs& runs) {
  Evidence e(fmt::format("k*N pieces; {}", printed("BML-17")));
  for (const auto& [n, k] : kWirings) {
    const BCube wiring(n, k);
    const std::size_t count = k * wiring.hosts();
    std::set<std::size_t> starts;
    for (std::size_t thread = 0; thread < k; ++thread) {
      for (std::size_t owner = 0; owner < wiring.hosts(); ++owner) {
        const Extent piece = bml::extent_of(wiring.digits(), 7 * count, {thread, Rank(owner)});
        e.theory().counts("size", static_cast<double>(piece.count), paper(7));
        starts.insert(piece.first);
      }
    }
    e.theory().counts("pieces", static_cast<double>(starts.size()),
                      paper(static_cast<double>(count)));
  }
  e.theory().say("kN equal pieces on 6 BCubes");
  e.both(runs, "quickstart", [](const Rows& rows, Entry in) {
    const double t_c = rows.at({.algorithm = "bml"}).gst_t_f() / number_of("BML-20a");
    in.number("T_C = T_F/{:.2f}", 1 / t_c, paper("BML-18"));
  });
  return e.finish();
}

Finding claim_5(const Runs& runs) {
  Evidence e("6, 2, 2, 6 T_C; 16 T_C = 8/9 T_F");
  const Planned planned = pieces(3, 2);
  const char* steps[] = {"BML-19a", "BML-19b", "BML-19c", "BML-19d"};
  for (std::size_t step = 0; step < 4; ++step) {
    e.theory().counts("step", largest_load(planned, step), paper(steps[step]));
  }
  e.theory().say("6, 2, 2, 6 pieces on every link");
  e.theory().number("{:.4f} T_F", planned.t_f(), paper(8.0 / 9));
  e.both(runs, "quickstart", [](const Rows& rows, Entry in) {
    in.number("{:.4f} T_F", rows.at({.algorithm = "bml"}).gst_t_f(), paper(8.0 / 9));
  });
  return e.finish();
}

Finding claim_6(const Runs& runs) {
  Evidence e(fmt::format("step {}; GST {}", printed("BML-22"), printed("BML-24")));
  for (const auto& [n, k] : kWirings) {
    const Planned planned = pieces(n, k);
    for (std::size_t w = 0; w < k; ++w) {
      const auto expected = static_cast<double>(power(n, k) / power(n, w + 1) * (n - 1));
      e.theory().counts("aggregation", largest_load(planned, w), paper(expected));
      e.theory().counts("broadcast", largest_load(planned, 2 * k - 1 - w), paper(expected));
    }
    e.theory().agrees("GST", planned.t_f(), paper(two_t_f(power(n, k)) / static_cast<double>(k)));
  }
  e.theory().say("every step and the sum, on 6 BCubes");
  e.simulated(runs, "bcube-scaling", [](const Rows& rows, Entry in) {
    for (const char* wiring : {"bcube(4,2)", "bcube(256,2)", "bcube(40,3)", "bcube(16,4)"}) {
      const Result result = rows.at({.wiring = wiring});
      const auto k = static_cast<double>(result.row->configuration.ports_per_host);
      const double bare = 1 - 2 * k * result.startup.count() / result.gst();
      in.agrees(wiring, bare * result.gst_t_f(),
                paper(two_t_f(result.row->configuration.ranks) / k));
    }
    in.say("the GST, to 65,536 servers (start-ups apart)");
  });
  e.measured(runs, "figure5", [](const Rows& rows, Entry in) {
    in.number("{:.4f} T_F on bcube(4,2)", rows.at({.algorithm = "bml"}).gst_t_f(),
              paper(15.0 / 16));
  });
  return e.finish();
}

Finding claim_7(const Runs& runs) {
  Evidence e("k threads on k links; all links the same load");
  for (const auto& [n, k] : kWirings) {
    const Planned planned = pieces(n, k);
    bool even = lanes_have_ports_of_their_own(planned);
    for (std::size_t step = 0; step < 2 * k; ++step) even = even && is_even(planned, step);
    e.theory().holds(even, "true in every step, on 6 BCubes");
  }
  e.both(runs, "quickstart", [](const Rows& rows, Entry in) {
    const Result result = rows.at({.algorithm = "bml"});
    in.number("{:.1f} % of the bound", 100 * result.row->rates().efficiency.value_or(0), ours(100));
  });
  return e.finish();
}

Finding claim_8(const Runs& runs) {
  Evidence e("all servers end with all sums");
  for (const auto& [n, k] : kWirings) {
    e.theory().holds(is_proven(pieces(n, k, 3)), "proven for 6 BCubes");
  }
  e.measured(runs, "figure5", [](const Rows& rows, Entry in) {
    const Result result = rows.at({.algorithm = "bml"});
    in.count("{} elements wrong", result.wrong(), paper(0));
  });
  return e.finish();
}

Finding claim_9(const Runs& runs) {
  Evidence e(printed("BML-1"));
  for (const auto& [n, k] : {std::pair<std::size_t, std::size_t>{4, 2}, {4, 3}, {2, 4}}) {
    const double share = t_f_of("bml", bcube(n, k)) / two_t_f(power(n, k));
    e.theory().number("{:.3f}", share, paper(1 / static_cast<double>(k)));
  }
  e.simulated(runs, "bml-figure5", [](const Rows& rows, Entry in) {
    for (const auto& [tree, cube] :
         {std::pair{"fat-tree(4)", "bcube(4,2)"}, std::pair{"fat-tree(16)", "bcube(32,2)"}}) {
      const double ps = rows.at({.algorithm = "ps", .wiring = tree}).gst();
      in.number("{:.3f}", rows.at({.algorithm = "bml", .wiring = cube}).gst() / ps, paper(0.5));
    }
  });
  e.measured(runs, "figure5", [](const Rows& rows, Entry in) {
    const double ps = rows.at({.algorithm = "ps", .wiring = "fat-tree(4)"}).gst();
    in.number("{:.3f}", rows.at({.algorithm = "bml"}).gst() / ps, paper(0.5));
  });
  return e.finish();
}

}  // namespace gradwire::claims::bml_claims
