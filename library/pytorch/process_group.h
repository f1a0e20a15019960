#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "library/pytorch/job.h"
#include "library/pytorch/task_line.h"

namespace gradwire::pytorch {

/// Rank that is sent to, or received from; none for collectives.
struct Direction {
  c10d::OpType type = c10d::OpType::UNKNOWN;
  int peer = -1;
  friend auto operator<=>(const Direction&, const Direction&) = default;
};

/// Process group "gradwire" of PyTorch: a job of libgradwire whose collectives run one after the
/// other on a thread of its own, in the order of the calls, with messages beside them. A call
/// throws where no rank could run it; a later failure is reported by the Work that it returns. Sums
/// take float32, float64, float16, bfloat16, int32 and int64; operations that only move take
/// elements of every type. Tensors are dense, and in main memory.
class ProcessGroup final : public c10d::ProcessGroup {
 public:
  using Work = c10::intrusive_ptr<c10d::Work>;
  using Tensors = std::vector<at::Tensor>;

  /// Joins a job with options "key=value" (docs/library.md). Blocks until all ranks have come.
  /// Throws std::runtime_error.
  ProcessGroup(int rank, int size, const std::vector<std::string>& options);
  /// Leaves the job. Work may live longer.
  ~ProcessGroup() override;

  /// Leaves the job as gradwire_finalize does, after blocking until all calls are done. Later calls
  /// throw. Does nothing when it has left, and in a process that was forked.
  void leave();

  /// Verifies the kept sums as gradwire_verify does, after all earlier calls. Collective: blocks
  /// until all ranks have called it. Throws std::runtime_error.
  gradwire_verified verify();

  const std::string getBackendName() const override { return "gradwire"; }

  Work allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) override;
  Work reduce(Tensors& tensors, const c10d::ReduceOptions& options) override;
  Work broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) override;
  Work allgather(std::vector<Tensors>& outputs, Tensors& inputs,
                 const c10d::AllgatherOptions& options) override;
  Work _allgather_base(at::Tensor& output, at::Tensor& input,
                       const c10d::AllgatherOptions& options) override;
  Work reduce_scatter(Tensors& outputs, std::vector<Tensors>& inputs,
                      const c10d::ReduceScatterOptions& options) override;
  Work _reduce_scatter_base(at::Tensor& output, at::Tensor& input,
                            const c10d::ReduceScatterOptions& options) override;
  Work barrier(const c10d::BarrierOptions& options) override;
  /// Sends a message. Messages to a rank, and those from it, are in order among themselves, and
  /// wait for nothing else.
  Work send(Tensors& tensors, int to, int tag) override;
  Work recv(Tensors& tensors, int from, int tag) override;

  // What there is not: each throws, and names what does the same.
  Work allreduce_coalesced(Tensors& tensors,
                           const c10d::AllreduceCoalescedOptions& options) override;
  Work allgather_coalesced(std::vector<Tensors>& outputs, Tensors& inputs,
                           const c10d::AllgatherOptions& options) override;
  Work gather(std::vector<Tensors>& outputs, Tensors& inputs,
              const c10d::GatherOptions& options) override;
  Work scatter(Tensors& outputs, std::vector<Tensors>& inputs,
               const c10d::ScatterOptions& options) override;
  Work alltoall_base(at::Tensor& output, at::Tensor& input, std::vector<int64_t>& output_sizes,
                     std::vector<int64_t>& input_sizes,
                     const c10d::AllToAllOptions& options) override;
  Work alltoall(Tensors& outputs, Tensors& inputs, const c10d::AllToAllOptions& options) override;
  Work recvAnysource(Tensors& tensors, int tag) override;
  void monitoredBarrier(const c10d::BarrierOptions& options, bool wait_all_ranks) override;

 private:
  /// Function that runs an operation on a thread of its line.
  using Run = std::function<void(gradwire_job* job)>;
  /// Starts an operation after those of its direction. Its future has `outputs`.
  Work start(c10d::OpType type, Tensors outputs, Run run, const Direction& direction = {});

  std::mutex mutex_;
  Job job_;                              ///< guarded, as what follows; null once it has left
  std::map<Direction, TaskLine> lines_;  ///< by direction, once it has an operation
};

}  // namespace gradwire::pytorch
