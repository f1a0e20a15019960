#include "library/pytorch/process_group.h"

#include <exception>
#include <memory>
#include <utility>

#include <Python.h>

#include "library/pytorch/tensors.h"
#include "library/pytorch/work.h"

namespace gradwire::pytorch {
namespace {

using c10d::OpType;

/// Guard that lets Python's other threads run, where this thread holds Python's lock.
class WithoutPython {
 public:
  WithoutPython() : held_(Py_IsInitialized() != 0 && PyGILState_Check() != 0) {
    if (held_) state_ = PyEval_SaveThread();
  }
  ~WithoutPython() {
    if (held_) PyEval_RestoreThread(state_);
  }
  WithoutPython(const WithoutPython&) = delete;
  WithoutPython& operator=(const WithoutPython&) = delete;

 private:
  bool held_;
  PyThreadState* state_ = nullptr;
};

/// Sums all elements at every rank.
void sum(gradwire_job* job, Flat& flat, const Sum& sum) {
  require_ok(job, "all_reduce", gradwire_all_reduce(job, flat.data(), flat.elements(), sum.type));
  if (sum.is_mean) flat.divide(gradwire_ranks(job));
}

/// Sums `all`, which has as many rows as there are ranks, so that each rank gets its row's sums in
/// `mine`.
void sum_part(gradwire_job* job, const at::Tensor& all, const at::Tensor& mine, const Sum& sum) {
  require_ok(job, "reduce_scatter",
             gradwire_reduce_scatter(job, all.data_ptr(), static_cast<std::size_t>(all.numel()),
                                     sum.type));
  at::Tensor part = all[gradwire_rank(job)];
  if (sum.is_mean) part.div_(gradwire_ranks(job));
  mine.copy_(part.view(mine.sizes()));
}

/// Gathers every rank's row at all of them: `all` has as many rows as there are ranks, and one of
/// them is ours.
void gather_rows(gradwire_job* job, const at::Tensor& all) {
  require_ok(job, "all_gather",
             gradwire_all_gather(job, all.data_ptr(), all.nbytes(), GRADWIRE_BYTE));
}

/// Makes room for a row of every rank, each like `row`.
at::Tensor rows_like(const at::Tensor& row, int rows) {
  return at::empty({rows, row.numel()}, row.options());
}

[[noreturn]] void refuse(const char* operation, const char* instead) {
  TORCH_CHECK(false, "gradwire: there is no ", operation, ": ", instead);
}

void refuse_tag(const char* operation, int tag) {
  TORCH_CHECK(tag == 0, "gradwire: ", operation,
              " knows no tags: a rank's messages arrive in the order in which it sends them");
}

}  // namespace

ProcessGroup::ProcessGroup(int rank, int size, const std::vector<std::string>& options)
    : c10d::ProcessGroup(rank, size), job_(join(options)) {
  init();
}

ProcessGroup::~ProcessGroup() {
  leave();
}

void ProcessGroup::leave() {
  const WithoutPython unlocked;  // what is not done yet may call functions in Python
  decltype(lines_) lines;
  Job job;
  {
    const std::scoped_lock lock(mutex_);
    lines.swap(lines_);
    job.swap(job_);
  }
  lines.clear();  // before the job
}

ProcessGroup::Work ProcessGroup::start(OpType type, Tensors outputs, Run run,
                                       const Direction& direction) {
  const std::scoped_lock lock(mutex_);
  TORCH_CHECK(job_, "gradwire: ", c10d::opTypeToString(type), ": this rank has left the group");
  auto work = c10::make_intrusive<pytorch::Work>(type, std::move(outputs), job_);
  const auto execute = [work, job = job_, run = std::move(run)] {
    std::exception_ptr failure;
    try {
      const at::NoGradGuard values_alone;
      run(job.get());
    } catch (...) {
      failure = std::current_exception();
    }
    work->finish(failure);
  };
  lines_[direction].add({.run = execute, .then = [work] { work->tell_future(); }});
  return work;
}

gradwire_verified ProcessGroup::verify() {
  const auto found = std::make_shared<gradwire_verified>();
  start(OpType::UNKNOWN, {}, [found](gradwire_job* job) {
    require_ok(job, "verify", gradwire_verify(job, found.get()));
  })->wait(kNoTimeout);
  return *found;
}

ProcessGroup::Work ProcessGroup::allreduce(Tensors& tensors,
                                           const c10d::AllreduceOptions& options) {
  const at::Tensor tensor = single("all_reduce", tensors);
  const Sum asked = sum_of("all_reduce", tensor, options.reduceOp);
  return start(OpType::ALLREDUCE, tensors, [tensor, asked](gradwire_job* job) {
    Flat flat(tensor);
    sum(job, flat, asked);
    flat.give_back();
  });
}

ProcessGroup::Work ProcessGroup::reduce(Tensors& tensors, const c10d::ReduceOptions& options) {
  const at::Tensor tensor = single("reduce", tensors);
  const Sum asked = sum_of("reduce", tensor, options.reduceOp);
  const auto root = static_cast<int>(options.rootRank);
  return start(OpType::REDUCE, tensors, [tensor, asked, root](gradwire_job* job) {
    const bool is_root = gradwire_rank(job) == root;
    Flat flat(is_root ? tensor : tensor.clone());  // others' buffers hold parts of sums afterwards
    require_ok(job, "reduce", gradwire_reduce(job, flat.data(), flat.elements(), asked.type, root));
    if (!is_root) return;
    if (asked.is_mean) flat.divide(gradwire_ranks(job));
    flat.give_back();
  });
}

ProcessGroup::Work ProcessGroup::broadcast(Tensors& tensors,
                                           const c10d::BroadcastOptions& options) {
  const at::Tensor tensor = single("broadcast", tensors);
  const auto root = static_cast<int>(options.rootRank);
  return start(OpType::BROADCAST, tensors, [tensor, root](gradwire_job* job) {
    const Flat flat(tensor);
    require_ok(job, "broadcast",
               gradwire_broadcast(job, flat.data(), flat.bytes(), GRADWIRE_BYTE, root));
    flat.give_back();
  });
}

ProcessGroup::Work ProcessGroup::allgather(std::vector<Tensors>& outputs, Tensors& inputs,
                                           const c10d::AllgatherOptions&) {
  const at::Tensor mine = single("all_gather", inputs);
  TORCH_CHECK(outputs.size() == 1 && outputs.front().size() == static_cast<std::size_t>(getSize()),
              "gradwire: all_gather takes a list of one tensor for each of ", getSize(), " ranks");
  const Tensors theirs = outputs.front();
  require_alike("all_gather", theirs, mine);
  return start(OpType::ALLGATHER, theirs, [mine, theirs](gradwire_job* job) {
    const at::Tensor all = rows_like(mine, gradwire_ranks(job));
    all[gradwire_rank(job)].copy_(mine.reshape({-1}));
    gather_rows(job, all);
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      theirs[i].copy_(all[static_cast<std::int64_t>(i)].view(mine.sizes()));
    }
  });
}

