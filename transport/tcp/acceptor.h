#pragma once

#include <set>
#include <utility>
#include <vector>

#include "transport/acceptor.h"
#include "transport/tcp/channel.h"

namespace gradwire::transport::tcp {

/// The doors of a rank: each channel that peers connect comes in once, at its port. A port where no
/// more channels are expected takes no connections.
class Acceptor final : public transport::Acceptor {
 public:
  struct Options {
    Rank self;
    RunKey key{};
    std::vector<ChannelName> expected;  ///< the channels that peers connect
    const Clock& clock;                 ///< must outlive it
  };

  /// Takes the listeners over, by port; they must be non-blocking.
  Acceptor(std::vector<FileDescriptor> listeners, const Options& options);

  /// The channels that were connected since the last call.
  [[nodiscard]] std::vector<std::pair<ChannelName, FileDescriptor>> take_admitted();
  /// Whether every channel that is expected has been connected.
  [[nodiscard]] bool is_done() const { return admitted_.size() == expected_.size(); }

 private:
  [[nodiscard]] Verdict judge(const Greeting& greeting, Port port) override;
  void admit(const Greeting& greeting, FileDescriptor connection) override;
  [[nodiscard]] bool is_open(Port port) const override;

  std::set<ChannelName> expected_;
  std::set<ChannelName> admitted_;
  std::vector<std::pair<ChannelName, FileDescriptor>> ready_;
};

}  // namespace gradwire::transport::tcp
