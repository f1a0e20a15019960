#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/library/ranks.h"

/// What collectives leave in the buffers of all ranks. Rank r begins with (r + 1) * (i + 1) in element
/// i, so that every sum says whose numbers are in it: N(N + 1)/2 * (i + 1).
namespace gradwire::library {
namespace {

using testing::run_ranks;

const testing::Options kTwoPorts{"wiring=bcube(2,2)", "ports=lo,lo"};

template <class T>
std::vector<T> gradient(int rank, std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>((rank + 1) * (i + 1));
  return values;
}

template <class T>
std::vector<T> sums(int ranks, std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<T>(static_cast<std::size_t>(ranks * (ranks + 1) / 2) * (i + 1));
  }
  return values;
}

template <class T>
void expect_sums(gradwire_job* job, std::size_t count, gradwire_type type) {
  std::vector<T> values = gradient<T>(gradwire_rank(job), count);
  EXPECT_EQ(gradwire_all_reduce(job, values.data(), count, type), GRADWIRE_OK)
      << gradwire_error_text(job);
  EXPECT_EQ(values, sums<T>(gradwire_ranks(job), count));
}

TEST(Collectives, SumsOfNumbersOfEveryKindAreExact) {
  run_ranks(4, {}, [](gradwire_job* job) {
    expect_sums<float>(job, 1000, GRADWIRE_FLOAT32);
    expect_sums<double>(job, 1001, GRADWIRE_FLOAT64);
    expect_sums<std::int32_t>(job, 3, GRADWIRE_INT32);
    expect_sums<std::int64_t>(job, 70'000, GRADWIRE_INT64);
  });
}

// 1 is 0x3c00 as a float16 and 0x3f80 as a bfloat16, 4 is 0x4400 and 0x4080.
TEST(Collectives, HalvesAreAddedAsNumbers) {
  run_ranks(4, {}, [](gradwire_job* job) {
    std::vector<std::uint16_t> half(33, 0x3c00);
    std::vector<std::uint16_t> brain(33, 0x3f80);
    EXPECT_EQ(gradwire_all_reduce(job, half.data(), 33, GRADWIRE_FLOAT16), GRADWIRE_OK);
    EXPECT_EQ(gradwire_all_reduce(job, brain.data(), 33, GRADWIRE_BFLOAT16), GRADWIRE_OK);
    EXPECT_EQ(half, std::vector<std::uint16_t>(33, 0x4400));
    EXPECT_EQ(brain, std::vector<std::uint16_t>(33, 0x4080));
  });
}

TEST(Collectives, AlgorithmsOfAWiringOfSeveralPortsRun) {
  for (const std::string algorithm : {"bml", "striped-rings", "ps", "all-reduce(bruck)"}) {
    testing::Options options = kTwoPorts;
    options.push_back("algorithm=" + algorithm);
    run_ranks(4, options,
              [](gradwire_job* job) { expect_sums<float>(job, 4099, GRADWIRE_FLOAT32); });
  }
}

/// Ten steps of a training whose gradients depend on all that was learned before, with these buckets: the
/// parameters' bits at the end.
std::vector<std::uint32_t> learned(gradwire_job* job, const std::vector<std::size_t>& buckets) {
  const std::size_t count = std::accumulate(buckets.begin(), buckets.end(), std::size_t{0});
  const auto rank = static_cast<float>(gradwire_rank(job));
  std::vector<float> parameters(count, 1.0F);
  for (int step = 0; step < 10; ++step) {
    std::vector<float> gradient(count);
    for (std::size_t i = 0; i < count; ++i) {
      gradient[i] = std::sin(parameters[i] * static_cast<float>(i + 1)) * std::exp(5 * rank);
    }
    std::size_t first = 0;
    for (const std::size_t bucket : buckets) {
      EXPECT_EQ(gradwire_all_reduce(job, gradient.data() + first, bucket, GRADWIRE_FLOAT32),
                GRADWIRE_OK)
          << gradwire_error_text(job);
      first += bucket;
    }
    for (std::size_t i = 0; i < count; ++i) parameters[i] -= 1e-7F * gradient[i];
  }
  std::vector<std::uint32_t> bits(count);
  std::memcpy(bits.data(), parameters.data(), count * sizeof(float));
  return bits;
}

// Everything at once, tensor by tensor, and merged in two ways.
const std::vector<std::vector<std::size_t>> kCuts{
    {1000}, {10, 300, 20, 600, 70}, {310, 690}, {10, 320, 670}};

TEST(Collectives, InAFixedOrderParametersDoNotDependOnBuckets) {
  for (const std::string algorithm : {"ring(fixed-order)", "ps(fixed-order)"}) {
    run_ranks(4, {"algorithm=" + algorithm}, [&](gradwire_job* job) {
      const auto expected = learned(job, kCuts[0]);
      for (const auto& cut : kCuts) EXPECT_EQ(learned(job, cut), expected) << algorithm;
    });
  }
}

// Else they do, so that the test above could fail.
TEST(Collectives, InARingParametersDependOnBuckets) {
  run_ranks(4, {"algorithm=ring"},
            [&](gradwire_job* job) { EXPECT_NE(learned(job, kCuts[1]), learned(job, kCuts[0])); });
}

// UCX keeps the memory that it was connected with: the buffers are copied there and back.
TEST(Collectives, BuffersMayLieElsewhereEachTime) {
  for (const std::string transport : {"tcp", "ucx"}) {
#ifdef GRADWIRE_WITHOUT_UCX
    if (transport == "ucx") continue;
#endif
    run_ranks(3, {"transport=" + transport}, [](gradwire_job* job) {
      std::vector<std::vector<float>> kept;
      for (int call = 0; call < 3; ++call) {
        kept.push_back(gradient<float>(gradwire_rank(job), 5000));
        EXPECT_EQ(gradwire_all_reduce(job, kept.back().data(), 5000, GRADWIRE_FLOAT32),
                  GRADWIRE_OK);
      }
      for (const std::vector<float>& values : kept) EXPECT_EQ(values, sums<float>(3, 5000));
    });
  }
}

// More sizes than connections are kept for.
TEST(Collectives, SizesMayBeMany) {
  run_ranks(2, {}, [](gradwire_job* job) {
    for (std::size_t count = 1; count <= 40; ++count) {
      expect_sums<float>(job, count, GRADWIRE_FLOAT32);
    }
    expect_sums<float>(job, 1, GRADWIRE_FLOAT32);
  });
}

TEST(Collectives, NothingIsSummedAtOnce) {
  run_ranks(2, {}, [](gradwire_job* job) {
    EXPECT_EQ(gradwire_all_reduce(job, nullptr, 0, GRADWIRE_FLOAT32), GRADWIRE_OK);
  });
}

TEST(Collectives, ASingleRankHasItsSums) {
  run_ranks(1, {}, [](gradwire_job* job) {
    expect_sums<float>(job, 10, GRADWIRE_FLOAT32);
    EXPECT_EQ(gradwire_barrier(job), GRADWIRE_OK);
  });
}

TEST(Collectives, TheRootsBufferIsCopied) {
  run_ranks(4, {}, [](gradwire_job* job) {
    for (int root = 0; root < 4; ++root) {
      std::vector<std::uint8_t> bytes(777, static_cast<std::uint8_t>(gradwire_rank(job) + 1));
      EXPECT_EQ(gradwire_broadcast(job, bytes.data(), 777, GRADWIRE_BYTE, root), GRADWIRE_OK);
      EXPECT_EQ(bytes, std::vector<std::uint8_t>(777, static_cast<std::uint8_t>(root + 1)));
    }
  });
}

TEST(Collectives, TheRootAloneHasSums) {
  run_ranks(3, {}, [](gradwire_job* job) {
    std::vector<double> values = gradient<double>(gradwire_rank(job), 500);
    EXPECT_EQ(gradwire_reduce(job, values.data(), 500, GRADWIRE_FLOAT64, 2), GRADWIRE_OK);
    if (gradwire_rank(job) != 2) return;
    EXPECT_EQ(values, sums<double>(3, 500));
  });
}

// 11 elements of 4 ranks: parts of 3, 3, 3 and 2.
TEST(Collectives, PartsAreSummedAndGathered) {
  run_ranks(4, {}, [](gradwire_job* job) {
    std::size_t first = 0;
    std::size_t length = 0;
    ASSERT_EQ(gradwire_part(job, gradwire_rank(job), 11, &first, &length), GRADWIRE_OK);
    EXPECT_EQ(length, gradwire_rank(job) == 3 ? 2U : 3U);
    std::vector<std::int64_t> values = gradient<std::int64_t>(gradwire_rank(job), 11);
    ASSERT_EQ(gradwire_reduce_scatter(job, values.data(), 11, GRADWIRE_INT64), GRADWIRE_OK);
    const auto all = sums<std::int64_t>(4, 11);
    std::vector<std::int64_t> mine(11, -1);
    for (std::size_t i = first; i < first + length; ++i) {
      EXPECT_EQ(values[i], all[i]);
      mine[i] = values[i];
    }
    ASSERT_EQ(gradwire_all_gather(job, mine.data(), 11, GRADWIRE_INT64), GRADWIRE_OK);
    EXPECT_EQ(mine, all);
  });
}

// Pieces of 1 MiB, and of every power of two below: 0 bytes, 1, the largest piece, and more.
TEST(Messages, OfEverySizeArriveInTheirOrder) {
  run_ranks(3, {}, [](gradwire_job* job) {
    const std::vector<std::size_t> counts{0, 1, 7, 131'072, 131'073, 400'001};
    for (const std::size_t count : counts) {
      if (gradwire_rank(job) == 0) {
        const auto values = gradient<std::int64_t>(static_cast<int>(count), count);
        EXPECT_EQ(gradwire_send(job, values.data(), count, GRADWIRE_INT64, 2), GRADWIRE_OK);
      } else if (gradwire_rank(job) == 2) {
        std::vector<std::int64_t> values(count, -1);
        EXPECT_EQ(gradwire_recv(job, values.data(), count, GRADWIRE_INT64, 0), GRADWIRE_OK)
            << gradwire_error_text(job);
        EXPECT_EQ(values, gradient<std::int64_t>(static_cast<int>(count), count));
      }
    }
  });
}

// Nobody could go on if one of these waited for another.
TEST(Messages, GoBothWaysBesideCollectives) {
  for (const std::string transport : {"tcp", "ucx"}) {
#ifdef GRADWIRE_WITHOUT_UCX
    if (transport == "ucx") continue;
#endif
    testing::Options options = kTwoPorts;
    options.push_back("transport=" + transport);
    run_ranks(4, options, [](gradwire_job* job) {
      const int rank = gradwire_rank(job);
      std::vector<double> received(300'000);
      std::thread receiving([&] {
        EXPECT_EQ(gradwire_recv(job, received.data(), 300'000, GRADWIRE_FLOAT64, (rank + 3) % 4),
                  GRADWIRE_OK)
            << gradwire_error_text(job);
      });
      expect_sums<float>(job, 5000, GRADWIRE_FLOAT32);
      std::thread sending([&] {
        const auto values = gradient<double>(rank, 300'000);
        EXPECT_EQ(gradwire_send(job, values.data(), 300'000, GRADWIRE_FLOAT64, (rank + 1) % 4),
                  GRADWIRE_OK)
            << gradwire_error_text(job);
      });
      expect_sums<float>(job, 70'001, GRADWIRE_FLOAT32);
      sending.join();
      receiving.join();
      EXPECT_EQ(received, gradient<double>((rank + 3) % 4, 300'000));
    });
  }
}

TEST(Collectives, WhatIsStartedRunsInItsOrder) {
  run_ranks(3, {}, [](gradwire_job* job) {
    std::vector<std::vector<float>> buckets;
    std::vector<gradwire_request*> requests(5);
    for (std::size_t i = 0; i < 5; ++i) {
      buckets.push_back(gradient<float>(gradwire_rank(job), 1000 * (i + 1)));
    }
    for (std::size_t i = 0; i < 5; ++i) {
      ASSERT_EQ(gradwire_start_all_reduce(job, buckets[i].data(), buckets[i].size(),
                                          GRADWIRE_FLOAT32, &requests[i]),
                GRADWIRE_OK);
    }
    expect_sums<float>(job, 77, GRADWIRE_FLOAT32);  // after all of them
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(gradwire_test(requests[i]), 1);
      EXPECT_EQ(gradwire_wait(requests[i]), GRADWIRE_OK);
      EXPECT_EQ(buckets[i], sums<float>(3, 1000 * (i + 1)));
    }
  });
}

}  // namespace
}  // namespace gradwire::library
