#include "testbed/tcp_counters.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace gradwire::testbed {
namespace {

/// All counters of a file, by group and name: "Tcp:RetransSegs".
std::map<std::string, std::int64_t> all_of(std::istream& lines) {
  std::map<std::string, std::int64_t> found;
  std::string names;
  std::string values;
  while (std::getline(lines, names) && std::getline(lines, values)) {
    std::istringstream all_names(names);
    std::istringstream all_values(values);
    std::string group;
    std::string name;
    std::int64_t value = 0;
    all_names >> group;
    all_values >> group;
    while (all_names >> name && all_values >> value) found[group + name] = value;
  }
  return found;
}

}  // namespace

TcpCounters& TcpCounters::operator+=(const TcpCounters& more) {
  retransmitted += more.retransmitted;
  probes += more.probes;
  fast += more.fast;
  duplicates += more.duplicates;
  return *this;
}

TcpCounters operator-(const TcpCounters& later, const TcpCounters& earlier) {
  return {.retransmitted = later.retransmitted - earlier.retransmitted,
          .probes = later.probes - earlier.probes,
          .fast = later.fast - earlier.fast,
          .duplicates = later.duplicates - earlier.duplicates};
}

std::int64_t TcpCounters::lost() const {
  return retransmitted - std::min(fast + probes, duplicates);
}

TcpCounters parse_tcp_counters(std::istream& snmp, std::istream& netstat) {
  auto all = all_of(snmp);
  all.merge(all_of(netstat));
  return {.retransmitted = all["Tcp:RetransSegs"],
          .probes = all["TcpExt:TCPLossProbes"],
          .fast = all["TcpExt:TCPFastRetrans"],
          .duplicates = all["TcpExt:TCPDSACKRecvSegs"]};
}

TcpCounters read_tcp_counters() {
  std::ifstream snmp("/proc/thread-self/net/snmp");
  std::ifstream netstat("/proc/thread-self/net/netstat");
  return parse_tcp_counters(snmp, netstat);
}

}  // namespace gradwire::testbed
