#include "testbed/hosts/host_list.h"

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/name_table.h"
#include "core/text/csv_document.h"
#include "core/text/lowercase.h"
#include "core/text/suggest.h"
#include "core/to_number.h"

namespace gradwire::hosts {
namespace {

constexpr unsigned kLargestPort = 65535;

/// Form of a column's values, as the inventories that are made of it allow.
struct Form {
  std::regex pattern;
  const char* expects;
};
struct Forms {
  Form name{std::regex("[A-Za-z0-9][A-Za-z0-9._-]{0,62}"),
            "a name of letters, digits, '.', '_', '-'"};
  Form address{std::regex("[A-Za-z0-9][A-Za-z0-9._:-]{0,254}"), "an address or a name for ssh"};
  Form user{std::regex("[A-Za-z0-9._][A-Za-z0-9._-]{0,63}"), "a user's name"};
  Form device{std::regex(kInterfacePattern), "an interface such as eno1"};
};

/// The forms, compiled once: a list has thousands of fields, and a pattern takes longer to compile
/// than they take to match.
const Forms& forms() {
  static const Forms all;
  return all;
}

constexpr NameTable<NicKey, 3> kNicKeys({{"pci", NicKey::pci},
                                         {"mac", NicKey::mac},
                                         {"interface", NicKey::interface}});

/// Names of groups that Ansible has itself.
constexpr std::array<std::string_view, 3> kGroups{"all", "ungrouped", "testbed"};

std::string port_column(std::size_t port) {
  return fmt::format("port{}", port);
}

std::optional<Nic> parse_nic(const std::string& text, const SourcePlace& place) {
  static const std::regex kPci(R"(([0-9a-f]{4}:)?[0-9a-f]{2}:[01][0-9a-f]\.[0-7])");
  static const std::regex kMac("[0-9a-f][02468ace](:[0-9a-f]{2}){5}");
  const std::string small = text::lowercase(text);
  std::smatch match;
  if (std::regex_match(small, match, kPci)) {
    return Nic{NicKey::pci, match[1].matched ? small : "0000:" + small, place};
  }
  if (std::regex_match(small, kMac)) return Nic{NicKey::mac, small, place};
  if (std::regex_match(text, forms().device.pattern)) return Nic{NicKey::interface, text, place};
  return std::nullopt;
}

/// Reader of the lines of one document.
class HostReader {
 public:
  HostReader(const text::CsvDocument& document, const topologies::Topology& topology)
      : document_(document), topology_(topology) {
    for (std::size_t i = 0; i < document.header.size(); ++i) {
      columns_[document.header[i].text] = i;
    }
    check_columns();
  }

  [[nodiscard]] std::vector<ListedHost> read() const {
    std::vector<ListedHost> hosts;
    for (const auto& record : document_.records) hosts.push_back(read_host(record));
    if (hosts.size() == topology_.hosts()) return hosts;
    const SourcePlace place = hosts.size() > topology_.hosts() ? hosts[topology_.hosts()].place
                                                               : SourcePlace{document_.file};
    throw InputError(place, fmt::format("{} has {} hosts; here are {}", topology_.name(),
                                        topology_.hosts(), hosts.size()));
  }

 private:
  using Record = std::vector<text::CsvField>;

  void check_columns() const {
    std::vector<std::string> known{"name", "address", "user", "ssh_port", "control_device"};
    for (std::size_t port = 0; port < topology_.ports_per_host(); ++port) {
      known.push_back(port_column(port));
    }
    for (const text::CsvField& column : document_.header) {
      if (std::ranges::find(known, column.text) != known.end()) continue;
      const auto meant = text::nearest(column.text, known);
      const std::string hint = meant && !columns_.contains(*meant)
                                   ? fmt::format("did you mean '{}'?", *meant)
                                   : fmt::format("there are {}", fmt::join(known, ", "));
      throw InputError(
          document_.place(column.position),
          fmt::format("{}, whose hosts have {} ports, has no column '{}'; {}", topology_.name(),
                      topology_.ports_per_host(), column.text, hint));
    }
    for (const std::string& column : known) {
      const bool needed = column == "name" || column == "address" || column.starts_with("port");
      if (!needed || columns_.contains(column)) continue;
      throw InputError(document_.place(document_.header.front().position),
                       fmt::format("column '{}' is missing; {} needs {} ports of every host",
                                   column, topology_.name(), topology_.ports_per_host()));
    }
  }

  /// The field of a column; nothing when there is no such column or its field is empty.
  [[nodiscard]] const text::CsvField* find(const Record& record, const std::string& column) const {
    const auto found = columns_.find(column);
    if (found == columns_.end() || record[found->second].text.empty()) return nullptr;
    return &record[found->second];
  }

