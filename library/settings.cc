#include "library/settings.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <type_traits>
#include <utility>

#include <fmt/core.h>

#include "core/error.h"
#include "core/hasher.h"
#include "core/text/suggest.h"
#include "core/to_number.h"

namespace gradwire::library {
namespace {

constexpr std::array kForms{
    SettingForm{"rank", ""},
    SettingForm{"ranks", ""},
    SettingForm{"store", "GRADWIRE_STORE"},
    SettingForm{"wiring", "GRADWIRE_WIRING"},
    SettingForm{"algorithm", "GRADWIRE_ALGORITHM"},
    SettingForm{"transport", "GRADWIRE_TRANSPORT"},
    SettingForm{"integrity", "GRADWIRE_INTEGRITY"},
    SettingForm{"timeout", "GRADWIRE_TIMEOUT"},
    SettingForm{"verify", "GRADWIRE_VERIFY"},
    SettingForm{"secret", "GRADWIRE_SECRET"},
    SettingForm{"ports", "GRADWIRE_PORTS"},
    SettingForm{"addresses", ""},
    SettingForm{"rdma", "GRADWIRE_RDMA"},
};

/// Program that starts ranks, and the variables in which it passes their numbers. The first
/// launcher whose variables are set counts: a program that mpirun starts on a host of an emulation
/// is a rank of mpirun's.
struct Launcher {
  const char* rank;
  const char* ranks;
};
constexpr std::array kLaunchers{Launcher{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                Launcher{"PMI_RANK", "PMI_SIZE"}, Launcher{"RANK", "WORLD_SIZE"}};
constexpr Launcher kTorchrun{"RANK", "WORLD_SIZE"};

/// Text of a setting, and the name of its place.
struct Value {
  std::string text;
  std::string place;
};

/// Sources of all settings: options and environment.
class Sources {
 public:
  Sources(std::span<const std::string> options, const Environment& environment)
      : environment_(environment) {
    for (const std::string& option : options) add(option);
  }

  [[nodiscard]] std::optional<Value> find(std::string_view key) const {
    const auto given = given_.find(key);
    if (given != given_.end()) {
      return Value{.text = given->second, .place = fmt::format("option {}", key)};
    }
    const auto* const form = std::ranges::find(kForms, key, &SettingForm::key);
    return form->variable.empty() ? std::nullopt : in_environment(std::string(form->variable));
  }

  [[nodiscard]] std::optional<Value> in_environment(const std::string& name) const {
    const std::optional<std::string> text = environment_(name);
    if (!text) return std::nullopt;
    return Value{.text = *text, .place = name};
  }

 private:
  void add(const std::string& option) {
    const std::size_t sign = option.find('=');
    if (sign == std::string::npos) {
      throw InputError(fmt::format("option '{}' is not key=value", option));
    }
    const std::string key = option.substr(0, sign);
    if (std::ranges::find(kForms, key, &SettingForm::key) == kForms.end()) {
      std::vector<std::string> known;
      for (const SettingForm& form : kForms) known.emplace_back(form.key);
      throw InputError(text::unknown_name("option", key, known));
    }
    if (!given_.emplace(key, option.substr(sign + 1)).second) {
      throw InputError(fmt::format("option {} is given twice", key));
    }
  }

  const Environment& environment_;
  std::map<std::string, std::string, std::less<>> given_;
};

/// Calls `read` on the value; its error names the place.
template <class Read>
auto read_at(const Value& value, const Read& read) {
  try {
    return read(value.text);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", value.place, error.what()));
  }
}

/// Parses a whole number from `least` to `most`.
template <class Number>
Number number_in(const Value& value, std::type_identity_t<Number> least,
                 std::type_identity_t<Number> most) {
  const auto number = to_number<Number>(value.text);
  if (number && *number >= least && *number <= most) return *number;
  throw InputError(fmt::format("{}: '{}' is not a whole number from {} to {}", value.place,
                               value.text, least, most));
}

std::vector<std::string> list_of(const std::optional<Value>& value) {
  std::vector<std::string> words;
  if (!value) return words;
  std::string_view left = value->text;
  while (true) {
    const std::size_t comma = left.find(',');
    words.emplace_back(left.substr(0, comma));
    if (words.back().empty()) {
      throw InputError(fmt::format("{}: '{}' has an empty place", value->place, value->text));
    }
    if (comma == std::string_view::npos) return words;
    left.remove_prefix(comma + 1);
  }
}

std::optional<Launcher> launcher_of(const Sources& sources) {
  if (sources.in_environment("TORCHELASTIC_RUN_ID")) return kTorchrun;
  for (const Launcher& launcher : kLaunchers) {
    if (sources.in_environment(launcher.rank)) return launcher;
  }
  return std::nullopt;
}

void read_ranks(const Sources& sources, Settings& settings) {
  constexpr std::size_t kMostRanks = 65536;
  std::optional<Value> ranks = sources.find("ranks");
  std::optional<Value> rank = sources.find("rank");
  if (ranks.has_value() != rank.has_value()) {
    throw InputError("options rank and ranks are given together or not at all");
  }
  if (const auto launcher = launcher_of(sources); launcher && !rank) {
    rank = sources.in_environment(launcher->rank);
    ranks = sources.in_environment(launcher->ranks);
    if (!rank || !ranks) {
      throw InputError(fmt::format("{} is set without {}", rank ? launcher->rank : launcher->ranks,
                                   rank ? launcher->ranks : launcher->rank));
    }
  }
  if (!rank) {
    throw InputError(
        "no rank: neither options rank and ranks, nor the environment of torchrun, mpirun or "
        "gradwire emulate (RANK and WORLD_SIZE)");
  }
  settings.ranks = number_in<std::size_t>(*ranks, 1, kMostRanks);
  settings.self = Rank(number_in<std::size_t>(*rank, 0, settings.ranks - 1));
}

/// A port derived from the name of mpirun's job, below those that kernels hand out.
std::uint16_t port_of_job(const Sources& sources) {
  const auto job = sources.in_environment("PMIX_NAMESPACE");
  Hasher hasher;
  hasher.mix(job ? std::string_view(job->text) : std::string_view());
  return static_cast<std::uint16_t>(20000 + hasher.value() % 10000);
}

/// Whether mpirun has started all ranks on this machine.
bool is_one_machine(const Sources& sources) {
  const auto here = sources.in_environment("OMPI_COMM_WORLD_LOCAL_SIZE");
  const auto all = sources.in_environment("OMPI_COMM_WORLD_SIZE");
  return here && all && here->text == all->text;
}

void read_store(const Sources& sources, Settings& settings) {
  if (settings.ranks == 1) return;
  if (const auto store = sources.find("store")) {
    const std::size_t colon = store->text.rfind(':');
    if (colon == std::string::npos || colon == 0) {
      throw InputError(fmt::format("{}: '{}' is not host:port", store->place, store->text));
    }
    settings.store_host = store->text.substr(0, colon);
    settings.store_port = number_in<std::uint16_t>(
        {.text = store->text.substr(colon + 1), .place = store->place}, 1, 65535);
    return;
  }
  const auto address = sources.in_environment("MASTER_ADDR");
  const auto port = sources.in_environment("MASTER_PORT");
  if (!address && !is_one_machine(sources)) {
    throw InputError(
        "no store: neither option store, GRADWIRE_STORE nor MASTER_ADDR and MASTER_PORT say where "
        "rank 0 can be reached");
  }
  if (address && !port) throw InputError("MASTER_ADDR is set without MASTER_PORT");
  settings.store_host = address ? address->text : "127.0.0.1";
  settings.store_port = address ? number_in<std::uint16_t>(*port, 1, 65535) : port_of_job(sources);
}

void read_ports(const Sources& sources, Settings& settings) {
  const auto ports = sources.find("ports");
  settings.devices = list_of(ports);
  settings.addresses = list_of(sources.find("addresses"));
  settings.rdma = list_of(sources.find("rdma"));
  if (!settings.addresses.empty() && settings.devices.size() != settings.addresses.size()) {
    throw InputError(fmt::format("ports (GRADWIRE_PORTS) names {}, addresses {}",
                                 settings.devices.size(), settings.addresses.size()));
  }
  if (!settings.rdma.empty() && settings.rdma.size() != settings.devices.size()) {
    throw InputError(fmt::format("ports (GRADWIRE_PORTS) names {}, rdma (GRADWIRE_RDMA) {}",
                                 settings.devices.size(), settings.rdma.size()));
  }
}

void read_names(const Sources& sources, Settings& settings) {
  const auto wiring = sources.find("wiring");
  settings.wiring = wiring ? wiring->text : fmt::format("single-switch({})", settings.ranks);
  if (const auto algorithm = sources.find("algorithm")) {
    settings.algorithm =
        read_at(*algorithm, [](const std::string& text) { return text::parse_spec(text); });
  } else {
    settings.algorithm.name = "ring";
  }
  if (const auto transport = sources.find("transport")) {
    settings.transport.kind = read_at(*transport, execution::parse_transport);
  }
  if (const auto integrity = sources.find("integrity")) {
    if (integrity->text != "crc32c" && integrity->text != "off") {
      throw InputError(
          fmt::format("{}: '{}' is neither crc32c nor off", integrity->place, integrity->text));
    }
    settings.transport.check_frames = integrity->text == "crc32c";
  }
  constexpr std::size_t kRarest = 1'000'000;
  if (const auto verify = sources.find("verify")) {
    settings.verify = number_in<std::size_t>(*verify, 0, kRarest);
  }
}

}  // namespace

std::optional<std::string> variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  if (value == nullptr || *value == '\0') return std::nullopt;
  return std::string(value);
}

std::span<const SettingForm> setting_forms() {
  return kForms;
}

Settings read_settings(std::span<const std::string> options, const Environment& environment) {
  const Sources sources(options, environment);
  Settings settings;
  read_ranks(sources, settings);
  read_store(sources, settings);
  read_names(sources, settings);
  read_ports(sources, settings);
  const Value timeout =
      sources.find("timeout").value_or(Value{.text = "60s", .place = "the default"});
  settings.timeout = read_at(timeout, [](const std::string& text) { return parse_duration(text); });
  if (settings.timeout < std::chrono::milliseconds(1) || settings.timeout > std::chrono::days(1)) {
    throw InputError(
        fmt::format("{}: '{}' is not from 1ms to 86400s", timeout.place, timeout.text));
  }
  if (const auto secret = sources.find("secret")) settings.secret = secret->text;
  return settings;
}

}  // namespace gradwire::library