ProcessGroup::Work ProcessGroup::_allgather_base(at::Tensor& output, at::Tensor& input,
                                                 const c10d::AllgatherOptions&) {
  constexpr const char* kName = "all_gather_into_tensor";
  require_dense(kName, input);
  require_dense(kName, output);
  TORCH_CHECK(
      output.scalar_type() == input.scalar_type() && output.numel() == input.numel() * getSize(),
      "gradwire: ", kName, " takes an output of the input's type, ", getSize(), " times as large");
  return start(OpType::_ALLGATHER_BASE, {output}, [output, input](gradwire_job* job) {
    Flat flat(output);
    const at::Tensor all = flat.rows(gradwire_ranks(job));
    all[gradwire_rank(job)].copy_(input.reshape({-1}));
    gather_rows(job, all);
    flat.give_back();
  });
}

ProcessGroup::Work ProcessGroup::reduce_scatter(Tensors& outputs, std::vector<Tensors>& inputs,
                                                const c10d::ReduceScatterOptions& options) {
  const at::Tensor mine = single("reduce_scatter", outputs);
  TORCH_CHECK(inputs.size() == 1 && inputs.front().size() == static_cast<std::size_t>(getSize()),
              "gradwire: reduce_scatter takes a list of one tensor for each of ", getSize(),
              " ranks");
  const Tensors theirs = inputs.front();
  require_alike("reduce_scatter", theirs, mine);
  const Sum asked = sum_of("reduce_scatter", mine, options.reduceOp);
  return start(OpType::REDUCE_SCATTER, outputs, [mine, theirs, asked](gradwire_job* job) {
    const at::Tensor all = rows_like(mine, gradwire_ranks(job));
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      all[static_cast<std::int64_t>(i)].copy_(theirs[i].reshape({-1}));
    }
    sum_part(job, all, mine, asked);
  });
}

