#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/file_descriptor.h"
#include "harness/workers/session/workers.h"
#include "testbed/memory_kills.h"
#include "testbed/process.h"

namespace gradwire::workers {

/// Workers on this machine, each a child of this process in the network namespace of its host, with
/// a control connection of its own.
class ForkedWorkers final : public Workers {
 public:
  /// Starts one for each of `namespaces`, descriptors of network namespaces by rank. The clock must
  /// outlive it. Throws SystemError.
  ForkedWorkers(const std::vector<int>& namespaces, const Clock& clock);

  [[nodiscard]] std::size_t size() const override { return workers_.size(); }
  [[nodiscard]] bool send(std::size_t rank, const ControlMessage& message) override;
  [[nodiscard]] std::vector<std::size_t> poll(Nanoseconds time) override;
  [[nodiscard]] std::optional<ControlMessage> receive(std::size_t rank) override;
  [[nodiscard]] WorkerEnding ending(std::size_t rank) override;
  [[nodiscard]] std::string standing(std::size_t rank) const override;
  void stop() override;

 private:
  struct Worker {
    FileDescriptor control;
    testbed::ChildProcess process;
    bool gone = false;  ///< receive() has said so
  };

  const Clock& clock_;
  testbed::MemoryKills memory_kills_;  ///< since before they were started
  std::vector<Worker> workers_;
};

}  // namespace gradwire::workers
