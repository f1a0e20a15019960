#include "topologies/graph_file.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace gradwire::topologies {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string refusal(const std::string& text) {
  try {
    (void)parse_graph(text, "g.yaml");
    return "accepted";
  } catch (const InputError& error) {
    return error.what();
  }
}

/// A good file whose list of links holds `link`.
std::string with_link(const std::string& link) {
  return "gradwire-graph: 1\nhosts: [x, y]\nswitches: [s]\nlinks:\n  - [x, s]\n  - " + link + "\n";
}

TEST(GraphFile, ReadsNodesAndCables) {
  const GraphFile graph = parse_graph(
      "gradwire-graph: 1\nname: n\nhosts: 2\nswitches: [s]\n"
      "links: [[h0, s], {b: h1, a: s, speed: 2.5}]\n",
      "g.yaml");
  EXPECT_EQ(graph.title, "n");
  EXPECT_EQ(graph.hosts, 2u);
  ASSERT_EQ(graph.nodes.size(), 3u);
  EXPECT_EQ(graph.nodes[1].name, "h1");
  ASSERT_EQ(graph.cables.size(), 2u);
  EXPECT_EQ(graph.cables[0].speed, 1);
  EXPECT_EQ(graph.cables[1].a, 2u);
  EXPECT_EQ(graph.cables[1].b, 1u);
  EXPECT_EQ(graph.cables[1].speed, 2.5);
}

TEST(GraphFile, RefusesBadLinksWithTheirPlace) {
  EXPECT_EQ(refusal(with_link("[y, s]")), "accepted");
  EXPECT_THAT(refusal(with_link("[y, spine]")), StartsWith("g.yaml:6:9: unknown node 'spine'"));
  EXPECT_EQ(refusal(with_link("[s, s]")), "g.yaml:6:5: a link from s to itself");
  EXPECT_THAT(refusal(with_link("[y, s, x]")), StartsWith("g.yaml:6:5: a link is [a, b] or"));
  EXPECT_THAT(refusal(with_link("y")), StartsWith("g.yaml:6:5: a link is"));
  EXPECT_THAT(refusal(with_link("{a: y}")), StartsWith("g.yaml:6:5: 'b' is missing"));
  EXPECT_THAT(refusal(with_link("{a: y, b: s, sped: 2}")),
              StartsWith("g.yaml:6:18: unknown key 'sped': the known ones are a, b, speed"));
  EXPECT_THAT(refusal(with_link("{a: y, b: s, a: x}")),
              StartsWith("g.yaml:6:18: 'a' is given twice"));
  EXPECT_THAT(refusal(with_link("[[y], s]")), StartsWith("g.yaml:6:6: a single word"));
}

TEST(GraphFile, RefusesBadSpeedsWithTheirPlace) {
  for (const char* speed : {"0", "-1", "nan", ".nan", "inf", "-.inf", "1e999", "fast", "2x"}) {
    EXPECT_THAT(refusal(with_link(std::string("{a: y, b: s, speed: ") + speed + "}")),
                StartsWith(std::string("g.yaml:6:25: link y - s has speed ") + speed + ":"));
  }
}

TEST(GraphFile, RefusesBadNodesWithTheirPlace) {
  const auto with_hosts = [](const std::string& hosts) {
    return refusal("gradwire-graph: 1\nhosts: " + hosts + "\nlinks: []\n");
  };
  EXPECT_EQ(with_hosts("[x, y, x]"), "g.yaml:2:15: x is named twice");
  EXPECT_EQ(with_hosts("[x]"), "g.yaml:2:8: a graph needs two hosts at least");
  EXPECT_THAT(with_hosts("4097"), StartsWith("g.yaml:2:8: 4097 hosts are too many: at most 4096"));
  EXPECT_THAT(with_hosts("99999999999999999999"), StartsWith("g.yaml:2:8: hosts is a list of"));
  EXPECT_THAT(with_hosts("some"), StartsWith("g.yaml:2:8: hosts is a list of names or a number"));
  EXPECT_THAT(with_hosts("[x, 'a b']"), StartsWith("g.yaml:2:12: a name is 1 to 64 letters"));
  EXPECT_THAT(with_hosts("{x: y}"), StartsWith("g.yaml:2:8: a list of names"));
  EXPECT_EQ(refusal("gradwire-graph: 1\nhosts: 2\nswitches: [h1]\nlinks: []\n"),
            "g.yaml:3:12: h1 is named twice");
}

TEST(GraphFile, RefusesOtherFiles) {
  EXPECT_THAT(refusal(""), StartsWith("g.yaml:1:1: the file is empty"));
  EXPECT_THAT(refusal("[1, 2]"), StartsWith("g.yaml:1:1: a graph is 'gradwire-graph: 1'"));
  EXPECT_THAT(refusal("hosts: 2\n"), StartsWith("g.yaml:1:1: 'gradwire-graph' is missing"));
  EXPECT_THAT(refusal("gradwire-graph: 2\n"), StartsWith("g.yaml:1:17: the form of the file"));
  EXPECT_THAT(refusal("planes: 4\ngradwire-graph: 2\n"), StartsWith("g.yaml:2:17: the form"))
      << "a newer file is told by its version, not by its first unknown key";
  EXPECT_THAT(
      refusal("gradwire-graph: 1\nhostz: 2\n"),
      StartsWith("g.yaml:2:1: unknown key 'hostz': the known ones are gradwire-graph, name"));
  EXPECT_THAT(refusal("gradwire-graph: 1\nhosts: 2\n"), HasSubstr("'links' is missing"));
  EXPECT_THAT(refusal("gradwire-graph: [1\n"), StartsWith("g.yaml:2:1: "));
  EXPECT_THAT(refusal("a: 1\n---\nb: 2\n"), HasSubstr("a file holds one document"));
}

// "A billion laughs" is refused at its first line, and so are a file and a nest without end.
TEST(GraphFile, RefusesBombs) {
  EXPECT_EQ(refusal("a: &a [x, x]\nb: [*a, *a]\n"), "g.yaml:1:4: anchors (&a) are not allowed");
  EXPECT_THAT(refusal("gradwire-graph: !!int 1\n"), StartsWith("g.yaml:1:17: tags"));
  EXPECT_THAT(refusal(std::string(kMaxGraphBytes + 1, ' ')),
              StartsWith("g.yaml:1:1: larger than 1048576 bytes"));
  EXPECT_THAT(refusal(std::string(100'000, '[') + std::string(100'000, ']')),
              StartsWith("g.yaml:1:33: nested more than"));
  EXPECT_THROW((void)read_graph_file("/dev/zero"), InputError);
}

// Nobody writes to this pipe: a reader that opened it and waited would wait for ever.
TEST(GraphFile, RefusesAPipeWithoutWaitingForIt) {
  std::string folder = ::testing::TempDir() + "gradwire-graph-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const std::string pipe = folder + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  try {
    (void)read_graph_file(pipe);
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), pipe + ": not a regular file");
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace gradwire::topologies
