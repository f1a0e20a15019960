#include "transport/verbs/gid.h"

#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::transport::verbs {
namespace {

ibv_gid_entry entry(std::uint32_t index, const char* address, ibv_gid_type type,
                    std::uint32_t interface) {
  return {.gid = mapped_gid(address),
          .gid_index = index,
          .port_num = 1,
          .gid_type = type,
          .ndev_ifindex = interface};
}

const std::vector<ibv_gid_entry> kTable{
    entry(0, "10.0.0.9", IBV_GID_TYPE_ROCE_V2, 4), entry(1, "10.0.0.1", IBV_GID_TYPE_ROCE_V1, 4),
    entry(2, "10.0.0.1", IBV_GID_TYPE_ROCE_V2, 5), entry(3, "10.0.0.1", IBV_GID_TYPE_ROCE_V2, 4),
    entry(4, "10.0.0.2", IBV_GID_TYPE_ROCE_V2, 0)};

TEST(Gid, IsFoundByTypeInterfaceAndAddress) {
  const auto found = find_gid(kTable, mapped_gid("10.0.0.1"), 4);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->gid_index, 3u);
  EXPECT_EQ(find_gid(kTable, mapped_gid("10.0.0.1"), 5)->gid_index, 2u);
  EXPECT_FALSE(find_gid(kTable, mapped_gid("10.0.0.1"), 6));
  EXPECT_FALSE(find_gid(kTable, mapped_gid("10.0.0.3"), 4));
}

TEST(Gid, AnInterfaceThatIsNotReportedCountsAsTheRightOne) {
  const auto found = find_gid(kTable, mapped_gid("10.0.0.2"), 7);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->gid_index, 4u);
}

TEST(Gid, Texts) {
  EXPECT_EQ(to_string(mapped_gid("10.0.0.1")), "::ffff:10.0.0.1");
  EXPECT_EQ(to_string(kTable[1]), "port 1 index 1: ::ffff:10.0.0.1, RoCE v1, interface 4");
  EXPECT_THROW(static_cast<void>(mapped_gid("host")), InputError);
}

}  // namespace
}  // namespace gradwire::transport::verbs
