#include "harness/emulate/parse_hosts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::emulate {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::vector<std::size_t> numbers(std::string_view text, std::size_t hosts) {
  std::vector<std::size_t> all;
  for (const Rank host : parse_hosts(text, hosts)) all.push_back(host.index());
  return all;
}

TEST(ParseHosts, ReadsNumbersAndRunsOfThem) {
  EXPECT_EQ(numbers("3", 4), (std::vector<std::size_t>{3}));
  EXPECT_EQ(numbers("7,0,2-4", 8), (std::vector<std::size_t>{0, 2, 3, 4, 7}));
}

TEST(ParseHosts, RefusesWhatTheWiringHasNot) {
  const auto refuses = [](std::string_view text, const char* why) {
    EXPECT_THAT([&] { static_cast<void>(parse_hosts(text, 4)); },
                ThrowsMessage<InputError>(HasSubstr(why)))
        << text;
  };
  refuses("4", "expected a host from 0 to 3, found '4'");
  refuses("0-4", "found '4'");
  refuses("", "expected hosts such as");
  refuses("0,,1", "found ''");
  refuses("-1", "found ''");
  refuses("1-", "found ''");
  refuses("h1", "found 'h1'");
  refuses("0 1", "found '0 1'");
  refuses("2-1", "'2-1' ends before it begins");
  refuses("0-2,1", "host 1 is named twice");
}

}  // namespace
}  // namespace gradwire::emulate
