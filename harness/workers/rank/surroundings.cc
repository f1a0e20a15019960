#include "harness/workers/rank/surroundings.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <fstream>
#include <limits>
#include <new>
#include <optional>
#include <regex>
#include <sstream>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <ifaddrs.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/utsname.h>

#include "core/error.h"
#include "core/file_descriptor.h"
#include "core/hasher.h"
#include "results/record/build_info.h"
#include "topologies/address_plan.h"
#include "transport/cuda/open.h"
#include "transport/cuda/rdma_access.h"
#include "transport/execution/gradient_way.h"
#include "transport/verbs/usable_mtu.h"

namespace gradwire::workers {
namespace {

using nlohmann::json;
using transport::PortBinding;

/// A few letters that tell files apart; "unreadable" for one that cannot be read.
std::string digest(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  if (!file) return "unreadable";
  Hasher hasher;
  hasher.mix(content.str());
  return fmt::format("{:016x}", hasher.value());
}

/// The libraries that move bytes, as they are loaded: file name and digest by short name.
json libraries() {
  static const std::regex kLibrary(R"((/\S*/((libmpi|libucp|libuct|libibverbs)\.so\S*)))");
  json found = json::object();
  std::ifstream maps("/proc/self/maps");
  std::smatch match;
  for (std::string line; std::getline(maps, line);) {
    if (!std::regex_search(line, match, kLibrary) || found.contains(match[3].str())) continue;
    found[match[3].str()] = fmt::format("{} {}", match[2].str(), digest(match[1]));
  }
  return found;
}

/// Another one after every start of the machine.
std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id;
}

/// Variables that change what the libraries do, and are not the launcher's own.
std::string steering_variables() {
  std::vector<std::string> found;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    for (const char* prefix :
         {"UCX_", "RDMAV_", "IBV_", "MLX5_", "OMPI_MCA_btl_", "OMPI_MCA_coll_", "OMPI_MCA_pml"}) {
      if (std::string_view(*variable).starts_with(prefix)) found.emplace_back(*variable);
    }
  }
  std::ranges::sort(found);
  return fmt::format("{}", fmt::join(found, " "));
}

json locked_memory() {
  rlimit value{};
  if (::getrlimit(RLIMIT_MEMLOCK, &value) == -1) return nullptr;
  return value.rlim_cur == RLIM_INFINITY ? json("unlimited") : json(value.rlim_cur);
}

/// Asks the kernel about an interface of the namespace that this thread is in.
class Interface {
 public:
  explicit Interface(const std::string& name)
      : name_(name), socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {}

  [[nodiscard]] std::string state() const {
    ifreq request = about();
    if (::ioctl(socket_.get(), SIOCGIFFLAGS, &request) != 0) return "missing";
    const bool up = (request.ifr_flags & IFF_UP) != 0 && (request.ifr_flags & IFF_RUNNING) != 0;
    return up ? "up" : "down";
  }
  [[nodiscard]] json mtu() const {
    ifreq request = about();
    if (::ioctl(socket_.get(), SIOCGIFMTU, &request) != 0) return nullptr;
    return request.ifr_mtu;
  }
  /// Null where the kernel does not know, as for most virtual interfaces.
  [[nodiscard]] json megabits_per_second() const {
    constexpr std::size_t kMasks = 3 * 128 * sizeof(std::uint32_t);  // as many as it can ask for
    alignas(ethtool_link_settings) std::array<std::byte, sizeof(ethtool_link_settings) + kMasks>
        memory{};
    auto* const link = new (memory.data()) ethtool_link_settings{.cmd = ETHTOOL_GLINKSETTINGS};
    ifreq request = about();
    request.ifr_data = reinterpret_cast<char*>(link);
    if (::ioctl(socket_.get(), SIOCETHTOOL, &request) != 0) return nullptr;
    if (link->link_mode_masks_nwords >= 0) return nullptr;
    // The kernel has told how many words it has, negated; now they are asked for.
    link->link_mode_masks_nwords = static_cast<__s8>(-link->link_mode_masks_nwords);
    link->cmd = ETHTOOL_GLINKSETTINGS;
    if (::ioctl(socket_.get(), SIOCETHTOOL, &request) != 0) return nullptr;
    const auto speed = static_cast<std::int32_t>(link->speed);
    return speed <= 0 ? json(nullptr) : json(speed);
  }
  [[nodiscard]] bool has_address(const std::string& address) const {
    ifaddrs* all = nullptr;
    if (::getifaddrs(&all) != 0) return false;
    bool found = false;
    for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
      if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
      sockaddr_in in{};
      std::memcpy(&in, one->ifa_addr, sizeof in);
      const std::string text = to_string(topologies::Ipv4{ntohl(in.sin_addr.s_addr)});
      found = found || (name_ == one->ifa_name && text == address);
    }
    ::freeifaddrs(all);
    return found;
  }

 private:
  [[nodiscard]] ifreq about() const {
    ifreq request{};
    name_.copy(request.ifr_name, IFNAMSIZ - 1);
    return request;
  }

  std::string name_;
  FileDescriptor socket_;
};

