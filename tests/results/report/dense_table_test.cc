#include "results/report/dense_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/results/report/layer_rows.h"

namespace gradwire::report {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::row_of;

TEST(DenseTable, HasProductsAndStepsOfEveryRow) {
  const std::vector<record::Row> rows{row_of({"ring", 30, 0.010, 0.0015}),
                                      row_of({"all-gather", 30, 0.006})};
  const std::string table = format_dense_table(rows);
  EXPECT_THAT(table, ContainsRegex("ring +dense\\(inputs=100, outputs=100, samples=30\\) +10000.0 "
                                   "+1500.0 +11500.0 +-\n"));
  EXPECT_THAT(table, ContainsRegex("all-gather +dense\\(.*\\) +6000.0 +- +- +-\n"));
  EXPECT_THAT(table, HasSubstr("products"));
  EXPECT_THAT(table, Not(HasSubstr("Crossover"))) << "one number of samples has none";
}

TEST(DenseTable, EndsWithTheCrossovers) {
  const std::vector<record::Row> rows{row_of({"ring", 30, 10, 1.5}),
                                      row_of({"all-gather", 30, 6, 3}), row_of({"ring", 60, 10, 3}),
                                      row_of({"all-gather", 60, 12, 6})};
  EXPECT_THAT(format_dense_table(rows),
              ContainsRegex("all-gather +ring +100x100 +60-120 +100.0 +80.0\n$"));
}

TEST(DenseTable, IsEmptyWithoutLayers) {
  record::Row row = row_of({"ring", 30, 10});
  row.configuration.workload = "densenet161";
  EXPECT_EQ(format_dense_table(std::vector<record::Row>{row}), "");
}

}  // namespace
}  // namespace gradwire::report
