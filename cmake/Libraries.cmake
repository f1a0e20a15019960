# Other projects' libraries that Gradwire can be built without. Each is looked for, and left out with one line where it
# is missing or GRADWIRE_<KEY>=OFF says so. Then there are:
#   GRADWIRE_HAS_<KEY>      whether it is in
#   GRADWIRE_<KEY>_NAME     what people call it
#   GRADWIRE_<KEY>_VERSION  its version; empty when it is not in
#   gradwire_with_<key>     a target to link; links nothing when it is not in

# gradwire_optional(KEY NAME COST <what is lost without it> PACKAGE <Debian's> MODULE <pkg-config's>)
# Without MODULE, gradwire_find_<key>() defines the target's properties and GRADWIRE_<KEY>_VERSION, or says in
# GRADWIRE_<KEY>_REFUSED why the one that is there does not serve.
macro(gradwire_optional key name)
  cmake_parse_arguments(optional "" "COST;PACKAGE;MODULE" "" ${ARGN})
  string(TOLOWER ${key} optional_target)
  set(GRADWIRE_${key}_NAME "${name}")
  option(GRADWIRE_${key} "Build with ${name}" ON)
  add_library(gradwire_with_${optional_target} INTERFACE)
  set(GRADWIRE_${key}_VERSION "")
  if(GRADWIRE_${key} AND optional_MODULE)
    gradwire_find_module(${key} gradwire_with_${optional_target} ${optional_MODULE})
  elseif(GRADWIRE_${key})
    cmake_language(CALL gradwire_find_${optional_target})
  endif()
  if(GRADWIRE_${key}_VERSION)
    set(GRADWIRE_HAS_${key} ON)
    message(STATUS "Built with ${name} ${GRADWIRE_${key}_VERSION}")
  else()
    set(GRADWIRE_HAS_${key} OFF)
    target_compile_definitions(gradwire_with_${optional_target} INTERFACE GRADWIRE_WITHOUT_${key})
    if(GRADWIRE_${key} AND GRADWIRE_${key}_REFUSED)
      message(NOTICE "WARNING: ${name} is left out, ${GRADWIRE_${key}_REFUSED}: built without ${optional_COST}")
    elseif(GRADWIRE_${key})
      message(NOTICE "WARNING: ${name} is missing: built without ${optional_COST} (Debian's package: ${optional_PACKAGE})")
    else()
      message(STATUS "${name} is left out: built without ${optional_COST}")
    endif()
  endif()
endmacro()

macro(gradwire_find_module key target module)
  pkg_check_modules(${module} QUIET IMPORTED_TARGET GLOBAL ${module})
  if(${module}_FOUND)
    target_link_libraries(${target} INTERFACE PkgConfig::${module})
    set(GRADWIRE_${key}_VERSION ${${module}_VERSION})
  endif()
endmacro()

