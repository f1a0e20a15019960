# gradwire_library, gradwire_precompile, gradwire_test: one target per folder, one set of flags for all of them.

option(GRADWIRE_WERROR "Treat warnings as errors" OFF)
set(GRADWIRE_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

add_library(gradwire_flags INTERFACE)
target_compile_options(gradwire_flags INTERFACE
  -Wall -Wextra -Wpedantic $<$<NOT:$<BOOL:$<TARGET_PROPERTY:GRADWIRE_MAY_SHADOW>>>:-Wshadow> -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual
  -Wno-missing-field-initializers  # designated initializers name what differs from the default
  $<$<BOOL:${CMAKE_UNITY_BUILD}>:-Wno-subobject-linkage>  # sources of a unity build are included, as headers are
  $<$<BOOL:${GRADWIRE_WERROR}>:-Werror>
  # Source files are named from the project's root: in messages, and whichever clone compiled them.
  -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=
  # One way to compile what the program and the shared library have in common. Names that no other object can replace cost
  # nothing in position-independent code.
  -fPIC "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:GRADWIRE_PRELOADED>>>:-fvisibility=hidden;-fvisibility-inlines-hidden>")
target_include_directories(gradwire_flags INTERFACE ${PROJECT_SOURCE_DIR})
if(GRADWIRE_SANITIZE)
  target_compile_options(gradwire_flags INTERFACE
    -fsanitize=${GRADWIRE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(gradwire_flags INTERFACE -fsanitize=${GRADWIRE_SANITIZE})
endif()

# A compiler cache is used where there is one, unless another launcher was named (or an empty one). It must be told
# that macros do not change what a precompiled header means, and takes what a source includes from the compiler's own list.
# With GCC, what one clone of the project has compiled without debug information serves another, but for what includes
# precompiled headers: these name the folder that they were made in, and Clang's do, too.
if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(GRADWIRE_CCACHE ccache)
  if(GRADWIRE_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      list(APPEND CMAKE_CXX_COMPILER_LAUNCHER CCACHE_BASEDIR=${PROJECT_SOURCE_DIR})
    endif()
    list(APPEND CMAKE_CXX_COMPILER_LAUNCHER ${GRADWIRE_CCACHE})
  endif()
endif()

# Optimizes less what plans, reads, writes and prints around the bytes and the times that are measured: a quarter less time
# to compile. Without any, the linker might take a library's templates from there for all of the program.
set(GRADWIRE_QUICK_OPTIONS $<$<CONFIG:Release>:-O1>)

# What a compiler cache needs of whoever uses precompiled headers.
set(GRADWIRE_PRECOMPILED_OPTIONS
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>
  "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")

# gradwire_precompiled(NAME <header> ... [OPTIONS option ...] [USES target ...])
# Other projects' headers, compiled once for every target that gradwire_precompile gives them to.
function(gradwire_precompiled name)
  cmake_parse_arguments(arg "" "" "OPTIONS;USES" ${ARGN})
  set(source ${CMAKE_BINARY_DIR}/${name}.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Nothing: what is compiled is the header before it.\n")
  add_library(${name} OBJECT ${source})
  target_link_libraries(${name} PRIVATE gradwire_flags ${arg_USES})
  target_compile_options(${name} PRIVATE ${arg_OPTIONS} ${GRADWIRE_PRECOMPILED_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${arg_UNPARSED_ARGUMENTS})
endfunction()

# gradwire_precompile(TARGET FROM)
# Gives the target the headers of gradwire_precompiled(FROM ...): about half of the time to compile it.
function(gradwire_precompile target from)
  target_compile_options(${target} PRIVATE ${GRADWIRE_PRECOMPILED_OPTIONS})
  target_precompile_headers(${target} REUSE_FROM ${from})
endfunction()

# What most sources of the rooms above the algorithms read.
gradwire_precompiled(gradwire_precompiled_room
  <chrono> <filesystem> <map> <memory> <optional> <span> <string> <vector>
  <fmt/format.h> <fmt/ranges.h> <nlohmann/json.hpp>
  OPTIONS ${GRADWIRE_QUICK_OPTIONS}
  USES fmt::fmt nlohmann_json::nlohmann_json)

# gradwire_library(NAME SOURCES a.cc ... [USES target ...] [PRECOMPILE [headers' target]])
# A room's library. Its headers are checked to stand alone, see gradwire_check_headers. One that begins with precompiled
# headers is compiled with GRADWIRE_QUICK_OPTIONS, as they are.
function(gradwire_library name)
  cmake_parse_arguments(arg "" "PRECOMPILE" "SOURCES;USES" ${ARGN})
  add_library(gradwire_${name} STATIC ${arg_SOURCES})
  target_link_libraries(gradwire_${name} PUBLIC gradwire_flags ${arg_USES})
  if(arg_PRECOMPILE)
    target_compile_options(gradwire_${name} PRIVATE ${GRADWIRE_QUICK_OPTIONS})
    gradwire_precompile(gradwire_${name} ${arg_PRECOMPILE})
  endif()
  if(BUILD_TESTING AND NOT GRADWIRE_SANITIZE)
    gradwire_check_headers(${name} "${arg_PRECOMPILE}")
  endif()
endfunction()

# gradwire_check_headers(NAME PRECOMPILED)
# Compiles headers of the room alone, so that none leans on what its includer happened to include: those that no source
# includes first. Precompiled headers hide what a header lacks of the standard library; these rooms' headers are recorded
# for tests/style/includes.py, which finds it without compiling them.
function(gradwire_check_headers name precompiled)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.h)
  file(GLOB inner RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} */CMakeLists.txt)  # rooms inside this one check their own
  list(TRANSFORM inner REPLACE "/CMakeLists.txt$" "")
  foreach(folder IN LISTS inner GRADWIRE_UNCHECKED_HEADERS)  # which lack a library, see cmake/Libraries.cmake
    list(FILTER headers EXCLUDE REGEX "^${folder}/")
  endforeach()
  set(alone)
  foreach(header IN LISTS headers)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${header})
    if(precompiled)
      set_property(GLOBAL APPEND PROPERTY GRADWIRE_PRECOMPILED_ROOMS_HEADERS ${path})
    endif()
    string(REGEX REPLACE "\\.h$" ".cc" source ${CMAKE_CURRENT_SOURCE_DIR}/${header})
    if(EXISTS ${source})
      file(STRINGS ${source} first REGEX "^#include" LIMIT_COUNT 1)
      if(first STREQUAL "#include \"${path}\"")
        continue()
      endif()
    endif()
    string(MAKE_C_IDENTIFIER ${header} id)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/alone/${id}.cc)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${path}\"\n#include \"${path}\"\n" @ONLY)
    list(APPEND alone ${source})
  endforeach()
  if(alone)
    add_library(gradwire_${name}_headers OBJECT ${alone})
    target_link_libraries(gradwire_${name}_headers PRIVATE gradwire_${name})
    target_compile_options(gradwire_${name}_headers PRIVATE -O0)
    set_target_properties(gradwire_${name}_headers PROPERTIES UNITY_BUILD OFF)
  endif()
endfunction()

# gradwire_test(PROGRAM SOURCES a_test.cc ... [APART b_test.cc ...] [USES target ...] [FILES MACRO=target ...]
#   [OPTIONS flag ...] [NEEDS library ...] [THREADS] [PLAIN] [SLOW | QUICK case ...] [SERIAL] [TIMEOUT seconds] [LABELS ...])
# Adds sources to a test program. CTest runs a program as one test; several folders may add to the same one.
#   APART    more sources, compiled one by one: a unity build would mix up their names with those of others
#   FILES    macros for the paths of what these targets build
#   NEEDS    keys of cmake/Libraries.cmake; the sources are left out where one of these libraries is not in
#   THREADS  the sources are run under ThreadSanitizer, too
#   PLAIN    the sources are run under no sanitizer
# A program's first call says how it is run:
#   SLOW     by `make test-all` and not by `make test`
#   QUICK    these cases, or all of a suite as Suite.*, by `make test`; the others are PROGRAM.others, for `make test-all`
#   SERIAL   alone, because it calibrates links
#   TIMEOUT  of all its cases together; 300 s without it
# tests/layering fails when a *_test.cc of the tree is in no program, or a quick case in no source.
function(gradwire_test program)
  cmake_parse_arguments(arg "SERIAL;SLOW;THREADS;PLAIN" "TIMEOUT" "SOURCES;APART;USES;FILES;NEEDS;QUICK;OPTIONS;LABELS" ${ARGN})
  set(sources "")
  list(APPEND arg_SOURCES ${arg_APART})
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE path)
    list(APPEND sources ${path})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY GRADWIRE_TEST_SOURCES ${sources})
  list(JOIN arg_SOURCES ", " named)
  gradwire_test_lacks(lacked "${program}, ${named}" ${arg_NEEDS})
  if(lacked OR (GRADWIRE_SANITIZE AND arg_PLAIN) OR (GRADWIRE_SANITIZE STREQUAL "thread" AND NOT arg_THREADS))
    return()
  endif()
  if(NOT TARGET ${program})
    add_executable(${program})
    set_target_properties(${program} PROPERTIES
      UNITY_BUILD_BATCH_SIZE 16 GRADWIRE_MAY_SHADOW "${CMAKE_UNITY_BUILD}")  # names of other sources
    target_compile_options(${program} PRIVATE ${GRADWIRE_TEST_OPTIONS})
    target_compile_definitions(${program} PRIVATE GRADWIRE_ROOT="${PROJECT_SOURCE_DIR}")
    gradwire_precompile(${program} gradwire_precompiled_test)
    set(how SERIAL ${arg_SERIAL} TIMEOUT ${arg_TIMEOUT} LABELS ${arg_LABELS})
    if(arg_QUICK)
      set_property(GLOBAL APPEND PROPERTY GRADWIRE_QUICK_CASES ${arg_QUICK})
      list(JOIN arg_QUICK ":" cases)
      gradwire_test_entry(${program} ${program} --gtest_filter=${cases} ${how} quick)
      gradwire_test_entry(${program}.others ${program} --gtest_filter=-${cases} ${how})
    elseif(arg_SLOW)
      gradwire_test_entry(${program} ${program} "" ${how})
    else()
      gradwire_test_entry(${program} ${program} "" ${how} quick)
    endif()
  endif()
  target_sources(${program} PRIVATE ${sources})
  if(arg_APART)
    list(TRANSFORM arg_APART PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    set_source_files_properties(${arg_APART} TARGET_DIRECTORY ${program} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  target_link_libraries(${program} PRIVATE gradwire_flags ${arg_USES} GTest::gmock GTest::gtest_main)
  foreach(file IN LISTS arg_FILES)
    string(REPLACE "=" ";" file ${file})
    list(POP_FRONT file macro)
    add_dependencies(${program} ${file})
    target_compile_definitions(${program} PRIVATE ${macro}="$<TARGET_FILE:${file}>")
  endforeach()
  target_compile_options(${program} PRIVATE ${arg_OPTIONS})
endfunction()

# gradwire_test_entry(TEST PROGRAM FILTER [SERIAL ON|OFF] [TIMEOUT seconds] [LABELS ...])
# A test of CTest: the program with these of its cases.
function(gradwire_test_entry test program filter)
  cmake_parse_arguments(arg "" "SERIAL;TIMEOUT" "LABELS" ${ARGN})
  add_test(NAME ${test} COMMAND ${program} ${filter})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  gradwire_stretch(arg_TIMEOUT)
  set_tests_properties(${test} PROPERTIES TIMEOUT ${arg_TIMEOUT} RUN_SERIAL ${arg_SERIAL} LABELS "${arg_LABELS}")
  if(GRADWIRE_SANITIZE AND arg_SERIAL)
    # LeakSanitizer cannot start its tracer in a program that has left its process namespace to emulate a wiring.
    set_tests_properties(${test} PROPERTIES ENVIRONMENT_MODIFICATION ASAN_OPTIONS=string_append::detect_leaks=0)
  endif()
  set_property(GLOBAL APPEND PROPERTY GRADWIRE_TEST_PROGRAMS ${program})
  if("quick" IN_LIST arg_LABELS)
    set_property(GLOBAL APPEND PROPERTY GRADWIRE_QUICK_PROGRAMS ${program})
  endif()
endfunction()

# gradwire_stretch(SECONDS)
# Makes the time in this variable longer where a sanitizer takes its share.
macro(gradwire_stretch seconds)
  if(GRADWIRE_SANITIZE)
    math(EXPR ${seconds} "5 * ${${seconds}}")
  endif()
endmacro()

# gradwire_preloaded(NAME SOURCE)
# A library that tests preload into programs, which may be other projects': without sanitizers.
function(gradwire_preloaded name source)
  add_library(${name} MODULE ${source})
  target_link_libraries(${name} PRIVATE gradwire_flags ${CMAKE_DL_LIBS})
  set_target_properties(${name} PROPERTIES GRADWIRE_PRELOADED ON)  # its names replace those of others
  if(GRADWIRE_SANITIZE)
    target_compile_options(${name} PRIVATE -fno-sanitize=all)
    target_link_options(${name} PRIVATE -fno-sanitize=all)
  endif()
endfunction()
