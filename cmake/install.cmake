# What cmake --install copies: headers, both kinds of libraries, the command, and what
# find_package(sinew) and pkg-config look for.

include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)

# sinew_install_component(component library): a library, shared and static, with targets of its own file
function(sinew_install_component component library)
    install(TARGETS ${library} ${library}-static EXPORT sinew-${component}-targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(EXPORT sinew-${component}-targets NAMESPACE sinew:: DESTINATION ${package_folder})
endfunction()

sinew_install_component(core sinew)
if(TARGET sinew-io)
    sinew_install_component(io sinew-io)
endif()
install(DIRECTORY include/sinew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)
if(TARGET sinew-command)
    install(TARGETS sinew-command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    # the page, where it was built; `sinew studio` finds it beside itself
    install(DIRECTORY studio/dist/ DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew/studio OPTIONAL)
    # the command writes its own page and completions; one for another machine cannot run here
    if(NOT CMAKE_CROSSCOMPILING)
        set(pages ${PROJECT_BINARY_DIR}/pages)
        add_custom_command(OUTPUT ${pages}/sinew.1 ${pages}/sinew ${pages}/_sinew ${pages}/sinew.fish
            COMMAND ${CMAKE_COMMAND} -E make_directory ${pages}
            COMMAND sinew-command manual > ${pages}/sinew.1
            COMMAND sinew-command completion bash > ${pages}/sinew
            COMMAND sinew-command completion zsh > ${pages}/_sinew
            COMMAND sinew-command completion fish > ${pages}/sinew.fish
            DEPENDS sinew-command VERBATIM)
        add_custom_target(sinew-pages ALL DEPENDS ${pages}/sinew.1)
        install(FILES ${pages}/sinew.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
        install(FILES ${pages}/sinew
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
        install(FILES ${pages}/_sinew DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
        install(FILES ${pages}/sinew.fish
            DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
    endif()
endif()

configure_package_config_file(cmake/sinew-config.cmake.in
    ${PROJECT_BINARY_DIR}/sinew-config.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sinew-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES
    ${PROJECT_BINARY_DIR}/sinew-config.cmake
    ${PROJECT_BINARY_DIR}/sinew-config-version.cmake
    DESTINATION ${package_folder})

# pkg-config files are found wherever the tree is moved to: the prefix counts from their folder
file(RELATIVE_PATH pc_prefix
    ${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
set(sinew_pc_libm "")
if(NOT WIN32)
    set(sinew_pc_libm " -lm")
endif()
foreach(module sinew sinew-io)
    if(TARGET ${module})
        configure_file(cmake/${module}.pc.in ${PROJECT_BINARY_DIR}/${module}.pc @ONLY)
        install(FILES ${PROJECT_BINARY_DIR}/${module}.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
    endif()
endforeach()

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
