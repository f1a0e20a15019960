#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/id.h"
#include "core/text/spec.h"
#include "core/units.h"
#include "transport/execution/settings.h"

/// Settings of a rank in its job: options, and the environment where these say nothing.
namespace gradwire::library {

/// Function that returns a variable of the environment; nothing when it is not set, or empty.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
/// The value of a variable in this process's environment.
[[nodiscard]] std::optional<std::string> variable(const std::string& name);

/// Option, and the variable that stands for it where it is not given.
struct SettingForm {
  std::string_view key;
  std::string_view variable;
};
/// The forms of all settings.
[[nodiscard]] std::span<const SettingForm> setting_forms();

/// Settings that a rank has before it meets the others.
struct Settings {
  Rank self;
  std::size_t ranks = 1;
  std::string store_host;  ///< rank 0's, by name or address; empty for a single rank
  std::uint16_t store_port = 0;
  std::string wiring;  ///< by its name
  text::Spec algorithm;
  execution::TransportSettings transport;
  Nanoseconds timeout{};
  std::size_t verify = 0;              ///< verify every n-th all-reduce; 0: none
  std::string secret;                  ///< empty: none
  std::vector<std::string> devices;    ///< interfaces of the ports, by Port; empty: none are named
  std::vector<std::string> addresses;  ///< addresses of the ports; as many as devices, or none
  std::vector<std::string> rdma;       ///< RDMA devices of the ports; as many as devices, or none
};

/// Reads options "key=value". Throws InputError, which names the option or the variable, for one
/// that is unknown, given twice or wrong, and where rank, number of ranks or store are unknown.
[[nodiscard]] Settings read_settings(std::span<const std::string> options,
                                     const Environment& environment);

}  // namespace gradwire::library
