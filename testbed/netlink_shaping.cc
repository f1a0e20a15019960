#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <memory>

#include <arpa/inet.h>
#include <fmt/core.h>
#include <linux/if_ether.h>
#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/route/qdisc.h>

#include "testbed/netlink.h"
#include "testbed/netlink_listing.h"
#include "testbed/netlink_message.h"

namespace gradwire::testbed {
namespace {

/// Handles of an interface's queueing disciplines. The classes of one have the numbers after it.
constexpr std::uint32_t kShaper = 0x10000;
constexpr std::uint32_t kBands = 0x20000;
constexpr std::uint32_t kTurns = 0x30000;

/// Match of 32 bits of an IPv4 packet without options, `offset` bytes from its beginning.
tc_u32_key match(int offset, std::uint32_t mask, std::uint32_t value) {
  return {.mask = ::htonl(mask), .val = ::htonl(value), .off = offset, .offmask = 0};
}

/// Matches for RoCE v2's acknowledgements: UDP, to its port, opcode 17 of reliable connections.
auto acknowledgements() {
  const std::array keys{match(8, 0x00ff0000, IPPROTO_UDP << 16), match(20, 0x0000ffff, 4791),
                        match(28, 0xff000000, 17U << 24)};
  tc_u32_sel selector{};
  selector.flags = TC_U32_TERMINAL;
  selector.nkeys = keys.size();
  struct Filter {
    std::array<std::byte, sizeof(tc_u32_sel)> selector;
    std::array<tc_u32_key, 3> keys;
  };
  return Filter{std::bit_cast<std::array<std::byte, sizeof selector>>(selector), keys};
}

struct PutQdisc {
  void operator()(rtnl_qdisc* qdisc) const { rtnl_qdisc_put(qdisc); }
};

std::uint64_t drops_of(rtnl_tc* control) {
  return rtnl_tc_get_stat(control, RTNL_TC_DROPS);
}

}  // namespace

void Netlink::add_queue(const std::string& interface, const Queue& queue, const auto& put_options) {
  NetlinkMessage message(RTM_NEWQDISC, NLM_F_CREATE | NLM_F_REPLACE);
  tcmsg header{};
  header.tcm_family = AF_UNSPEC;
  header.tcm_ifindex = index_of(interface);
  header.tcm_parent = queue.parent;
  header.tcm_handle = queue.handle;
  message.header(header);
  message.put_text(TCA_KIND, queue.kind);
  put_options(message);
  message.send(socket_.get(), queue.operation);
}

void Netlink::shape(const std::string& interface, const LinkShape& shape) {
  const auto rate = static_cast<std::uint64_t>(shape.rate.bytes_per_second());
  tc_tbf_qopt options{};
  options.rate.rate = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(rate, std::numeric_limits<std::uint32_t>::max()));
  options.rate.linklayer = TC_LINKLAYER_ETHERNET;  // count bytes as they are; no rate table
  options.limit = static_cast<std::uint32_t>(shape.queue);
  const Queue queue{TC_H_ROOT, kShaper, "tbf",
                    fmt::format("shape {} to {}", interface, to_string(shape.rate))};
  add_queue(interface, queue, [&](NetlinkMessage& message) {
    message.nest(TCA_OPTIONS, [&] {
      message.put(TCA_TBF_PARMS, options);
      message.put(TCA_TBF_RATE64, rate);
      message.put(TCA_TBF_BURST, static_cast<std::uint32_t>(shape.burst));
    });
  });
}

void Netlink::schedule_queue_pairs(const std::string& interface) {
  tc_prio_qopt bands{.bands = 2, .priomap = {}};
  std::ranges::fill(bands.priomap, 1);
  add_queue(interface, {kShaper + 1, kBands, "prio", fmt::format("queue {} by prio", interface)},
            [&](NetlinkMessage& message) { message.put(TCA_OPTIONS, bands); });
  // Queue pairs differ by their addresses and UDP source ports. Soft-RoCE has 64 packets of one
  // under way. Two that a hash takes for one take one turn, and have packets dropped: the most
  // values that sfq's hash can have make that rare.
  tc_sfq_qopt_v1 turns{};
  turns.depth = 127;
  turns.v0.limit = 127 * 127;
  turns.v0.divisor = 65'536;
  add_queue(interface, {kBands + 2, kTurns, "sfq", fmt::format("queue {} by sfq", interface)},
            [&](NetlinkMessage& message) { message.put(TCA_OPTIONS, turns); });

  NetlinkMessage message(RTM_NEWTFILTER, NLM_F_CREATE | NLM_F_EXCL);
  tcmsg header{};
  header.tcm_ifindex = index_of(interface);
  header.tcm_parent = kBands;
  header.tcm_info = TC_H_MAKE(1U << 16, ::htons(ETH_P_IP));
  message.header(header);
  message.put_text(TCA_KIND, "u32");
  message.nest(TCA_OPTIONS, [&] {
    message.put(TCA_U32_CLASSID, kBands + 1);
    message.put(TCA_U32_SEL, acknowledgements());
  });
  message.send(socket_.get(), "let acknowledgements of " + interface + " pass");
}

std::uint64_t Netlink::shaper_drops(const std::string& interface) {
  const int index = index_of(interface);
  const Listing all = list_queues(socket_.get());
  const std::unique_ptr<rtnl_qdisc, PutQdisc> shaper(
      rtnl_qdisc_get_by_parent(all.get(), index, TC_H_ROOT));
  return shaper ? drops_of(TC_CAST(shaper.get())) : 0;
}

std::uint64_t Netlink::shaper_drops() {
  const Listing all = list_queues(socket_.get());
  std::uint64_t drops = 0;
  for (nl_object* each = nl_cache_get_first(all.get()); each != nullptr;
       each = nl_cache_get_next(each)) {
    auto* const control = TC_CAST(each);
    if (rtnl_tc_get_parent(control) == TC_H_ROOT) drops += drops_of(control);
  }
  return drops;
}

}  // namespace gradwire::testbed
