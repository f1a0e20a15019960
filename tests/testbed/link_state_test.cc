#include "testbed/link_state.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include "core/clock.h"
#include "testbed/emulation.h"
#include "tests/testbed/in_sandbox.h"
#include "tests/transport/sockets.h"
#include "topologies/registry.h"
#include "transport/tcp/endpoint.h"

/// What the kernel says of the links of an emulation, and what an emulation says of its own.
namespace gradwire::testbed {
namespace {

const std::vector<std::string> kPort{"p0"};

struct StandingLinks {
  explicit StandingLinks(const std::string& name)
      : topology(topologies::make_topology(name)),
        addresses(topologies::plan_addresses(*topology)),
        emulation(*topology, addresses, shape_for({1e9}, 9000)) {}

  [[nodiscard]] transport::PortBinding binding(Rank rank) const {
    return {.device = "p0",
            .address = to_string(addresses.nodes[rank.index()].ports.front().address)};
  }

  std::unique_ptr<const topologies::Topology> topology;
  topologies::AddressPlan addresses;
  Emulation emulation;
};

// Each setting is read as it was made, from either end.
int check_settings() {
  StandingLinks pair("single-switch(2)");
  const InNamespace inside(pair.emulation.namespace_of(Rank(0)));
  LinkReader reader;
  const LinkState first = reader.read(kPort).front();
  if (!first.is_up() || first.mtu != 9000 || first.shaped_to != 125'000'000) return 1;
  if (reader.read(std::vector<std::string>{"p9"}).front() != LinkState{}) return 2;
  Netlink().shape("p0", shape_for({1e8}, 9000));
  if (reader.read(kPort).front().shaped_to != 12'500'000) return 3;
  Netlink().set_up("p0", false);
  if (reader.read(kPort).front().set_up) return 4;
  Netlink().set_up("p0", true);
  const LinkState again = reader.read(kPort).front();
  return again.is_up() && again.carrier_changes == first.carrier_changes + 2 ? 0 : 5;
}

TEST(LinkReader, ReadsWhatWasSet) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox(check_settings), 0);
}

// News come of links and of their shapers, and are gone once they were taken.
int check_news() {
  StandingLinks pair("single-switch(2)");
  const SteadyClock clock;
  const InNamespace inside(pair.emulation.namespace_of(Rank(0)));
  const FileDescriptor news = open_link_news();
  if (drain_link_news(news.get())) return 1;
  Netlink netlink;
  netlink.shape("p0", shape_for({1e8}, 9000));
  const auto told = [&] {
    return transport::testing::wait_for(news.get(), POLLIN,
                                        Deadline(clock, std::chrono::seconds(5)));
  };
  if (!told() || !drain_link_news(news.get()) || drain_link_news(news.get())) return 2;
  netlink.set_up("p0", false);
  return told() ? 0 : 3;
}

TEST(LinkNews, TellOfLinksAndShapers) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox(check_news), 0);
}

// An emulation that was just built is as it was built; then it is not, at three of its ends.
int check_differences() {
  StandingLinks bcube("bcube(2,2)");
  if (!bcube.emulation.differences().empty()) return 1;
  bcube.emulation.set_link(Rank(3), Port(1), false);
  {
    const InNamespace inside(bcube.emulation.namespace_of(Rank(1)));
    Netlink().shape("p0", shape_for({1e8}, 9000));
  }
  const auto spaces = bcube.emulation.switch_spaces();
  if (spaces.size() != 1 || spaces.front().interfaces.size() != 8 + 4) return 2;
  const Emulation::SwitchInterface& end = spaces.front().interfaces.front();
  {
    const InNamespace inside(spaces.front().namespace_fd);
    Netlink().set_up(end.name, false);
  }
  const topologies::Attachment far = bcube.topology->opposite({end.node, *end.port});
  const std::string of_switch = bcube.topology->label(end.node) + ", port " +
                                std::to_string(end.port->index()) + ", to rank " +
                                std::to_string(far.node.index()) + ", port " +
                                std::to_string(far.port.index()) + ": " + end.name + " is down";
  const std::vector<std::string> expected{
      "rank 1, port 0: p0 is shaped to 100 Mbit/s instead of 1 Gbit/s",
      "rank 3, port 1: p1 is down", of_switch};
  for (const std::string& found : bcube.emulation.differences()) {
    std::fprintf(stderr, "%s\n", found.c_str());
  }
  return bcube.emulation.differences() == expected ? 0 : 3;
}

TEST(Emulation, SaysWhatIsNotAsItWasBuilt) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox(check_differences), 0);
}

// A peer whose cable is pulled acknowledges nothing; one that does not read does.
int check_unanswered() {
  StandingLinks pair("single-switch(2)");
  const SteadyClock clock;
  const FileDescriptor listener = [&] {
    const InNamespace inside(pair.emulation.namespace_of(Rank(1)));
    return transport::tcp::listen_on(pair.binding(Rank(1)));
  }();
  FileDescriptor connection = [&] {
    const InNamespace inside(pair.emulation.namespace_of(Rank(0)));
    return transport::testing::connect_from(pair.binding(Rank(0)),
                                            transport::tcp::address_of(listener.get()));
  }();
  const int sender = connection.get();
  std::vector<float> gradient(1);
  const transport::Cancellation cancellation;
  std::vector<transport::tcp::TcpEndpoint::Channel> channels;
  channels.push_back({.connection = std::move(connection),
                      .sends = transport::PostedQueue(1),
                      .receives = transport::PostedQueue(1),
                      .outgoing = transport::tcp::Frame(true),
                      .incoming = transport::tcp::Frame(true)});
  const transport::tcp::TcpEndpoint endpoint(std::span<float>{gradient}, std::move(channels),
                                             cancellation);
  const std::array<char, 1000> text{};
  if (::send(sender, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) return 1;
  ::usleep(800'000);  // the kernel would have sent it again twice by then
  if (endpoint.find_unanswered()) return 2;
  pair.emulation.set_link(Rank(1), Port(0), false);
  if (::send(sender, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) return 3;
  const Deadline deadline(clock, std::chrono::seconds(10));
  while (!endpoint.find_unanswered()) {
    if (deadline.passed()) return 4;
    ::usleep(10'000);
  }
  const auto lost = [&](Rank rank) { return pair.emulation.tcp_counters(rank).lost(); };
  return lost(Rank(0)) > 0 && lost(Rank(1)) <= 0 ? 0 : 5;
}

TEST(TcpEndpoint, FindsAPeerThatAcknowledgesNothing) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox(check_unanswered), 0);
}

}  // namespace
}  // namespace gradwire::testbed
