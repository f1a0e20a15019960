// What a command on an emulated host sees, and what its output and its exit code become.
#include "program_emulate.h"

#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>

namespace gradwire::harness {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using testing::Emulated;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::read;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> sorted(std::vector<std::string> lines) {
  std::ranges::sort(lines);
  return lines;
}

TEST_F(Emulated, RunsACommandOnEveryHost) {
  EXPECT_EQ(
      emulate({"single-switch(3)"}, "echo $RANK of $WORLD_SIZE on $(hostname); echo oh $RANK >&2"),
      0);
  EXPECT_EQ(sorted(lines_of(out())),
            (std::vector<std::string>{"[0] 0 of 3 on h0", "[1] 1 of 3 on h1", "[2] 2 of 3 on h2"}));
  EXPECT_THAT(err(), AllOf(HasSubstr("[0] oh 0\n"), HasSubstr("[2] oh 2\n")));
}

TEST_F(Emulated, RunsItOnSomeHosts) {
  EXPECT_EQ(emulate({"single-switch(4)", "--on", "1,3", "--no-counters"},
                    "echo $RANK of $WORLD_SIZE, host $GRADWIRE_HOST, $MASTER_ADDR"),
            0);
  EXPECT_EQ(sorted(lines_of(out())), (std::vector<std::string>{"[1] 0 of 2, host 1, 10.100.0.2",
                                                               "[3] 1 of 2, host 3, 10.100.0.2"}));
  EXPECT_EQ(err(), "");
}

// h3 of BCube(2,2) shares no switch with h0: h1 or h2 relays, in both directions.
TEST_F(Emulated, ReachesEveryHostFromEveryOther) {
  EXPECT_EQ(emulate({"bcube(2,2)"},
                    "ping -q -c 1 -W 20 $MASTER_ADDR && ping -q -c 1 -W 20 h3-p1 && "
                    "ping -q -c 1 -W 20 localhost"),
            0)
      << out() << err();
}

TEST_F(Emulated, WritesWholeLines) {
  EXPECT_EQ(emulate({"single-switch(3)"},
                    "for i in $(seq 500); do printf a; printf 'b%s\\n' $RANK; done; printf end"),
            0);
  std::size_t complete = 0;
  for (const std::string& line : lines_of(out())) {
    ASSERT_EQ(line.substr(0, 1), "[");
    const std::string rank = line.substr(1, 1);
    const std::string text = line.substr(std::string("[0] ").size());
    ASSERT_TRUE(text == "end" || text == "ab" + rank) << line;
    if (text != "end") ++complete;
  }
  EXPECT_EQ(complete, 3U * 500);
}

// Only where one command runs does it read what the user types; else all would compete for it.
TEST_F(Emulated, GivesStandardInputToOneCommandAlone) {
  const auto emulate_with_input = [this](const std::string& hosts) {
    const std::string line = std::string("echo typed | ") + GRADWIRE_PROGRAM +
                             " emulate 'single-switch(2)' --no-prefix --on " + hosts +
                             " -- sh -c 'cat; echo over'";
    return finish(start({"-c", line}, StartIn::shell));
  };
  EXPECT_EQ(emulate_with_input("1"), 0);
  EXPECT_EQ(out(), "typed\nover\n");
  EXPECT_EQ(emulate_with_input("0,1"), 0);
  EXPECT_EQ(out(), "over\nover\n");
}

TEST_F(Emulated, KeepsWorkingFolderAndTemporaryFiles) {
  EXPECT_EQ(emulate({"single-switch(2)", "--on", "0", "--no-prefix"}, "pwd; echo $TMPDIR"), 0);
  EXPECT_EQ(out(), fs::current_path().string() + "\n" + temporary_.string() + "\n");
}

// The machine's own files stay as they are.
TEST_F(Emulated, NamesHostsForItsCommandsOnly) {
  const std::string machine = read("/etc/hosts");
  const std::string file = scratch_ / "names";
  EXPECT_EQ(emulate({"single-switch(2)", "--on", "1", "--hosts-file", file, "--no-prefix"},
                    "cat /etc/hosts"),
            0);
  EXPECT_EQ(out(), "127.0.0.1\tlocalhost\n10.100.0.1\th0 h0-p0\n10.100.0.2\th1 h1-p0\n");
  EXPECT_EQ(read(file), out());
  EXPECT_EQ(read("/etc/hosts"), machine);
}

TEST_F(Emulated, RunsACommandOnAnotherHost) {
  EXPECT_EQ(emulate({"single-switch(3)", "--on", "0", "--no-prefix"},
                    "$GRADWIRE_RSH h2 'hostname; echo $((1 + 1))'; $GRADWIRE_RSH h7 true"),
            2);
  EXPECT_EQ(out(), "h2\n2\n");
  EXPECT_THAT(err(), HasSubstr("there is no host 'h7' here"));
}

// What one port of two sends, the other receives: each echo request has 1000 + 8 + 20 + 14 bytes.
TEST_F(Emulated, CountsWhatPortsCarry) {
  EXPECT_EQ(emulate({"single-switch(2)", "--on", "0"}, "ping -q -c 3 -i 0.2 -s 1000 h1"), 0);
  std::vector<std::vector<std::uint64_t>> ports;
  for (const std::string& line : lines_of(err())) {
    std::istringstream cells(line);
    std::string host;
    std::string port;
    std::string address;
    std::vector<std::uint64_t> numbers(5);
    if (!(cells >> host >> port >> address) || host == "#") continue;
    for (std::uint64_t& number : numbers) cells >> number;
    if (cells) ports.push_back(numbers);
  }
  ASSERT_EQ(ports.size(), 2U) << err();
  EXPECT_GE(ports[0][0], 3U * 1042);
  EXPECT_GE(ports[0][1], 3U);
  EXPECT_EQ(ports[0][0], ports[1][2]);
  EXPECT_EQ(ports[0][1], ports[1][3]);
  EXPECT_EQ(ports[0][2], ports[1][0]);
  EXPECT_EQ(ports[0][4] + ports[1][4], 0U);
}

// A packet is as large as --mtu allows, with 28 bytes of headers.
TEST_F(Emulated, HasLinksOfTheMtuAskedFor) {
  EXPECT_EQ(emulate({"single-switch(2)", "--on", "0", "--mtu", "2000"},
                    "ping -q -c 1 -W 20 -M do -s 1972 h1 && ! ping -q -c 1 -W 1 -M do -s 1973 h1"),
            0)
      << out() << err();
}

TEST_F(Emulated, SaysWhatIsWrong) {
  const auto says = [this](const std::vector<std::string>& arguments, int code,
                           const std::string& message) {
    std::vector<std::string> all{"emulate"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    EXPECT_EQ(finish(start(all)), code) << message;
    EXPECT_THAT(err(), HasSubstr(message));
  };
  const std::string wiring = "single-switch(2)";
  says({wiring}, 2, "give a command behind --");
  says({wiring, "--"}, 2, "give a command behind --");
  says({"string(2)", "--", "true"}, 2, "unknown wiring 'string'");
  says({"torus(3,3)", "--", "true"}, 2, "torus(3,3) cannot be emulated");
  says({wiring, "--on", "2", "--", "true"}, 2, "--on: expected a host from 0 to 1, found '2'");
  says({wiring, "--shell", "h1"}, 2, "--shell: expected a host from 0 to 1, found 'h1'");
  says({wiring, "--rate", "fast", "--", "true"}, 2, "--rate: ");
  says({wiring, "--rate", "1bit", "--", "true"}, 2, "--rate: links have from 1 kbit/s");
  says({wiring, "--mtu", "100", "--", "true"}, 2,
       "--mtu: expected a whole number from 576 to 65535, found '100'");
  says({wiring, "--port", "0", "--", "true"}, 2, "--port: expected a whole number from 1");
  says({wiring, "--hosts-file", "/nowhere/x", "--", "true"}, 2, "--hosts-file");
  says({wiring, "--", "no-such-program"}, 127, "start no-such-program: No such file or directory");
  says({wiring, "--", "/etc/passwd"}, 126, "start /etc/passwd: Permission denied");
}

TEST_F(Emulated, EndsAllWithTheFirstFailure) {
  EXPECT_EQ(emulate({"single-switch(3)"}, "test $RANK = 1 && exit 7; exec sleep 1000"), 7);
  EXPECT_THAT(err(), HasSubstr("the command on host 1 exited with 7; ending the others\n"));
  EXPECT_EQ(emulate({"single-switch(3)"}, "test $RANK = 2 && kill -9 $$; exec sleep 1000"), 137);
  EXPECT_THAT(err(), HasSubstr("the command on host 2 was killed by signal 9"));
}

// Host 1 fails once host 0 has said what it does when it is asked.
TEST_F(Emulated, AsksCommandsToEndBeforeItKillsThem) {
  const auto end_by = [this](const std::string& code, const std::string& when_asked) {
    const std::string ready = scratch_ / ("ready-" + code);
    return emulate({"single-switch(2)"}, "if [ $RANK = 1 ]; then until [ -e " + ready +
                                             " ]; do sleep 0.05; done; exit " + code +
                                             "; fi; trap '" + when_asked + "' TERM; touch " +
                                             ready + "; while :; do sleep 0.05; done");
  };
  EXPECT_EQ(end_by("7", "echo asked; exit 0"), 7);
  EXPECT_EQ(out(), "[0] asked\n");
  EXPECT_EQ(end_by("8", ""), 8);
}

// Signals that this program ignores itself are not ignored by what it starts.
TEST_F(Emulated, LeavesSignalsAsAShellDoes) {
  const std::string script = "grep 'Sig[BI]' /proc/self/status";
  ASSERT_EQ(finish(start({"-c", script}, StartIn::shell)), 0);
  const std::string without = out();
  EXPECT_EQ(emulate({"single-switch(2)", "--on", "0", "--no-prefix"}, script), 0);
  EXPECT_EQ(out(), without);
}

}  // namespace
}  // namespace gradwire::harness
