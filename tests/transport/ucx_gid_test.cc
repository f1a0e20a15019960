#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "transport/ucx/gid.h"

/// What is looked up before UCX connects.
namespace gradwire::transport::ucx {
namespace {

class Gid : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(root_); }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void add(const std::string& device, const std::string& index, const std::string& gid,
           const std::string& type, const std::string& interface) const {
    const auto port = root_ / device / "ports" / "1";
    write(port / "gids" / index, gid);
    write(port / "gid_attrs" / "types" / index, type);
    write(port / "gid_attrs" / "ndevs" / index, interface);
  }

  const std::filesystem::path root_ =
      std::filesystem::path(::testing::TempDir()) / ("gids." + std::to_string(::getpid()));

 private:
  static void write(const std::filesystem::path& file, const std::string& line) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << line << '\n';
  }
};

constexpr const char* kLinkLocal = "fe80:0000:0000:0000:5c6b:dcff:fec7:59ef";
constexpr const char* kMapped = "0000:0000:0000:0000:0000:ffff:0a00:0001";

TEST_F(Gid, IsFoundByTypeAddressAndInterface) {
  add("r0", "0", kMapped, "RoCE v2", "p0");
  add("r0", "1", kLinkLocal, "IB/RoCE v1", "p0");
  add("r0", "2", kLinkLocal, "RoCE v2", "p0.7");
  add("r0", "3", kLinkLocal, "RoCE v2", "p0");
  EXPECT_EQ(link_local_gid("r0", "p0", root_), std::size_t{3});
}

TEST_F(Gid, IsMissingWhereThereIsNone) {
  add("r0", "0", kMapped, "RoCE v2", "p0");
  EXPECT_EQ(link_local_gid("r0", "p0", root_), std::nullopt);
  EXPECT_EQ(link_local_gid("r1", "p0", root_), std::nullopt);
}

}  // namespace
}  // namespace gradwire::transport::ucx
