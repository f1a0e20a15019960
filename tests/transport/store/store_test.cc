#include <future>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "core/error.h"
#include "tests/transport/store/members.h"

namespace gradwire::transport::store {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using testing::gather;
using testing::kKey;
using testing::Member;
using testing::three;

/// Why somebody is not let in; empty when it is.
std::string refusal(const Server& server, std::size_t rank, RunKey key, std::size_t ranks) {
  try {
    const Member member(server, rank, key, ranks);
  } catch (const FabricError& error) {
    return error.what();
  }
  return "";
}

TEST(Store, GathersByRankAgainAndAgain) {
  const Server server(three());
  std::vector<std::unique_ptr<Member>> members;
  for (std::size_t i = 0; i < 3; ++i) members.push_back(std::make_unique<Member>(server, i));
  for (const std::string round : {"a", "b", "c"}) {
    std::vector<std::future<std::string>> all;
    for (std::size_t i = 0; i < 3; ++i) {
      all.push_back(std::async(std::launch::async,
                               [&, i] { return gather(*members[i], round + std::to_string(i)); }));
    }
    for (auto& one : all) EXPECT_EQ(one.get(), round + "0." + round + "1." + round + "2.");
  }
  EXPECT_EQ(members[0]->client.job_key(), members[2]->client.job_key());
  EXPECT_EQ(members[1]->client.own_address(), "127.0.0.1");
}

TEST(Store, PassesLettersOfSeveralLinesOnWhileOthersGather) {
  const Server server(three());
  std::vector<std::unique_ptr<Member>> members;
  for (std::size_t i = 0; i < 3; ++i) members.push_back(std::make_unique<Member>(server, i));
  const auto tell = [&](std::size_t from, std::size_t to, std::uint32_t line) {
    return std::async(std::launch::async, [&, from, to, line] {
      std::string all;
      for (const std::string round : {"a", "b"}) {
        all += members[from]->client.exchange(Rank(to), line, round + std::to_string(from));
      }
      return all;
    });
  };
  auto gathering = std::async(std::launch::async, [&] { return gather(*members[0], "x"); });
  auto zero = tell(0, 1, 0);
  auto one = tell(1, 0, 0);
  auto other_line = tell(0, 1, 1);
  auto two = tell(2, 0, 0);
  EXPECT_EQ(zero.get(), "a1b1");
  EXPECT_EQ(one.get(), "a0b0");
  auto zero_to_two = tell(0, 2, 0);
  EXPECT_EQ(two.get(), "a0b0");
  EXPECT_EQ(zero_to_two.get(), "a2b2");
  auto one_of_other = tell(1, 0, 1);
  EXPECT_EQ(other_line.get(), "a1b1");
  EXPECT_EQ(one_of_other.get(), "a0b0");
  auto late = std::async(std::launch::async, [&] { return gather(*members[1], "y"); });
  EXPECT_EQ(gather(*members[2], "z"), "x.y.z.");
  EXPECT_EQ(gathering.get(), "x.y.z.");
  EXPECT_EQ(late.get(), "x.y.z.");
}

TEST(Store, MovesContributionsOfTheLargestSize) {
  const Server server({.at = {.address = "127.0.0.1", .port = 0}, .ranks = 1, .key = kKey});
  Member member(server, 0, kKey, 1);
  const std::string largest(kMostContribution, 'x');
  EXPECT_THAT(member.client.all_gather(largest), ElementsAre(largest));
}

TEST(Store, LetsOnlyItsJobIn) {
  const Server server(three());
  const Member first(server, 0);
  EXPECT_THAT(refusal(server, 1, {9}, 3), HasSubstr("it has another secret"));
  EXPECT_THAT(refusal(server, 1, kKey, 5), HasSubstr("it is for a job of 3 ranks, not 5"));
  EXPECT_THAT(refusal(server, 0, kKey, 3), HasSubstr("a process of this rank is there already"));
  EXPECT_EQ(refusal(server, 1, kKey, 3), "");
}

TEST(Store, StrangersKeepNobodyOut) {
  const Server server(three());
  std::vector<FileDescriptor> strangers;
  for (int i = 0; i < 300; ++i) {
    strangers.push_back(
        tcp::start_connecting({.device = "", .address = "127.0.0.1"}, server.listening()));
    const std::string said = i % 2 == 0 ? std::string(200, '\xff') : "GET / HTTP/1.1\r\n";
    static_cast<void>(::send(strangers.back().get(), said.data(), said.size(), MSG_NOSIGNAL));
  }
  EXPECT_EQ(refusal(server, 1, kKey, 3), "");
}

TEST(Store, TellsEverybodyWhoIsGone) {
  const Server server(three());
  Member zero(server, 0);
  Member one(server, 1);
  auto two = std::make_unique<Member>(server, 2);
  auto waiting = std::async(std::launch::async, [&] { return gather(zero, "x"); });
  two.reset();  // as when its process ends
  EXPECT_EQ(waiting.get(), "rank 0, peer 2: peer closed: its process, or its host, is gone");
  EXPECT_EQ(gather(one, "x"), "rank 1, peer 2: peer closed: its process, or its host, is gone");
  EXPECT_TRUE(one.cancellation.requested());
}

TEST(Store, WhoHasLeftIsNotGone) {
  Server server(three());
  Member zero(server, 0);
  auto one = std::make_unique<Member>(server, 1);
  one->client.leave();
  one.reset();
  EXPECT_EQ(gather(zero, "x"), "rank 0, peer 1: peer closed: it has left the job");
}

TEST(Store, NamesWhoHasNotCome) {
  const Server server(three());
  Member zero(server, 0, kKey, 3, 300ms);
  Member two(server, 2);
  auto waiting = std::async(std::launch::async, [&] { return gather(two, "x"); });
  EXPECT_THAT(gather(zero, "x"), HasSubstr("peer 1: "));
  EXPECT_THAT(waiting.get(), HasSubstr("peer 1: "));
}

TEST(Store, WhenItEndsItsRankIsGone) {
  auto server = std::make_unique<Server>(three());
  Member one(*server, 1);
  server.reset();
  EXPECT_THAT(gather(one, "x"), HasSubstr("peer 0: peer closed: the store"));
}

TEST(Store, ACallToNobodyEndsInTime) {
  tcp::Listening nowhere;
  {
    const Server server(three());
    nowhere = server.listening();
  }
  SteadyClock clock;
  Cancellation cancellation;
  try {
    const Client client({.store = nowhere, .self = Rank(1), .ranks = 3, .timeout = 200ms},
                        cancellation, clock);
    FAIL() << "there is no store";
  } catch (const FabricError& error) {
    EXPECT_THAT(error.what(), HasSubstr("nobody is there within 200 ms: Connection refused"));
  }
}

}  // namespace
}  // namespace gradwire::transport::store
