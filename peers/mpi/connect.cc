#include "peers/mpi/connect.h"

#include <array>
#include <limits>
#include <string>
#include <vector>

#include <mpi.h>

#include "core/error.h"

namespace gradwire::peers::mpi {
namespace {

/// A communicator of our own: what others say on theirs cannot be taken for ours, and its errors
/// are returned, not fatal.
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

class MpiAllReduce final : public AllReduce {
 public:
  MpiAllReduce(std::span<float> gradient, std::span<const Extent> extents, Rank self)
      : gradient_(gradient), extents_(extents.begin(), extents.end()), self_(self) {}

  void sum(std::size_t extent) override {
    const Extent& what = extents_.at(extent);
    const std::span<float> values = gradient_.subspan(what.first, what.count);
    const int result = MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()),
                                     MPI_FLOAT, MPI_SUM, communicator_.handle());
    if (result == MPI_SUCCESS) return;
    throw FabricError(FabricFailure::peer_closed, {.rank = self_},
                      "MPI_Allreduce: " + describe(result));
  }

 private:
  std::span<float> gradient_;
  std::vector<Extent> extents_;
  Rank self_;
  Communicator communicator_;
};

}  // namespace

std::unique_ptr<AllReduce> connect(std::span<float> gradient, std::span<const Extent> extents,
                                   Rank self) {
  int initialized = 0;
  MPI_Initialized(&initialized);
  ensure(initialized != 0, "mpirun has started this process, and it has initialized MPI");
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ensure(static_cast<std::size_t>(rank) == self.index(),
         "this process has the same rank in MPI_COMM_WORLD");
  ensure(gradient.size() <= std::numeric_limits<int>::max(),
         "the gradient has no more elements than MPI can count in an int");
  return std::make_unique<MpiAllReduce>(gradient, extents, self);
}

}  // namespace gradwire::peers::mpi
