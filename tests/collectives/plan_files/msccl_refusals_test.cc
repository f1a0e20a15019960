// What an algorithm in MSCCL's form cannot say, and what a Plan cannot: each with line and column.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/plan_files/msccl.h"
#include "core/error.h"
#include "tests/collectives/plan_files/msccl_text.h"

namespace gradwire::plan_files {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::XmlAlgorithm;
using testing::XmlBlock;

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(parse_msccl(text, "t.xml"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}
std::string refusal(const XmlAlgorithm& algorithm) {
  return refusal(testing::text_of(algorithm));
}

/// A ring of three, in which `old` is replaced once.
std::string ring_with(const std::string& old, const std::string& changed) {
  std::string text = testing::text_of(testing::ring(3, 1));
  return text.replace(text.find(old), old.size(), changed);
}

/// Two GPUs and two chunks.
XmlAlgorithm two(const XmlBlock& first, const XmlBlock& second) {
  return {.chunks = 2, .scratch = 2, .gpus = {{first}, {second}}};
}
XmlBlock with(std::size_t peer) {
  return {.send = static_cast<int>(peer), .recv = static_cast<int>(peer)};
}

TEST(MscclRefusals, NameThePlaceInTheXml) {
  ASSERT_EQ(refusal(ring_with("gpu id=\"0\"", "gpu id=\"0\"")), "accepted");
  EXPECT_THAT(refusal("<algo name="), StartsWith("t.xml:1:"));
  EXPECT_EQ(refusal("<a/>"), "t.xml:1:1: there is no <algo>: an algorithm of MSCCL begins with it");
  EXPECT_EQ(refusal(ring_with(" send=\"1\"", "")), "t.xml:3:6: <tb> has no 'send'");
  EXPECT_EQ(
      refusal(ring_with("type=\"s\"", "type=\"ra\"")),
      "t.xml:4:8: type: 'ra' is not read; there are: s, r, rcs, rrs, rrc, rrcs, cpy, re, nop");
  EXPECT_EQ(refusal(ring_with("srcoff=\"0\"", "srcoff=\"3\"")), "t.xml:4:8: srcoff: chunk 3 of 3");
  EXPECT_EQ(refusal(ring_with("srcbuf=\"i\"", "srcbuf=\"x\"")),
            "t.xml:4:8: srcbuf: 'x' is not read; there are: i, o, s");
  EXPECT_EQ(refusal(ring_with("depid=\"-1\" deps=\"-1\"", "depid=\"0\" deps=\"9\"")),
            "t.xml:4:8: waits for step 9 of block 0, which is not there");
  EXPECT_EQ(refusal(ring_with("gpu id=\"1\"", "gpu id=\"0\"")), "t.xml:11:4: gpu 0 stands twice");
  EXPECT_EQ(refusal(ring_with("recv=\"2\"", "recv=\"3\"")),
            "t.xml:3:6: recv: expected a whole number from 0 to 2, found '3'");
  EXPECT_EQ(refusal(ring_with("i_chunks=\"3\"", "i_chunks=\"2\"")),
            "t.xml:2:4: i_chunks: expected a whole number from 3 to 3, found '2'");
  EXPECT_EQ(refusal(ring_with("cnt=\"1\"", "cnt=\"0\"")),
            "t.xml:4:8: cnt: expected a whole number from 1 to 250000, found '0'");
}

TEST(MscclRefusals, NameBlocksAndPeersThatNcclRefuses) {
  EXPECT_EQ(refusal(ring_with("send=\"1\"", "send=\"0\"")),
            "t.xml:3:6: send: a GPU sends nothing to itself");
  XmlAlgorithm shared = testing::ring(3, 1);
  shared.gpus[0].push_back(shared.gpus[0][0]);
  EXPECT_EQ(refusal(shared), "t.xml:10:6: sends to 1 on channel 0, as an earlier block does");
  EXPECT_EQ(refusal(ring_with("<step", "<stop")), "t.xml:4:8: expected <step>, found <stop>");
  EXPECT_EQ(refusal(ring_with("name=\"t\"", "name=\"\xE9\"")).substr(0, 10), "t.xml:1:13");
}

TEST(MscclRefusals, NameOtherCollectives) {
  EXPECT_EQ(refusal(ring_with("coll=\"allreduce\"", "coll=\"custom\"")),
            "t.xml:1:2: coll: 'custom' is not read; there are: allreduce, allgather, "
            "reduce_scatter, alltoall");
  EXPECT_EQ(refusal(XmlAlgorithm{.collective = "alltoall", .chunks = 2, .gpus = {{}, {}}}),
            "t.xml:1:2: an alltoall in place is not read");
}

TEST(MscclRefusals, NameWhatWaitsForEver) {
  // Both receive first.
  EXPECT_EQ(refusal(two(with(1).on("r", {'i', 0}).on("s", {'i', 1}),
                        with(0).on("r", {'i', 1}).on("s", {'i', 0}))),
            "t.xml:4:8: GPU 0, block 0, step 0 waits for ever");
}

TEST(MscclRefusals, NameCountsThatDiffer) {
  EXPECT_EQ(refusal(two(with(1).add("s", {'i', 0}, {'i', 0}, {}, 2), with(0).on("r", {'i', 0}))),
            "t.xml:9:8: receives 1 chunks where 2 are sent");
}

// Two that send each other a chunk and add what arrives: in a Plan a step does one or the other.
TEST(MscclRefusals, NameExchanges) {
  EXPECT_EQ(refusal(two(with(1).on("s", {'i', 0}).on("rrc", {'i', 0}),
                        with(0).on("s", {'i', 0}).on("rrc", {'i', 0}))),
            "t.xml:4:8: GPU 0 sends chunk 0 and must receive it in the same step: a Plan's step "
            "does one or the other");
}

// GPU 1 adds what arrives to its own, and then sends its own as it was.
TEST(MscclRefusals, NameTwoValuesOfAChunk) {
  EXPECT_EQ(refusal(two(with(1).on("s", {'i', 0}).on("r", {'i', 0}),
                        with(0).add("rrc", {'i', 0}, {'s', 0}).on("s", {'i', 0}))),
            "t.xml:11:8: GPU 1 would have to keep two values of chunk 0 at once: a Plan has one "
            "place for it on each rank");
}

TEST(MscclRefusals, NameMemoryThatHoldsNothingOrAnotherChunk) {
  EXPECT_EQ(refusal(two(with(1).on("s", {'s', 0}), with(0).on("r", {'i', 0}))),
            "t.xml:4:8: reads memory that nothing was written to");
  EXPECT_EQ(refusal(two(with(1).on("s", {'i', 0}), with(0).add("rrc", {'i', 1}, {'i', 1}))),
            "t.xml:9:8: adds chunk 0 to chunk 1");
  EXPECT_THAT(refusal(two(with(1).on("s", {'i', 0}), with(0).add("r", {'i', 0}, {'i', 1}))),
              HasSubstr("GPU 1: output chunk 1 ends with chunk 0 instead of chunk 1"));
}

// A copy of what arrived, added to it, would count it twice.
TEST(MscclRefusals, NameASumOfAValueAndItself) {
  EXPECT_THAT(refusal(two(with(1).on("s", {'i', 0}), with(0)
                                                         .add("r", {'i', 0}, {'s', 0})
                                                         .add("cpy", {'s', 0}, {'s', 1})
                                                         .add("re", {'s', 1}, {'s', 0}))),
              HasSubstr("adds a value to itself"));
}

// However little text asks for much.
TEST(MscclRefusals, MemoryIsLimited) {
  EXPECT_THAT(refusal(ring_with("nchunksperloop=\"3\"", "nchunksperloop=\"999999999\"")),
              HasSubstr("nchunksperloop: expected a whole number from 1 to 250000"));
  EXPECT_THAT(refusal(ring_with("s_chunks=\"0\"", "s_chunks=\"250000\"")),
              HasSubstr("more than 250000 chunks of memory"));
}

}  // namespace
}  // namespace gradwire::plan_files
