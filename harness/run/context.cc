#include "harness/run/context.h"

#include <array>
#include <fstream>
#include <optional>

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/text/utc.h"
#include "results/record/build_info.h"
#include "results/record/sealed_line.h"

namespace gradwire::run {
namespace {

using nlohmann::json;

constexpr std::array kSysctls = std::to_array<const char*>({
    "kernel/apparmor_restrict_unprivileged_userns",
    "kernel/unprivileged_userns_clone",
    "net/core/default_qdisc",
    "net/core/netdev_max_backlog",
    "net/core/rmem_max",
    "net/core/wmem_max",
    "net/ipv4/ip_local_port_range",
    "net/ipv4/tcp_congestion_control",
    "net/ipv4/tcp_mem",
    "net/ipv4/tcp_rmem",
    "net/ipv4/tcp_wmem",
    "user/max_net_namespaces",
    "user/max_user_namespaces",
});

/// First line of a file of /proc or /sys that begins with `head`, without it.
std::optional<std::string> find_line(const std::string& path, const std::string& head = "") {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(head)) return line.substr(head.size());
  }
  return std::nullopt;
}

json value_or_null(const std::optional<std::string>& text) {
  if (!text) return nullptr;
  const std::size_t first = text->find_first_not_of(" \t:");
  return first == std::string::npos ? json("") : json(text->substr(first));
}

json limit(int resource) {
  rlimit value{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &value) == -1) return nullptr;
  return value.rlim_cur == RLIM_INFINITY ? json("unlimited") : json(value.rlim_cur);
}

json sysctls() {
  json result = json::object();
  for (const char* name : kSysctls) {
    result[name] = value_or_null(find_line(fmt::format("/proc/sys/{}", name)));
  }
  return result;
}

json experiment_context(const RunIdentity& run) {
  const experiment::Experiment& experiment = run.experiment;
  return {{"file", experiment.file},
          {"name", experiment.name},
          {"description", experiment.description},
          {"text", experiment.text},
          {"planned", run.planned},
          {"warmup", experiment.warmup},
          {"iterations", experiment.iterations},
          {"transport", to_string(experiment.transport.kind)},
          {"link",
           {{"rate_bits_per_s", experiment.rate.bits_per_second},
            {"mtu", experiment.mtu},
            {"headers", experiment.headers},
            {"startup_us", experiment.startup.count() * 1e6},
            {"delay_us", experiment.delay.count() * 1e6}}}};
}

json attempt_context(const RunIdentity& run) {
  return {{"started", text::format_utc(run.started)},
          {"process", ::getpid()},
          {"arguments", run.arguments},
          {"overrides", to_json(run.overrides)},
          {"build", build_context()},
          {"machine", machine_context()}};
}

}  // namespace

json machine_context() {
  utsname kernel{};
  ::uname(&kernel);
  const std::string cpu0 = "/sys/devices/system/cpu/";
  const std::string clocks = "/sys/devices/system/clocksource/clocksource0/";
  return {
      {"host", kernel.nodename},
      {"kernel", fmt::format("{} {} {}", kernel.sysname, kernel.release, kernel.version)},
      {"architecture", kernel.machine},
      {"cpu", value_or_null(find_line("/proc/cpuinfo", "model name"))},
      {"cores", ::sysconf(_SC_NPROCESSORS_ONLN)},
      {"smt", value_or_null(find_line(cpu0 + "smt/active"))},
      {"governor", value_or_null(find_line(cpu0 + "cpu0/cpufreq/scaling_governor"))},
      {"memory", value_or_null(find_line("/proc/meminfo", "MemTotal"))},
      {"memory_available", value_or_null(find_line("/proc/meminfo", "MemAvailable"))},
      {"load", value_or_null(find_line("/proc/loadavg"))},
      {"clock_source", value_or_null(find_line(clocks + "current_clocksource"))},
      {"limits",
       {{"memlock", limit(RLIMIT_MEMLOCK)},
        {"open_files", limit(RLIMIT_NOFILE)},
        {"processes", limit(RLIMIT_NPROC)}}},
      {"sysctl", sysctls()},
  };
}

json build_context() {
  const record::BuildInfo& info = record::build_info();
  json libraries = json::object();
  for (const record::Library library : record::kLibraries) {
    const bool has = info.libraries.has(library);
    libraries[to_string(library)] = has ? json(info.libraries.version(library)) : json(nullptr);
  }
  return {{"version", info.version},       {"commit", info.commit},         {"dirty", info.dirty},
          {"compiler", info.compiler},     {"build_type", info.build_type}, {"flags", info.flags},
          {"sanitizers", info.sanitizers}, {"libraries", libraries}};
}

json run_context(const RunIdentity& run) {
  json context = attempt_context(run);
  context["version"] = record::kStoreVersion;
  context["experiment"] = experiment_context(run);
  context["resumed"] = json::array();
  if (run.part) context["part"] = to_json(*run.part);
  return context;
}

json resumed_context(json context, const RunIdentity& run) {
  context["experiment"] = experiment_context(run);
  context["resumed"].push_back(attempt_context(run));
  return context;
}

}  // namespace gradwire::run
