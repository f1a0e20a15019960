# Run by every build (cmake -P): writes OUT from IN when the commit, or what git says of the tracked
# files, has changed. Without git or a repository the commit is "unknown" and counts as dirty.
execute_process(
  COMMAND git -C ${SOURCE_DIR} describe --always --dirty --exclude=* --abbrev=40
  OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(described MATCHES "^([0-9a-f]+)(-dirty)?$")
  set(GRADWIRE_COMMIT ${CMAKE_MATCH_1})
  set(GRADWIRE_DIRTY false)
  if(CMAKE_MATCH_2)
    set(GRADWIRE_DIRTY true)
  endif()
else()
  set(GRADWIRE_COMMIT unknown)
  set(GRADWIRE_DIRTY true)
endif()
configure_file(${IN} ${OUT} @ONLY)
