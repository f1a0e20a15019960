#include "harness/emulate/counters_text.h"

#include <array>
#include <vector>

#include <fmt/format.h>

#include "core/text/table.h"
#include "testbed/emulation.h"

namespace gradwire::emulate {

std::string format_counters(std::span<const PortTraffic> ports) {
  static constexpr std::array kHeadings{text::Heading{.name = "host"},
                                        text::Heading{.name = "port", .left = true},
                                        text::Heading{.name = "address", .left = true},
                                        text::Heading{.name = "sent", .unit = "(B)"},
                                        text::Heading{.name = "sent", .unit = "(packets)"},
                                        text::Heading{.name = "received", .unit = "(B)"},
                                        text::Heading{.name = "received", .unit = "(packets)"},
                                        text::Heading{.name = "dropped", .unit = "(packets)"}};
  std::vector<std::vector<std::string>> rows;
  for (const PortTraffic& port : ports) {
    rows.push_back({fmt::to_string(port.host.index()), testbed::Emulation::interface_of(port.port),
                    port.address, fmt::to_string(port.carried.sent_bytes),
                    fmt::to_string(port.carried.sent_packets),
                    fmt::to_string(port.carried.received_bytes),
                    fmt::to_string(port.carried.received_packets), fmt::to_string(port.dropped)});
  }
  return text::format_columns(kHeadings, std::move(rows));
}

}  // namespace gradwire::emulate
