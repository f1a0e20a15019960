#include "testbed/tcp_counters.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <string>
#include <string_view>

namespace gradwire::testbed {
namespace {

struct Known {
  std::string_view group;
  std::string_view name;
  std::int64_t TcpCounters::*counter;
};
/// The members of TcpCounters, with their groups and names in the kernel.
constexpr std::array kKnown{Known{"Tcp:", "RetransSegs", &TcpCounters::retransmitted},
                            Known{"TcpExt:", "TCPLossProbes", &TcpCounters::probes},
                            Known{"TcpExt:", "TCPFastRetrans", &TcpCounters::fast},
                            Known{"TcpExt:", "TCPDSACKRecvSegs", &TcpCounters::duplicates}};

/// Takes the next word off a line. Empty at its end.
std::string_view take_word(std::string_view& line) {
  const std::size_t length = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, length);
  line.remove_prefix(std::min(length + 1, line.size()));
  return word;
}

/// Reads the known counters from a file's groups. Makes no copy of a word: all hosts are read
/// between two turns.
void take_known(std::istream& lines, TcpCounters& counters) {
  std::string all_names;
  std::string all_values;
  while (std::getline(lines, all_names) && std::getline(lines, all_values)) {
    std::string_view names = all_names;
    std::string_view values = all_values;
    const std::string_view group = take_word(names);
    take_word(values);
    while (!names.empty()) {
      const std::string_view name = take_word(names);
      const std::string_view value = take_word(values);
      for (const Known& known : kKnown) {
        if (known.name != name || known.group != group) continue;
        std::from_chars(value.data(), value.data() + value.size(), counters.*known.counter);
      }
    }
  }
}

}  // namespace

TcpCounters& TcpCounters::operator+=(const TcpCounters& more) {
  for (const Known& known : kKnown) this->*known.counter += more.*known.counter;
  return *this;
}

TcpCounters& TcpCounters::operator-=(const TcpCounters& earlier) {
  for (const Known& known : kKnown) this->*known.counter -= earlier.*known.counter;
  return *this;
}

std::int64_t TcpCounters::lost() const {
  return retransmitted - std::min(fast + probes, duplicates);
}

TcpCounters parse_tcp_counters(std::istream& snmp, std::istream& netstat) {
  TcpCounters counters;
  take_known(snmp, counters);
  take_known(netstat, counters);
  return counters;
}

TcpCounters read_tcp_counters() {
  std::ifstream snmp("/proc/thread-self/net/snmp");
  std::ifstream netstat("/proc/thread-self/net/netstat");
  return parse_tcp_counters(snmp, netstat);
}

}  // namespace gradwire::testbed
