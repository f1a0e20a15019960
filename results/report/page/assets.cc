#include "results/report/page/assets.h"

// In assets.S.
extern "C" {
extern const char gradwire_page_begin[];
extern const char gradwire_page_end[];
extern const char gradwire_paper_begin[];
extern const char gradwire_paper_end[];
}

namespace gradwire::report {

std::string_view page_template() {
  return {gradwire_page_begin, gradwire_page_end};
}

std::string_view paper_program() {
  return {gradwire_paper_begin, gradwire_paper_end};
}

}  // namespace gradwire::report