  [[nodiscard]] std::optional<std::string> text(const Record& record, const char* column,
                                                const Form& form) const {
    const text::CsvField* const field = find(record, column);
    if (field == nullptr) return std::nullopt;
    if (!std::regex_match(field->text, form.pattern)) {
      refuse(*field, fmt::format("expected {}, found '{}'", form.expects, field->text));
    }
    return field->text;
  }

  [[nodiscard]] std::string needed(const Record& record, const char* column,
                                   const Form& form) const {
    if (auto found = text(record, column, form)) return *found;
    refuse(record[columns_.at(column)], fmt::format("this host has no {}", column));
  }

  [[nodiscard]] std::optional<unsigned> ssh_port(const Record& record) const {
    const text::CsvField* const field = find(record, "ssh_port");
    if (field == nullptr) return std::nullopt;
    const auto port = to_number<unsigned>(field->text);
    if (!port || *port < 1 || *port > kLargestPort) {
      refuse(*field, fmt::format("expected a whole number from 1 to {}, found '{}'", kLargestPort,
                                 field->text));
    }
    return port;
  }

  [[nodiscard]] Nic nic(const Record& record, std::size_t port, const std::string& host) const {
    const std::string column = port_column(port);
    const text::CsvField& field = record[columns_.at(column)];
    if (field.text.empty()) {
      refuse(field, fmt::format("{} has no {}: give the PCI address of its network interface", host,
                                column));
    }
    if (const auto nic = parse_nic(field.text, document_.place(field.position))) return *nic;
    refuse(field, fmt::format("'{}' is no PCI address (0000:3b:00.0), no MAC address of one "
                              "interface (02:00:5e:00:53:01), and no interface's name (eth1)",
                              field.text));
  }

  [[nodiscard]] ListedHost read_host(const Record& record) const {
    ListedHost host{.name = needed(record, "name", forms().name),
                    .address = needed(record, "address", forms().address),
                    .user = text(record, "user", forms().user),
                    .ssh_port = ssh_port(record),
                    .control_device = text(record, "control_device", forms().device),
                    .ports = {},
                    .place = document_.place(record[columns_.at("name")].position),
                    .address_place = document_.place(record[columns_.at("address")].position)};
    if (std::ranges::find(kGroups, host.name) != kGroups.end()) {
      throw InputError(host.place, fmt::format("Ansible calls a group '{}': rename it", host.name));
    }
    for (std::size_t port = 0; port < topology_.ports_per_host(); ++port) {
      host.ports.push_back(nic(record, port, host.name));
    }
    return host;
  }

  [[noreturn]] void refuse(const text::CsvField& field, const std::string& why) const {
    throw InputError(document_.place(field.position), why);
  }

  const text::CsvDocument& document_;
  const topologies::Topology& topology_;
  std::map<std::string, std::size_t> columns_;  ///< by name: position in a record
};

/// First users of things that only one host or port can have.
class Owners {
 public:
  void claim(const std::string& what, const std::string& owner, const SourcePlace& place) {
    const auto [found, is_new] = owners_.emplace(what, owner);
    if (!is_new) {
      throw InputError(place,
                       fmt::format("{} is given to {} and to {}", what, found->second, owner));
    }
  }

 private:
  std::map<std::string, std::string> owners_;
};

void refuse_twins(const std::vector<ListedHost>& hosts) {
  std::set<std::string> names;
  Owners owners;
  for (const ListedHost& host : hosts) {
    if (!names.insert(host.name).second) {
      throw InputError(host.place, fmt::format("there are two hosts {}", host.name));
    }
    // Machines behind one address are told apart by the ports of their ssh servers.
    owners.claim(fmt::format("address {} port {}", host.address, host.ssh_port.value_or(22)),
                 host.name, host.address_place);
    Owners in_host;
    if (host.control_device) in_host.claim("interface " + *host.control_device, "ssh", host.place);
    for (std::size_t port = 0; port < host.ports.size(); ++port) {
      const Nic& nic = host.ports[port];
      const std::string what = fmt::format("{} {}", to_string(nic.key), nic.value);
      const std::string owner = fmt::format("{} {}", host.name, port_column(port));
      // PCI addresses and interfaces are the same on many hosts, MAC addresses on none.
      (nic.key == NicKey::mac ? owners : in_host).claim(what, owner, nic.place);
    }
  }
}

std::vector<ListedHost> read(const text::CsvDocument& document,
                             const topologies::Topology& topology) {
  std::vector<ListedHost> hosts = HostReader(document, topology).read();
  refuse_twins(hosts);
  return hosts;
}

}  // namespace

std::string_view to_string(NicKey key) {
  return kNicKeys.name_of(key);
}

std::vector<ListedHost> load_host_list(const std::filesystem::path& path,
                                       const topologies::Topology& topology) {
  return read(text::load_csv(path), topology);
}

std::vector<ListedHost> load_host_list_text(std::string_view text, const std::string& name,
                                            const topologies::Topology& topology) {
  return read(text::parse_csv(text, name), topology);
}

}  // namespace gradwire::hosts
