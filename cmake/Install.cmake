# What `cmake --install` puts where: the component `program` with its manual pages and completion, the component `library`
# that programs run with, `dev` that they are built with, and where PyTorch is `python` for Debian's Python. CPack makes a
# Debian package of each.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The program, what shells complete and the manual pages come from the same table of commands.
set(made ${CMAKE_BINARY_DIR}/installed)
add_custom_command(
  OUTPUT ${made}/bash ${made}/_gradwire ${made}/man/gradwire.1
  COMMAND ${CMAKE_COMMAND} -E make_directory ${made}
  COMMAND gradwire completion bash > ${made}/bash
  COMMAND gradwire completion zsh > ${made}/_gradwire
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${made}/man
  COMMAND gradwire man ${made}/man
  DEPENDS gradwire
  VERBATIM)
add_custom_target(gradwire_help_files ALL DEPENDS ${made}/bash ${made}/_gradwire ${made}/man/gradwire.1)
install(TARGETS gradwire RUNTIME COMPONENT program)
install(DIRECTORY ${made}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${made}/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME gradwire
  COMPONENT program)
install(FILES ${made}/_gradwire DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/gradwire RENAME copyright COMPONENT program)

install(TARGETS gradwire_shared EXPORT GradwireTargets
  LIBRARY COMPONENT library NAMELINK_COMPONENT dev
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libgradwire${PROJECT_VERSION_MAJOR} RENAME copyright
  COMPONENT library)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Gradwire)
file(RELATIVE_PATH GRADWIRE_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" GRADWIRE_PREFIX ${GRADWIRE_PREFIX})
configure_file(library/gradwire.pc.in ${made}/gradwire.pc @ONLY)
configure_package_config_file(library/GradwireConfig.cmake.in ${made}/GradwireConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${made}/GradwireConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES library/gradwire.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
install(FILES ${made}/gradwire.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
install(FILES ${made}/GradwireConfig.cmake ${made}/GradwireConfigVersion.cmake DESTINATION ${package} COMPONENT dev)
install(EXPORT GradwireTargets NAMESPACE Gradwire:: DESTINATION ${package} COMPONENT dev)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libgradwire-dev RENAME copyright COMPONENT dev)
install(FILES library/examples/sum.c DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libgradwire-dev/examples COMPONENT dev)

if(GRADWIRE_HAS_TORCH)
  set(python lib/python3/dist-packages/gradwire)  # in which Debian's Python looks below /usr
  file(RELATIVE_PATH libraries /${python} /${CMAKE_INSTALL_LIBDIR})
  set_target_properties(gradwire_torch PROPERTIES INSTALL_RPATH "$ORIGIN/${libraries}")
  install(TARGETS gradwire_torch LIBRARY DESTINATION ${python} COMPONENT python)
  install(DIRECTORY library/pytorch/gradwire/ DESTINATION ${python} COMPONENT python FILES_MATCHING PATTERN "*.py")
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-gradwire RENAME copyright COMPONENT python)
endif()

include(Packages)
