# gradwire_library, gradwire_precompile, gradwire_test: one target per folder, one set of flags for all of them.

option(GRADWIRE_WERROR "Treat warnings as errors" OFF)
set(GRADWIRE_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

add_library(gradwire_flags INTERFACE)
target_compile_options(gradwire_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual
  -Wno-missing-field-initializers  # designated initializers name what differs from the default
  $<$<BOOL:${GRADWIRE_WERROR}>:-Werror>)
target_include_directories(gradwire_flags INTERFACE ${PROJECT_SOURCE_DIR})
if(GRADWIRE_SANITIZE)
  target_compile_options(gradwire_flags INTERFACE
    -fsanitize=${GRADWIRE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(gradwire_flags INTERFACE -fsanitize=${GRADWIRE_SANITIZE})
endif()

# gradwire_library(NAME SOURCES a.cc ... [USES target ...])
# A folder's library. Every header of the folder is also compiled alone, so that none leans on what
# its includer happened to include.
function(gradwire_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;USES" ${ARGN})
  add_library(gradwire_${name} STATIC ${arg_SOURCES})
  target_link_libraries(gradwire_${name} PUBLIC gradwire_flags ${arg_USES})
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.h)
  set(alone)
  foreach(header IN LISTS headers)
    string(MAKE_C_IDENTIFIER ${header} id)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/alone/${id}.cc)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${header})
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${path}\"\n#include \"${path}\"\n" @ONLY)
    list(APPEND alone ${source})
  endforeach()
  if(alone)
    add_library(gradwire_${name}_headers OBJECT ${alone})
    target_link_libraries(gradwire_${name}_headers PRIVATE gradwire_${name})
  endif()
endfunction()

# Other projects' headers that most sources of the rooms above the algorithms read.
set(GRADWIRE_PRECOMPILED <chrono> <filesystem> <map> <memory> <optional> <span> <string> <vector>
  <fmt/core.h> <nlohmann/json.hpp>)

# gradwire_precompile(NAME <header> ...)
# Compiles headers once for all sources of the library or test NAME: nearly half of the time to
# compile it. A compiler cache does better without.
function(gradwire_precompile name)
  if(CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  if(TARGET gradwire_${name})
    set(name gradwire_${name})
  endif()
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()

# gradwire_test(NAME SOURCES a_test.cc ... [USES target ...] [LABELS ...] [TIMEOUT seconds] [SERIAL])
# A test program whose cases ctest runs one by one, each under its own deadline. Its sources are
# recorded for tests/layering, which fails when a *_test.cc of the tree is in no program. SERIAL: the
# machine for itself, because it calibrates links.
function(gradwire_test name)
  cmake_parse_arguments(arg "SERIAL" "TIMEOUT" "SOURCES;USES;LABELS" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE gradwire_flags ${arg_USES} GTest::gmock GTest::gtest_main)
  foreach(source IN LISTS arg_SOURCES)
    set_property(GLOBAL APPEND PROPERTY GRADWIRE_TEST_SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/${source})
  endforeach()
  set(properties TIMEOUT ${arg_TIMEOUT} RUN_SERIAL ${arg_SERIAL})
  if(arg_LABELS)  # an empty one would take the next word for its value
    list(APPEND properties LABELS "${arg_LABELS}")
  endif()
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
endfunction()
