#include "collectives/peers/mpi/connect.h"

#include <array>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <mpi.h>

#include "collectives/peers/blocks.h"
#include "core/error.h"

namespace gradwire::peers::mpi {
namespace {

/// A communicator of our own: messages on others' communicators cannot be taken for ours, and its
/// errors are returned, not fatal.
class Communicator {
 public:
  Communicator() {
    ensure(MPI_Comm_dup(MPI_COMM_WORLD, &handle_) == MPI_SUCCESS,
           "MPI_COMM_WORLD can be duplicated");
    MPI_Comm_set_errhandler(handle_, MPI_ERRORS_RETURN);
  }
  ~Communicator() { MPI_Comm_free(&handle_); }
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  [[nodiscard]] MPI_Comm handle() const { return handle_; }

 private:
  MPI_Comm handle_ = MPI_COMM_NULL;
};

std::string describe(int error) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(error, text.data(), &length);
  return {text.data(), static_cast<std::size_t>(length)};
}

/// Counts and displacements in MPI's types.
struct Blocks {
  std::vector<int> counts;
  std::vector<int> firsts;
};

/// The blocks of extents that stay in the gradient.
Blocks in_gradient(std::span<const Extent> extents) {
  Blocks blocks;
  for (const Extent& extent : extents) {
    blocks.counts.push_back(static_cast<int>(extent.count));
    blocks.firsts.push_back(static_cast<int>(extent.first));
  }
  return blocks;
}
/// The blocks of extents that are packed side by side.
Blocks packed(std::span<const Extent> extents) {
  Blocks blocks = in_gradient(extents);
  std::exclusive_scan(blocks.counts.begin(), blocks.counts.end(), blocks.firsts.begin(), 0);
  return blocks;
}

/// A collective of one extent: the arguments for MPI, ready before the clock runs.
struct Call {
  Extent whole;
  Blocks sends;
  Blocks receives;
  std::vector<Extent> gets = {};   ///< extents in `output`, side by side
  std::vector<float> output = {};  ///< separate memory, if MPI needs it
};

Call call_for(const Extent& whole, What what, const Group& group) {
  Call call{.whole = whole};
  if (what == What::all_gather || what == What::reduce_scatter) {
    call.receives = in_gradient(parts_of(whole, group.ranks));
  }
  if (what == What::reduce_scatter) {
    call.gets = {part(whole, group.ranks, group.self.index())};
  }
  if (what == What::all_to_all) {
    call.sends = in_gradient(blocks_to_each(whole, group));
    call.gets = blocks_from_each(whole, group);
    call.receives = packed(call.gets);
  }
  call.output.resize(count_of(call.gets));
  return call;
}

class MpiCollective final : public Collective {
 public:
  MpiCollective(std::span<float> gradient, std::span<const Extent> extents, What what, Rank self)
      : gradient_(gradient), what_(what), self_(self) {
    int ranks = 0;
    MPI_Comm_size(communicator_.handle(), &ranks);
    const Group group{.self = self, .ranks = static_cast<std::size_t>(ranks)};
    for (const Extent& extent : extents) calls_.push_back(call_for(extent, what, group));
  }

  void run(std::size_t extent) override {
    const int result = issue(calls_.at(extent));
    if (result == MPI_SUCCESS) return;
    throw FabricError(FabricFailure::peer_closed, {.rank = self_},
                      fmt::format("MPI, {}: {}", kWhats.name_of(what_), describe(result)));
  }

  void put_in_place(std::size_t extent) override {
    const Call& call = calls_.at(extent);
    unpack(call.output, call.gets, gradient_);
  }

 private:
  int issue(Call& call) {
    float* const all = gradient_.data();
    float* const values = all + call.whole.first;
    const int count = static_cast<int>(call.whole.count);
    MPI_Comm const comm = communicator_.handle();
    switch (what_) {
      case What::all_reduce:
        return MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_FLOAT, MPI_SUM, comm);
      case What::reduce_scatter:
        return MPI_Reduce_scatter(values, call.output.data(), call.receives.counts.data(),
                                  MPI_FLOAT, MPI_SUM, comm);
      case What::all_gather:
        return MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_FLOAT, all, call.receives.counts.data(),
                              call.receives.firsts.data(), MPI_FLOAT, comm);
      case What::all_to_all:
        return MPI_Alltoallv(all, call.sends.counts.data(), call.sends.firsts.data(), MPI_FLOAT,
                             call.output.data(), call.receives.counts.data(),
                             call.receives.firsts.data(), MPI_FLOAT, comm);
      case What::broadcast:
        return MPI_Bcast(values, count, MPI_FLOAT, 0, comm);
      case What::reduce: {
        const bool is_root = self_ == Rank(0);
        return MPI_Reduce(is_root ? MPI_IN_PLACE : values, is_root ? values : nullptr, count,
                          MPI_FLOAT, MPI_SUM, 0, comm);
      }
    }
    throw_bug("a collective is one of those that MPI has");
  }

  std::span<float> gradient_;
  What what_;
  Rank self_;
  Communicator communicator_;
  std::vector<Call> calls_;
};

}  // namespace

std::unique_ptr<Collective> connect(std::span<float> gradient, std::span<const Extent> extents,
                                    What what, Rank self) {
  int initialized = 0;
  MPI_Initialized(&initialized);
  ensure(initialized != 0, "mpirun has started this process, and it has initialized MPI");
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ensure(static_cast<std::size_t>(rank) == self.index(),
         "this process has the same rank in MPI_COMM_WORLD");
  ensure(gradient.size() <= std::numeric_limits<int>::max(),
         "the gradient has no more elements than MPI can count in an int");
  return std::make_unique<MpiCollective>(gradient, extents, what, self);
}

}  // namespace gradwire::peers::mpi
