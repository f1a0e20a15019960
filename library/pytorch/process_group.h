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

/// Who is sent to, or received from; nobody for collectives.
struct Direction {
  c10d::OpType type = c10d::OpType::UNKNOWN;
  int peer = -1;
  friend auto operator<=>(const Direction&, const Direction&) = default;
};

/// PyTorch's process group "gradwire": a job of libgradwire whose collectives run one after the other on
/// a thread of its own, in the order in which they are called, and what is sent and received beside
/// them. A call throws for what no rank could run; what fails later is told by the Work that it returns.
/// Sums take float32, float64, float16, bfloat16,
/// int32 and int64; what only moves takes elements of every type. Tensors are dense, and in main memory.
class ProcessGroup final : public c10d::ProcessGroup {
 public:
  using Work = c10::intrusive_ptr<c10d::Work>;
  using Tensors = std::vector<at::Tensor>;

  /// Joins a job with options "key=value" (docs/library.md). Blocks until all ranks have come. Throws
  /// std::runtime_error.
  ProcessGroup(int rank, int size, const std::vector<std::string>& options);
  /// Leaves. Work may live longer.
  ~ProcessGroup() override;

  /// Blocks until all that was called is done, and leaves the job, as gradwire_finalize does. What is
  /// called later throws. Does nothing when it has left, and in a process that was forked.
  void leave();

  /// Verifies sums that are kept, as gradwire_verify, after all that was called. Collective: blocks until
  /// all ranks have called it. Throws std::runtime_error.
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
  /// Messages to a rank, and those from it, are in order among themselves, and wait for nothing else.
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
  /// What an operation does on a thread of its line.
  using Run = std::function<void(gradwire_job* job)>;
  /// Starts an operation whose future has `outputs`, after those of its direction.
  Work start(c10d::OpType type, Tensors outputs, Run run, const Direction& direction = {});

  std::mutex mutex_;
  Job job_;                              ///< guarded, as what follows; none once it has left
  std::map<Direction, TaskLine> lines_;  ///< by direction, once there is an operation
};

}  // namespace gradwire::pytorch
