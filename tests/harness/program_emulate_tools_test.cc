// Programs of others, as they are, on emulated wirings.
#include <cstdlib>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "program_emulate.h"

namespace gradwire::harness {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using testing::Emulated;
using ::testing::HasSubstr;
using testing::read;

class Tools : public Emulated {
 protected:
  /// Whether this machine can do so much.
  [[nodiscard]] bool can(const std::string& command) const {
    return finish(start({"-c", command}, StartIn::shell)) == 0;
  }
};

// TCP's payload is (9000 - 52)/(9000 + 14) = 0.993 of a shaped rate. The burst of 72 KiB that the
// shaper lets through at once is 0.1 % of three seconds at that rate, and the first round trips
// take less than 9 %.
TEST_F(Tools, Iperf3ShowsTheShapedRate) {
  if (!can("command -v iperf3")) GTEST_SKIP() << "iperf3 is not here";
  const fs::path file = scratch_ / "iperf3.json";
  const std::string script =
      "if [ $RANK = 1 ]; then exec iperf3 -s -1 > /dev/null; fi; "
      "for i in $(seq 100); do iperf3 -J -t 3 -c h1 > " +
      file.string() + "; grep -q sum_received " + file.string() +
      " && exit 0; sleep 0.1; done; exit 1";  // with -J it also succeeds when it was refused
  ASSERT_EQ(emulate({"single-switch(2)", "--rate", "200Mbit"}, script), 0) << err() << read(file);
  const auto measured = nlohmann::json::parse(read(file));
  const double rate = measured.at("end").at("sum_received").at("bits_per_second");
  EXPECT_GE(rate / 200e6, 0.9);
  EXPECT_LE(rate / 200e6, 1.0);
}

// mpirun on one host reaches the others by the variables that are set there. 1 + 2 + 3 + 4 = 10.
TEST_F(Tools, MpirunStartsItsRanksOnTheHosts) {
#ifdef GRADWIRE_MPI_SUM
  if (!can("command -v mpirun")) GTEST_SKIP() << "mpirun is not here";
  const std::string script = std::string("mpirun -H $GRADWIRE_HOSTS -n 4 ") + GRADWIRE_MPI_SUM;
  ASSERT_EQ(emulate({"bcube(2,2)", "--on", "0"}, script), 0) << out() << err();
  EXPECT_THAT(out(),
              AllOf(HasSubstr("rank 0 of 4 on h0: 10\n"), HasSubstr("rank 1 of 4 on h1: 10\n"),
                    HasSubstr("rank 2 of 4 on h2: 10\n"), HasSubstr("rank 3 of 4 on h3: 10\n")));
#else
  GTEST_SKIP() << "built without Open MPI";
#endif
}

TEST_F(Tools, TorchMeetsOverGloo) {
  if (!can("python3 -c 'import torch.distributed'")) GTEST_SKIP() << "python3-torch is not here";
  const std::string script =
      std::string("exec python3 ") + GRADWIRE_ROOT + "/tests/harness/emulate/gloo_sum.py";
  ASSERT_EQ(emulate({"bcube(2,2)"}, script), 0) << out() << err();
  EXPECT_THAT(out(), AllOf(HasSubstr("[0] rank 0 of 4: 10\n"), HasSubstr("[3] rank 3 of 4: 10\n")));
}

}  // namespace
}  // namespace gradwire::harness
