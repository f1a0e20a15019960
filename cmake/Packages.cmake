# Debian packages: `cpack --config build/release/CPackConfig.cmake`. What they depend on is what dpkg-shlibdeps finds.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "the Gradwire project")
set(CPACK_PACKAGE_CONTACT "the Gradwire project <gradwire@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program library dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)

set(soname libgradwire${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME gradwire)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION net)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "measures how long servers take to sum their gradients
Emulates the servers and switches of a cluster on one machine, runs rings,
trees, parameter servers and other algorithms on them, and prints each time
beside its theoretical bound.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${soname})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "sums over the servers of a cluster, as a C library
Rings, trees, BML and other collectives over TCP, UCX and RDMA.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libgradwire-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${soname} (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_DEV_DESCRIPTION "sums over the servers of a cluster, what programs are built with
The header of libgradwire, its files for pkg-config and CMake, and an example.")
if(GRADWIRE_HAS_TORCH)
  list(APPEND CPACK_COMPONENTS_ALL python)
  # The extension is for one minor version of Python, as its file's name says.
  string(REGEX MATCH "cpython-3([0-9]+)" minor ${GRADWIRE_PYTHON_SUFFIX})
  set(minor ${CMAKE_MATCH_1})
  math(EXPR next "${minor} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-gradwire)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "${soname} (= ${PROJECT_VERSION}), python3 (>= 3.${minor}), python3 (<< 3.${next}), python3-torch")
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/library)  # where libgradwire is found meanwhile
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "sums over the servers of a cluster, as a process group of PyTorch
Scripts that use DistributedDataParallel sum their gradients with rings, trees,
BML and others, in the buckets of a schedule.")
endif()
include(CPack)
