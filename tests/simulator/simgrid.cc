#include "tests/simulator/simgrid.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <simgrid/s4u.hpp>

#include "tests/sanitized.h"
#include "tests/simulator/in_child.h"

namespace gradwire::simulator::testing {
namespace {

namespace s4u = simgrid::s4u;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The sanitizers do not know the stacks that SimGrid makes for its actors, but they know threads.
constexpr const char* kContexts =
    gradwire::testing::kSanitized ? "--cfg=contexts/factory:thread" : "--cfg=contexts/factory:raw";

/// Events closer than surf/precision seconds are one event, and a link with less than
/// maxmin/precision of its capacity left is full; both are 1e-5 unless told. TCP-gamma bounds a
/// flow's rate only where its route has latency.
constexpr std::array kArguments{
    "simgrid",
    "--log=root.thres:error",
    kContexts,
    "--cfg=network/model:CM02",
    "--cfg=network/crosstraffic:0",
    "--cfg=network/bandwidth-factor:1",
    "--cfg=network/latency-factor:1",
    "--cfg=network/weight-S:0",
    "--cfg=network/TCP-gamma:0",
    "--cfg=surf/precision:1e-9",
    "--cfg=maxmin/precision:1e-9",
};

using Hosts = std::vector<s4u::Host*>;

/// Every flow has an ordered pair of hosts, and thereby a route, to itself. Hosts limit nothing.
struct Pair {
  std::size_t from;
  std::size_t to;
};
Pair pair_of(std::size_t flow, std::size_t hosts) {
  const std::size_t from = flow / (hosts - 1);
  const std::size_t to = flow % (hosts - 1);
  return {from, to < from ? to : to + 1};
}

Hosts build(std::span<const double> capacities, std::span<const TimedFlow> flows) {
  s4u::NetZone* zone = s4u::create_full_zone("zone");
  std::vector<const s4u::Link*> links;
  for (std::size_t l = 0; l < capacities.size(); ++l) {
    links.push_back(zone->create_link("link" + std::to_string(l), capacities[l])
                        ->set_sharing_policy(s4u::Link::SharingPolicy::SHARED)
                        ->set_latency(0)
                        ->seal());
  }
  std::size_t count = 2;
  while (count * (count - 1) < flows.size()) ++count;
  Hosts hosts;
  for (std::size_t h = 0; h < count; ++h) {
    hosts.push_back(zone->create_host("host" + std::to_string(h), 1e9)->seal());
  }
  for (std::size_t f = 0; f < flows.size(); ++f) {
    std::vector<s4u::LinkInRoute> route;
    for (const std::size_t link : flows[f].links) route.emplace_back(links[link]);
    const auto [from, to] = pair_of(f, count);
    zone->add_route(hosts[from]->get_netpoint(), hosts[to]->get_netpoint(), nullptr, nullptr, route,
                    false);
  }
  zone->seal();
  return hosts;
}

s4u::Mailbox* mailbox_of(std::size_t flow) {
  return s4u::Mailbox::by_name(std::to_string(flow));
}

/// Starts `mine`, the flows of one host, in time. Their bytes are under way from then on, because
/// the receiver waits from the beginning. Neither detached nor Comm::sendto_async, which is
/// detached within: SimGrid keeps all detached flows in one list and walks it at the end of each
/// (65,280 flows take a minute).
void send(std::span<const TimedFlow> flows, std::vector<std::size_t> mine) {
  std::ranges::stable_sort(mine, {}, [&](std::size_t f) { return flows[f].start; });
  std::vector<s4u::CommPtr> comms;
  int payload = 0;
  for (const std::size_t f : mine) {
    if (flows[f].start > s4u::Engine::get_clock()) s4u::this_actor::sleep_until(flows[f].start);
    const auto bytes = static_cast<std::uint64_t>(flows[f].bytes);
    comms.push_back(mailbox_of(f)->put_async(&payload, bytes));
  }
  for (const s4u::CommPtr& comm : comms) comm->wait();
}

/// Waits for `mine`, the flows to one host, and notes when each is done.
void receive(const std::vector<std::size_t>& mine, std::span<double> times) {
  std::vector<s4u::CommPtr> comms;
  std::vector<int*> payloads(mine.size());
  for (std::size_t i = 0; i < mine.size(); ++i) {
    comms.push_back(mailbox_of(mine[i])->get_async(&payloads[i]));
  }
  for (std::size_t i = 0; i < mine.size(); ++i) {
    comms[i]->wait();
    times[mine[i]] = comms[i]->get_finish_time();
  }
}

std::vector<double> run(const s4u::Engine& engine, const Hosts& hosts,
                        std::span<const TimedFlow> flows) {
  std::vector<std::vector<std::size_t>> from(hosts.size());
  std::vector<std::vector<std::size_t>> to(hosts.size());
  for (std::size_t f = 0; f < flows.size(); ++f) {
    const Pair pair = pair_of(f, hosts.size());
    from[pair.from].push_back(f);
    to[pair.to].push_back(f);
  }
  std::vector<double> times(flows.size());
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    s4u::Actor::create("receiver", hosts[h], [&, h] { receive(to[h], times); });
    s4u::Actor::create("sender", hosts[h], [&, h] { send(flows, from[h]); });
  }
  engine.run();
  return times;
}

}  // namespace

SimGridRun simgrid_run(std::span<const double> capacities, std::span<const TimedFlow> flows) {
  std::vector<double> results = in_child([&] {
    std::vector<std::string> arguments(kArguments.begin(), kArguments.end());
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    int argc = static_cast<int>(argv.size());
    argv.push_back(nullptr);

    const double before = peak_memory();
    const auto start = std::chrono::steady_clock::now();
    s4u::Engine engine(&argc, argv.data());
    const Hosts hosts = build(capacities, flows);
    engine.seal_platform();
    const double built = seconds_since(start);
    std::vector<double> values = run(engine, hosts, flows);
    const double done = seconds_since(start);
    values.insert(values.end(), {built, done - built, peak_memory() - before});
    return values;
  });
  SimGridRun result{.build = results.at(flows.size()),
                    .run = results.at(flows.size() + 1),
                    .memory = results.at(flows.size() + 2)};
  results.resize(flows.size());
  result.times = std::move(results);
  return result;
}

}  // namespace gradwire::simulator::testing