ProcessGroup::Work ProcessGroup::_reduce_scatter_base(at::Tensor& output, at::Tensor& input,
                                                      const c10d::ReduceScatterOptions& options) {
  constexpr const char* kName = "reduce_scatter_tensor";
  require_dense(kName, input);
  require_dense(kName, output);
  TORCH_CHECK(
      output.scalar_type() == input.scalar_type() && input.numel() == output.numel() * getSize(),
      "gradwire: ", kName, " takes an input of the output's type, ", getSize(), " times as large");
  const Sum asked = sum_of(kName, output, options.reduceOp);
  return start(OpType::_REDUCE_SCATTER_BASE, {output}, [output, input, asked](gradwire_job* job) {
    const at::Tensor all = rows_like(output, gradwire_ranks(job));
    all.copy_(input.reshape(all.sizes()));
    sum_part(job, all, output, asked);
  });
}

ProcessGroup::Work ProcessGroup::barrier(const c10d::BarrierOptions&) {
  return start(OpType::BARRIER, {},
               [](gradwire_job* job) { require_ok(job, "barrier", gradwire_barrier(job)); });
}

ProcessGroup::Work ProcessGroup::send(Tensors& tensors, int to, int tag) {
  const at::Tensor tensor = single("send", tensors);
  refuse_tag("send", tag);
  const auto run = [tensor, to](gradwire_job* job) {
    const Flat flat(tensor);
    require_ok(job, "send", gradwire_send(job, flat.data(), flat.bytes(), GRADWIRE_BYTE, to));
  };
  return start(OpType::SEND, {}, run, {.type = OpType::SEND, .peer = to});
}

ProcessGroup::Work ProcessGroup::recv(Tensors& tensors, int from, int tag) {
  const at::Tensor tensor = single("recv", tensors);
  refuse_tag("recv", tag);
  const auto run = [tensor, from](gradwire_job* job) {
    const Flat flat(tensor);
    require_ok(job, "recv", gradwire_recv(job, flat.data(), flat.bytes(), GRADWIRE_BYTE, from));
    flat.give_back();
  };
  return start(OpType::RECV, tensors, run, {.type = OpType::RECV, .peer = from});
}

ProcessGroup::Work ProcessGroup::recvAnysource(Tensors&, int) {
  refuse("recv from any rank", "recv names the rank that it receives from");
}

ProcessGroup::Work ProcessGroup::allreduce_coalesced(Tensors&,
                                                     const c10d::AllreduceCoalescedOptions&) {
  refuse("all_reduce_coalesced", "all_reduce sums one tensor after the other");
}

ProcessGroup::Work ProcessGroup::allgather_coalesced(std::vector<Tensors>&, Tensors&,
                                                     const c10d::AllgatherOptions&) {
  refuse("all_gather_coalesced", "all_gather takes one tensor after the other");
}

ProcessGroup::Work ProcessGroup::gather(std::vector<Tensors>&, Tensors&,
                                        const c10d::GatherOptions&) {
  refuse("gather", "all_gather gives the tensors to every rank");
}

ProcessGroup::Work ProcessGroup::scatter(Tensors&, std::vector<Tensors>&,
                                         const c10d::ScatterOptions&) {
  refuse("scatter", "broadcast gives all tensors to every rank");
}

ProcessGroup::Work ProcessGroup::alltoall_base(at::Tensor&, at::Tensor&, std::vector<int64_t>&,
                                               std::vector<int64_t>&,
                                               const c10d::AllToAllOptions&) {
  refuse("all_to_all_single", "all_gather gives all blocks to every rank");
}

ProcessGroup::Work ProcessGroup::alltoall(Tensors&, Tensors&, const c10d::AllToAllOptions&) {
  refuse("all_to_all", "all_gather gives all blocks to every rank");
}

void ProcessGroup::monitoredBarrier(const c10d::BarrierOptions&, bool) {
  refuse("monitored_barrier", "barrier names the rank that is gone or says nothing");
}

}  // namespace gradwire::pytorch
