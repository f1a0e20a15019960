#include "transport/execution/settings.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::execution {
namespace {

using ::testing::HasSubstr;

TEST(Transports, AnUnknownOneNamesThoseThereAre) {
  try {
    static_cast<void>(parse_transport("tpc"));
    FAIL() << "tpc does not exist";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("unknown transport 'tpc' (did you mean 'tcp'?); there are: tcp, "));
    for (const NamedTransport& transport : transports()) {
      EXPECT_THAT(error.what(), HasSubstr(std::string(transport.name)));
    }
  }
}

TEST(Transports, ThoseOfRdmaSaySo) {
  EXPECT_TRUE(needs_rdma(TransportKind::verbs));
  EXPECT_TRUE(needs_rdma(TransportKind::ucx_rc));
  EXPECT_FALSE(needs_rdma(TransportKind::tcp));
  EXPECT_FALSE(needs_rdma(TransportKind::ucx));
}

TEST(Transports, SayWhatChecksTheirBits) {
  EXPECT_EQ(integrity_of({.kind = TransportKind::tcp}), "crc32c");
  EXPECT_EQ(integrity_of({.kind = TransportKind::tcp, .check_frames = false}), "off");
  EXPECT_EQ(integrity_of({.kind = TransportKind::ucx}), kTcpChecksum);
  for (const auto kind : {TransportKind::ucx_rc, TransportKind::verbs}) {
    EXPECT_EQ(integrity_of({.kind = kind}), "icrc");
  }
}

// Only TCP of our own asks who is there.
TEST(Transports, ThatAreOpenToStrangersSaySo) {
  EXPECT_EQ(warning_of_strangers(TransportKind::tcp), std::nullopt);
  for (const auto kind : {TransportKind::ucx, TransportKind::ucx_rc, TransportKind::verbs}) {
    const auto warning = warning_of_strangers(kind);
    ASSERT_TRUE(warning) << to_string(kind);
    EXPECT_TRUE(warning->starts_with("with transport " + to_string(kind) + " whoever reaches"));
  }
}

}  // namespace
}  // namespace gradwire::execution
