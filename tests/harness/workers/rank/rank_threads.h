#pragma once

#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace gradwire::workers::testing {

/// Lets every rank live on a thread of its own: life(i) for each i below `ranks`. Blocks until all are
/// over. Throws what the first rank that failed threw.
template <class Life>
void on_every_rank(std::size_t ranks, const Life& life) {
  std::vector<std::exception_ptr> endings(ranks);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < ranks; ++i) {
    threads.emplace_back([&, i] {
      try {
        life(i);
      } catch (...) {
        endings[i] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& ending : endings) {
    if (ending) std::rethrow_exception(ending);
  }
}

}  // namespace gradwire::workers::testing