# Gloo tells pkg-config nothing.
macro(gradwire_find_gloo)
  find_library(GLOO_LIBRARY gloo)
  find_path(GLOO_INCLUDE gloo/config.h)
  if(GLOO_LIBRARY AND GLOO_INCLUDE)
    target_link_libraries(gradwire_with_gloo INTERFACE ${GLOO_LIBRARY})
    target_include_directories(gradwire_with_gloo SYSTEM INTERFACE ${GLOO_INCLUDE})
    file(STRINGS ${GLOO_INCLUDE}/gloo/config.h gloo_version REGEX "define GLOO_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
    list(TRANSFORM gloo_version REPLACE "[^0-9]" "")
    list(JOIN gloo_version "." GRADWIRE_GLOO_VERSION)
  endif()
endmacro()

# Debian has OpenBLAS for one thread, for POSIX threads and for OpenMP, in folders of their own. With threads it starts
# them before main(), and a process that has more than one may enter no user namespace. A program that links the library by
# its path finds the same one when it runs, whichever is the machine's default.
macro(gradwire_find_openblas)
  find_library(OPENBLAS_LIBRARY openblas
    PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial NO_DEFAULT_PATH)
  find_path(OPENBLAS_INCLUDE cblas.h
    PATHS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial NO_DEFAULT_PATH)
  if(OPENBLAS_LIBRARY AND OPENBLAS_INCLUDE)
    target_link_libraries(gradwire_with_openblas INTERFACE ${OPENBLAS_LIBRARY})
    target_include_directories(gradwire_with_openblas SYSTEM INTERFACE ${OPENBLAS_INCLUDE})
    file(STRINGS ${OPENBLAS_INCLUDE}/openblas_config.h openblas_version REGEX "define OPENBLAS_VERSION ")
    string(REGEX MATCH "[0-9]+[.][0-9]+[.][0-9]+" GRADWIRE_OPENBLAS_VERSION "${openblas_version}")
  endif()
endmacro()

# Debian's Python and its PyTorch, which belong together, whichever python3 comes first in PATH.
macro(gradwire_find_torch)
  find_program(GRADWIRE_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
  find_path(TORCH_INCLUDE torch/csrc/distributed/c10d/ProcessGroup.hpp)
  find_path(PYBIND11_INCLUDE pybind11/pybind11.h)
  set(torch_libraries "")
  foreach(library torch_python torch_cpu c10)
    find_library(TORCH_LIBRARY_${library} ${library})
    list(APPEND torch_libraries ${TORCH_LIBRARY_${library}})
  endforeach()
  set(python_said "")
  if(GRADWIRE_PYTHON)
    execute_process(
      COMMAND ${GRADWIRE_PYTHON} -c "import importlib.metadata as known, sysconfig as system
print(system.get_path('include'), system.get_config_var('EXT_SUFFIX'), known.version('torch'), sep=';')"
      OUTPUT_VARIABLE python_said OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  if(python_said AND TORCH_INCLUDE AND PYBIND11_INCLUDE AND NOT "${torch_libraries}" MATCHES "NOTFOUND")
    list(GET python_said 0 python_include)
    list(GET python_said 1 GRADWIRE_PYTHON_SUFFIX)
    if(EXISTS ${python_include}/Python.h)
      list(GET python_said 2 GRADWIRE_TORCH_VERSION)
      target_link_libraries(gradwire_with_torch INTERFACE ${torch_libraries})
      target_include_directories(gradwire_with_torch SYSTEM INTERFACE
        ${TORCH_INCLUDE} ${TORCH_INCLUDE}/torch/csrc/api/include ${PYBIND11_INCLUDE} ${python_include})
    endif()
  endif()
endmacro()

include(Cuda)

# gradwire_sources_with(KEY OUT FOLDER source.cc ...)
# Sets OUT to the sources of FOLDER, or to FOLDER/absent.cc where the library is not in. The headers of FOLDER are not
# compiled alone then.
macro(gradwire_sources_with key out folder)
  if(GRADWIRE_HAS_${key})
    set(${out} ${ARGN})
    list(TRANSFORM ${out} PREPEND ${folder}/)
  else()
    set(${out} ${folder}/absent.cc)
    list(APPEND GRADWIRE_UNCHECKED_HEADERS ${folder})
  endif()
endmacro()

# gradwire_test_lacks(OUT TEST KEY ...)
# Sets OUT to the names of those of the libraries that are not in, and says that there is no such test when there are any.
function(gradwire_test_lacks out test)
  set(lacked "")
  foreach(key IN LISTS ARGN)
    if(NOT GRADWIRE_HAS_${key})
      list(APPEND lacked "${GRADWIRE_${key}_NAME}")
    endif()
  endforeach()
  list(JOIN lacked ", " lacked)
  if(lacked)
    message(STATUS "No test ${test}: it needs ${lacked}")
  endif()
  set(${out} "${lacked}" PARENT_SCOPE)
endfunction()
