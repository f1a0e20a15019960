#include "testbed/hosts/host_list.h"

#include <gmock/gmock.h>

#include "topologies/registry.h"

namespace gradwire::hosts {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kHosts =
    "port1,name,address,ssh_port,user,port0\n"
    "3b:00.1,red,192.168.7.11,,bench,0000:3B:00.0\n"
    "eth2,green,green.example,2222,,02:00:5E:00:53:01\n"
    "3b:00.1,blue,192.168.7.13,,,3b:00.0\n"
    "3b:00.1,grey,192.168.7.14,,,3b:00.0\n";

std::vector<ListedHost> load(const std::string& text, const char* wiring = "bcube(2,2)") {
  return load_host_list_text(text, "hosts.csv", *topologies::make_topology(wiring));
}

std::string refusal(std::string text, const std::string& from, const std::string& to,
                    const char* wiring = "bcube(2,2)") {
  text.replace(text.find(from), from.size(), to);
  try {
    static_cast<void>(load(text, wiring));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(HostList, HasTheHostsByRank) {
  const std::vector<ListedHost> hosts = load(kHosts);
  ASSERT_EQ(hosts.size(), 4u);
  EXPECT_EQ(hosts[0].name, "red");
  EXPECT_EQ(hosts[0].user, "bench");
  EXPECT_EQ(hosts[0].ssh_port, std::nullopt);
  EXPECT_EQ(hosts[0].ports[0].value, "0000:3b:00.0");
  EXPECT_EQ(hosts[0].ports[1].value, "0000:3b:00.1");
  EXPECT_EQ(hosts[1].address, "green.example");
  EXPECT_EQ(hosts[1].ssh_port, 2222u);
  EXPECT_EQ(hosts[1].ports[0].key, NicKey::mac);
  EXPECT_EQ(hosts[1].ports[0].value, "02:00:5e:00:53:01");
  EXPECT_EQ(hosts[1].ports[1].key, NicKey::interface);
  EXPECT_EQ(hosts[1].ports[1].value, "eth2");
}

TEST(HostList, IsOfItsWiring) {
  EXPECT_THAT(refusal(kHosts, "3b:00.1,grey,192.168.7.14,,,3b:00.0\n", ""),
              StartsWith("hosts.csv: bcube(2,2) has 4 hosts; here are 3"));
  EXPECT_THAT(refusal(std::string(kHosts) + "3b:00.1,pink,1.2.3.4,,,3b:00.0\n", "red", "red"),
              StartsWith("hosts.csv:6:9: bcube(2,2) has 4 hosts; here are 5"));
  EXPECT_THAT(refusal(kHosts, "red", "red", "bcube(2,1)"),
              AllOf(StartsWith("hosts.csv:1:1: "), HasSubstr("has no column 'port1'")));
  EXPECT_THAT(refusal(kHosts, "red", "red", "bcube(2,3)"),
              AllOf(StartsWith("hosts.csv:1:1: "), HasSubstr("column 'port2' is missing")));
}

TEST(HostList, ErrorsNameTheirPlace) {
  EXPECT_THAT(refusal(kHosts, "address", "adress"),
              AllOf(StartsWith("hosts.csv:1:12: "), HasSubstr("did you mean 'address'?")));
  EXPECT_THAT(refusal(kHosts, "eth2", ""),
              AllOf(StartsWith("hosts.csv:3:1: "), HasSubstr("green has no port1")));
  EXPECT_THAT(refusal(kHosts, "3b:00.1,blue", "3b:00.8,blue"),
              AllOf(StartsWith("hosts.csv:4:1: "), HasSubstr("'3b:00.8' is no PCI address")));
  EXPECT_THAT(refusal(kHosts, "02:00", "01:00"), HasSubstr("no MAC address of one interface"));
  EXPECT_THAT(refusal(kHosts, "2222", "99999"), StartsWith("hosts.csv:3:26: expected a whole"));
  EXPECT_THAT(refusal(kHosts, "bench", "be nch"), HasSubstr("expected a user's name"));
  EXPECT_THAT(refusal(kHosts, "red", ""), HasSubstr("hosts.csv:2:9: this host has no name"));
  EXPECT_THAT(refusal(kHosts, "red", "all"), HasSubstr("Ansible calls a group 'all'"));
}

TEST(HostList, NothingIsGivenTwice) {
  EXPECT_THAT(refusal(kHosts, "blue", "red"), StartsWith("hosts.csv:4:9: there are two hosts red"));
  EXPECT_THAT(
      refusal(kHosts, "192.168.7.13", "192.168.7.11"),
      StartsWith("hosts.csv:4:14: address 192.168.7.11 port 22 is given to red and to blue"));
  EXPECT_THAT(
      refusal(kHosts, "192.168.7.13,", "192.168.7.11,22"),
      StartsWith("hosts.csv:4:14: address 192.168.7.11 port 22 is given to red and to blue"))
      << "the port that the other one leaves out";
  EXPECT_THAT(refusal(kHosts, "192.168.7.13,", "green.example,2222"),
              HasSubstr("address green.example port 2222 is given to green and to blue"));
  EXPECT_EQ(refusal(kHosts, "192.168.7.13,", "192.168.7.11,2222"), "accepted");
  EXPECT_THAT(refusal(kHosts, "0000:3B:00.0", "3b:00.1"),
              AllOf(StartsWith("hosts.csv:2:1: "),
                    HasSubstr("pci 0000:3b:00.1 is given to red port0 and to red port1")));
  EXPECT_THAT(
      refusal(kHosts, "grey,192.168.7.14,,,3b:00.0", "grey,192.168.7.14,,,02:00:5e:00:53:01"),
      HasSubstr("mac 02:00:5e:00:53:01 is given to green port0 and to grey port0"));
}

TEST(HostList, WhatCarriesSshIsNoPort) {
  EXPECT_THAT(
      refusal(
          "name,address,control_device,port0\nred,10.1.0.1,eth0,eth1\ngreen,10.1.0.2,eth0,eth0\n",
          "", "", "single-switch(2)"),
      AllOf(StartsWith("hosts.csv:3:21: "),
            HasSubstr("interface eth0 is given to ssh and to green port0")));
}

}  // namespace
}  // namespace gradwire::hosts
