#include "harness/commands/man.h"

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradwire::commands {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Man, APageForEveryCommandThatHelpShows) {
  CLI::App app("Draws wirings.", "painter");
  bool flag = false;
  CLI::App* const show = app.add_subcommand("topo", "Wirings")->add_subcommand("show", "Draws one");
  show->add_flag("--full", flag, "all of it, a\\b");
  show->footer(".hidden files stay");
  app.add_subcommand("secret", "")->group("");
  const auto pages = man_pages(app, "painter 7");
  ASSERT_EQ(pages.size(), 3u);
  EXPECT_EQ(pages[0].first, "painter.1");
  EXPECT_EQ(pages[1].first, "painter-topo.1");
  EXPECT_EQ(pages[2].first, "painter-topo-show.1");
  EXPECT_THAT(pages[0].second, HasSubstr(".SH NAME\npainter \\- Draws wirings.\n.SH"));
  EXPECT_THAT(pages[2].second,
              AllOf(HasSubstr(".TH painter-topo-show 1 \"\" \"painter 7\""),
                    HasSubstr("painter\\-topo\\-show \\- Draws one\n"),
                    HasSubstr("Usage: painter topo show [OPTIONS]\n"), HasSubstr("\\-\\-full"),
                    HasSubstr("all of it, a\\eb\n"), HasSubstr("\n\\&.hidden files stay\n")));
}

}  // namespace
}  // namespace gradwire::commands
