#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "core/file_descriptor.h"
#include "tests/faults/loopback/incident.h"
#include "tests/faults/loopback/scenario.h"
#include "transport/authentication.h"
#include "transport/cancellation.h"
#include "transport/tcp/caller.h"
#include "transport/tcp/socket.h"

namespace gradwire::faults {

/// Who comes to a rank's doors and does not belong there.
class Strangers {
 public:
  /// Both must outlive it.
  Strangers(const Visit& visit, const transport::RunKey& key, Incident& incident);
  /// Those who are still there go.
  ~Strangers();
  Strangers(const Strangers&) = delete;
  Strangers& operator=(const Strangers&) = delete;

  /// Comes to the doors of a rank, which are by port. Returns when all have connected, or when the
  /// one with the claim was answered; some go on talking, and others call again and again, until
  /// this object goes.
  void come(const std::vector<transport::tcp::Listening>& doors);

  /// What the claimant was told; empty when the claim was granted.
  [[nodiscard]] const std::string& answer() const { return answer_; }

 private:
  void bring_all(const std::vector<transport::tcp::Listening>& doors);
  void claim(const transport::tcp::Listening& door);
  /// Says it byte by byte, then calls again until it is over.
  void linger(int connection, const std::string& words, const transport::tcp::Listening& door);

  const Visit& visit_;
  const transport::RunKey& key_;
  Incident& incident_;
  transport::Cancellation over_;
  std::vector<FileDescriptor> connections_;
  std::vector<std::pair<transport::tcp::ChannelName, FileDescriptor>> granted_;
  std::string answer_;
  std::thread thread_;
};

}  // namespace gradwire::faults
