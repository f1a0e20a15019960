#include "core/refused_thread.h"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradwire {
namespace {

using ::testing::HasSubstr;

TEST(RefusedThread, IsNamedWithWhatRefusesIt) {
  const auto said = [](int number) {
    const auto refusal = refused_thread(std::system_error(number, std::generic_category()));
    return refusal ? std::string(refusal->what()) : "";
  };
  EXPECT_THAT(said(EPERM), HasSubstr("start a thread: Operation not permitted (clone3 is refused"));
  EXPECT_THAT(said(EAGAIN), HasSubstr("ulimit -u"));
}

TEST(RefusedThread, IsNoOtherError) {
  const std::error_code code(EPERM, std::generic_category());
  EXPECT_FALSE(refused_thread(std::filesystem::filesystem_error("open", code)));
  EXPECT_FALSE(refused_thread(SystemError("open", EPERM)));
  const std::error_code full(EAGAIN, std::generic_category());
  EXPECT_FALSE(refused_thread(std::system_error(full, "cannot write to file"))) << "fmt's";
}

}  // namespace
}  // namespace gradwire
