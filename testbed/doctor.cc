#include "testbed/doctor.h"

#include <cerrno>
#include <fstream>
#include <string_view>
#include <thread>

#include <fmt/core.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file_descriptor.h"
#include "core/mtu.h"
#include "testbed/net_namespace.h"
#include "testbed/netlink.h"
#include "testbed/rdma_link.h"
#include "testbed/sandbox.h"
#include "testbed/sysctl.h"
#include "testbed/tcp_settings.h"

namespace gradwire::testbed {
namespace {

using State = Check::State;

std::string read_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// Requirements that a probe in the sandbox may find missing.
struct Probe {
  const char* name;
  const char* remedy;
  void (*run)();
  State otherwise = State::missing;
};

void probe_namespace() {
  static_cast<void>(NetNamespace::create());
}

void probe_veth() {
  const NetNamespace space = NetNamespace::create();
  const InNamespace inside(space.fd());
  Netlink().create_veth({space.fd(), "a"}, {space.fd(), "b"}, kDefaultMtu);
}

void probe_bridge() {
  const NetNamespace space = NetNamespace::create();
  const InNamespace inside(space.fd());
  Netlink().create_bridge("s", kDefaultMtu);
}

void probe_tbf() {
  const NetNamespace space = NetNamespace::create();
  const InNamespace inside(space.fd());
  Netlink().shape("lo", shape_for({1e9}, kDefaultMtu));
}

void probe_settings() {
  const NetNamespace space = NetNamespace::create();
  const InNamespace inside(space.fd());
  set_network_setting("ipv4/ip_forward", "1");
}

void probe_bridge_firewall() {
  const NetNamespace space = NetNamespace::create();
  const InNamespace inside(space.fd());
  if (!forget_senders()) throw SystemError("let bridges ask firewalls", ENOENT);
}

void probe_bind_to_device() {
  const FileDescriptor fd(checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
  checked(::setsockopt(fd.get(), SOL_SOCKET, SO_BINDTODEVICE, "lo", 2), "bind to device lo");
}

void probe_threads() {
  std::thread([] {}).join();
}

void probe_pidfd() {
  const FileDescriptor fd(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
  if (!fd) throw SystemError("pidfd_open", errno);
}

constexpr Probe kProbes[] = {
    {"network namespaces", "use a kernel with CONFIG_NET_NS", probe_namespace},
    {"veth cables", "modprobe veth, or use a kernel with CONFIG_VETH", probe_veth},
    {"bridges", "modprobe bridge, or use a kernel with CONFIG_BRIDGE", probe_bridge},
    {"tbf shaper", "modprobe sch_tbf, or use a kernel with CONFIG_NET_SCH_TBF", probe_tbf},
    {"network settings", "mount /proc writable (containers: --privileged)", probe_settings},
    {"sockets bound to a device", "use Linux 5.7 or newer, or run as root", probe_bind_to_device},
    {"pidfd", "use Linux 5.3 or newer, and a container that allows pidfd_open", probe_pidfd},
    {"threads", "use a container whose seccomp profile allows clone3, or answers ENOSYS",
     probe_threads},
    {"firewalls of bridges",
     "modprobe br_netfilter; without it transfers that meet in a switch can take longer over TCP",
     probe_bridge_firewall, State::warning},
};

std::string namespace_remedy() {
  const auto is = [](const char* path, std::string_view value) { return read_line(path) == value; };
  if (is("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1")) {
    return "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or run as root";
  }
  if (is("/proc/sys/kernel/unprivileged_userns_clone", "0")) {
    return "sysctl -w kernel.unprivileged_userns_clone=1, or run as root";
  }
  if (is("/proc/sys/user/max_user_namespaces", "0")) {
    return "sysctl -w user.max_user_namespaces=10000, or run as root";
  }
  return "run as root, or on a kernel with CONFIG_USER_NS";
}

Check check_proc() {
  char program[1];
  const bool is_there = ::readlink("/proc/self/exe", program, sizeof program) >= 0;
  const char* name = "proc file system";
  if (is_there) return {State::ok, name, "works", ""};
  return {State::missing, name, "does not name this program", "mount -t proc proc /proc"};
}

Check check_congestion_control() {
  const std::string available = read_line("/proc/sys/net/ipv4/tcp_available_congestion_control");
  if (available.find("cubic") != std::string::npos)
    return {State::ok, "TCP cubic", "available", ""};
  return {State::warning, "TCP cubic", "available: " + available,
          "modprobe tcp_cubic; reno is used without it"};
}

Check check_rdma() {
  const char* name = "Soft-RoCE in namespaces";
  if (rxe_available()) return {State::ok, name, "works", ""};
  const char* found = ::geteuid() == 0 ? "this kernel has none" : "only root can make its devices";
  return {State::warning, name, found, "make roce runs it in a virtual machine"};
}

Check check_machine() {
  const long cores = ::sysconf(_SC_NPROCESSORS_ONLN);
  const double gib = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                     static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 30);
  const std::string found = fmt::format("{} cores, {:.1f} GiB of memory", cores, gib);
  if (cores >= 2 && gib >= 2) return {State::ok, "machine", found, ""};
  return {State::warning, "machine", found, "emulated rates will be low; set dilation: auto"};
}

}  // namespace

std::vector<Check> examine() {
  std::vector<Check> checks;
  const bool sandbox = works_in_sandbox([] {});
  const char* how = ::geteuid() == 0 ? "as root" : "as an ordinary user";
  checks.push_back(sandbox ? Check{State::ok, "sandbox of namespaces", how, ""}
                           : Check{State::missing, "sandbox of namespaces", "the kernel refuses it",
                                   namespace_remedy()});
  checks.push_back(check_proc());
  for (const Probe& probe : kProbes) {
    if (!sandbox) break;
    const bool works = works_in_sandbox(probe.run);
    checks.push_back({works ? State::ok : probe.otherwise, probe.name,
                      works ? "works" : "does not work", works ? "" : probe.remedy});
  }
  checks.push_back(check_congestion_control());
  checks.push_back(check_rdma());
  checks.push_back(check_machine());
  return checks;
}

}  // namespace gradwire::testbed