/// "usable", with its MTU, or why it is not.
std::string rdma_state(const PortBinding& port) {
  try {
    return fmt::format("usable, MTU {}", transport::verbs::usable_mtu(port));
  } catch (const std::exception& error) {
    return error.what();
  }
}

json examine_port(const PortBinding& port, bool rdma) {
  const Interface interface(port.device);
  return {{"device", port.device},
          {"address", port.address},
          {"state", interface.state()},
          {"has_address", interface.has_address(port.address)},
          {"mtu", interface.mtu()},
          {"mbit_per_s", interface.megabits_per_second()},
          {"rdma", rdma ? json(rdma_state(port)) : json(nullptr)}};
}

/// Way in which the transport would get at gradients in the GPU's memory.
std::string way_of_gradients(execution::TransportKind transport) {
  return describe_way(
      execution::ask_here(transport, transport::device::Reach::cuda, cuda::find_rdma_access()));
}

/// Bytes by a counter of an RDMA device, of words of four bytes; 0 where it has no such counter, as
/// Soft-RoCE, whose packets the network interface counts.
std::uint64_t rdma_bytes(const std::string& device, const char* counter) {
  if (device.empty()) return 0;
  std::ifstream file(fmt::format("/sys/class/infiniband/{}/ports/1/counters/{}", device, counter));
  std::uint64_t words = 0;
  return file >> words ? 4 * words : 0;
}

}  // namespace

json examine_surroundings(std::span<const PortBinding> ports, execution::TransportKind transport,
                          bool gpu) {
  const bool rdma = execution::needs_rdma(transport);
  utsname kernel{};
  ::uname(&kernel);
  json found = {{"host", kernel.nodename},
                {"program", digest("/proc/self/exe")},
                {"build", build_name()},
                {"architecture", kernel.machine},
                {"kernel", kernel.release},
                {"boot_id", boot_id()},
                {"variables", steering_variables()},
                {"libraries", libraries()},
                {"locked_memory", locked_memory()},
                {"gpu", gpu ? json(cuda::describe_gpu()) : json(nullptr)},
                {"gradients", gpu ? json(way_of_gradients(transport)) : json(nullptr)},
                {"ports", json::array()}};
  for (const PortBinding& port : ports) found["ports"].push_back(examine_port(port, rdma));
  return found;
}

json to_json(const testbed::MachineRoom& room) {
  return {room.memory_bytes, room.tasks, room.descriptors};
}

testbed::MachineRoom machine_room_from_json(const json& json) {
  const auto number = [&json](std::size_t i) {
    return json.at(i).is_null() ? std::numeric_limits<double>::infinity()
                                : json.at(i).get<double>();
  };
  return {.memory_bytes = number(0), .tasks = number(1), .descriptors = number(2)};
}

std::string build_name() {
  const record::BuildInfo& build = record::build_info();
  return fmt::format("{} {}{}", build.version, build.commit, build.dirty ? " dirty" : "");
}

std::vector<testbed::LinkCounters> count_ports(std::span<const PortBinding> ports) {
  testbed::Netlink netlink;
  std::vector<testbed::LinkCounters> all;
  for (const PortBinding& port : ports) {
    testbed::LinkCounters counters = netlink.counters(port.device);
    counters.sent_bytes += rdma_bytes(port.rdma, "port_xmit_data");
    counters.received_bytes += rdma_bytes(port.rdma, "port_rcv_data");
    all.push_back(counters);
  }
  return all;
}

}  // namespace gradwire::workers
