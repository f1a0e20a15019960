#include "harness/workers/mpi/mpi_channel.h"

#include <array>
#include <iterator>
#include <utility>

#include <fmt/core.h>

#include "core/error.h"

namespace gradwire::workers {
namespace {

constexpr int kTag = 1;

std::string text_of(int error) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(error, text.data(), &length);
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace

MpiChannel::MpiChannel() {
  check(MPI_Comm_dup(MPI_COMM_WORLD, &communicator_), "MPI_Comm_dup");
  MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
  int rank = 0;
  int size = 0;
  check(MPI_Comm_rank(communicator_, &rank), "MPI_Comm_rank");
  check(MPI_Comm_size(communicator_, &size), "MPI_Comm_size");
  self_ = Rank(static_cast<std::size_t>(rank));
  size_ = static_cast<std::size_t>(size);
}

void MpiChannel::check(int result, const char* operation) const {
  if (result == MPI_SUCCESS) return;
  throw FabricError(FabricFailure::refused, {.rank = self_},
                    fmt::format("{}: {}", operation, text_of(result)));
}

void MpiChannel::send(Rank to, std::string bytes) {
  Sending& sending = sending_.emplace_back(MPI_REQUEST_NULL, std::move(bytes));
  check(MPI_Isend(sending.bytes.data(), static_cast<int>(sending.bytes.size()), MPI_BYTE,
                  static_cast<int>(to.index()), kTag, communicator_, &sending.request),
        "MPI_Isend");
}

void MpiChannel::begin_to_receive(int source) {
  int here = 0;
  MPI_Message found = MPI_MESSAGE_NULL;
  MPI_Status status{};
  check(MPI_Improbe(source, kTag, communicator_, &here, &found, &status), "MPI_Improbe");
  if (here == 0) return;
  int size = 0;
  check(MPI_Get_count(&status, MPI_BYTE, &size), "MPI_Get_count");
  receiving_.emplace(
      Receiving{.message = {.from = Rank(static_cast<std::size_t>(status.MPI_SOURCE)),
                            .bytes = std::string(static_cast<std::size_t>(size), '\0')}});
  check(MPI_Imrecv(receiving_->message.bytes.data(), size, MPI_BYTE, &found, &receiving_->request),
        "MPI_Imrecv");
}

std::optional<MpiChannel::Message> MpiChannel::receive(std::optional<Rank> from) {
  if (!receiving_) begin_to_receive(from ? static_cast<int>(from->index()) : MPI_ANY_SOURCE);
  if (!receiving_) return std::nullopt;
  int done = 0;
  check(MPI_Test(&receiving_->request, &done, MPI_STATUS_IGNORE), "MPI_Test");
  if (done == 0) return std::nullopt;
  return std::exchange(receiving_, std::nullopt)->message;
}

bool MpiChannel::all_sent() {
  for (auto sending = sending_.begin(); sending != sending_.end();) {
    int done = 0;
    check(MPI_Test(&sending->request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    sending = done != 0 ? sending_.erase(sending) : std::next(sending);
  }
  return sending_.empty();
}

}  // namespace gradwire::workers
