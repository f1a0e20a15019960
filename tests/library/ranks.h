#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "core/file_descriptor.h"
#include "library/gradwire.h"

/// The ranks of a job as threads of this process, which call libgradwire as programs do.
namespace gradwire::library::testing {

/// A port of the loopback interface that was free a moment ago. Nobody else is given it as long as
/// this socket keeps it, and SO_REUSEADDR lets the store listen there all the same.
class FreePort {
 public:
  FreePort() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const int on = 1;
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    number_ = ntohs(address.sin_port);
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  FileDescriptor socket_;
  int number_ = 0;
};

using Options = std::vector<std::string>;

/// Joins a job, with these options beside rank, ranks and store. NULL, and why, when it does not.
inline gradwire_job* join(std::size_t rank, std::size_t ranks, int port, const Options& more,
                          std::string* why = nullptr) {
  Options options{"rank=" + std::to_string(rank), "ranks=" + std::to_string(ranks),
                  "store=127.0.0.1:" + std::to_string(port)};
  options.insert(options.end(), more.begin(), more.end());
  std::vector<const char*> texts;
  for (const std::string& option : options) texts.push_back(option.c_str());
  texts.push_back(nullptr);
  gradwire_job* job = nullptr;
  const int code = gradwire_init(texts.data(), &job);
  EXPECT_EQ(code == GRADWIRE_OK, job != nullptr);
  if (why != nullptr) *why = code == GRADWIRE_OK ? "" : gradwire_error_text(nullptr);
  return job;
}

/// Runs `work` on every rank of a job, each in its own thread.
inline void run_ranks(std::size_t ranks, const Options& options,
                      const std::function<void(gradwire_job*)>& work) {
  const FreePort port;
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      std::string why;
      gradwire_job* const job = join(rank, ranks, port.number(), options, &why);
      ASSERT_NE(job, nullptr) << why;
      work(job);
      gradwire_finalize(job);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace gradwire::library::testing
