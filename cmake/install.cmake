# What `cmake --install` puts where: headers, libraries, a CMake package, pkg-config files; with the io layer also the
# program, its manual page and completions, the models, and - where ./dev web has built them - the studio's page and the npm
# package.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/limber)
set(generated ${CMAKE_CURRENT_BINARY_DIR}/package)

# pkg-config files with relative paths: the folder can be moved. Whoever links a static library links what it uses, so
# there that is named in public, and plain `pkg-config --libs` works.
set(pc_libdir ${CMAKE_INSTALL_LIBDIR})
set(pc_includedir ${CMAKE_INSTALL_INCLUDEDIR})
string(REGEX REPLACE "[^/]+" ".." pc_up "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
if(CMAKE_USE_PTHREADS_INIT AND LIMBER_THREADS)
  set(pc_threads " -pthread")
endif()
if(limber_libm)
  set(pc_libm " -l${limber_libm}")
endif()
if(BUILD_SHARED_LIBS)
  set(pc_shared " -DLIMBER_SHARED")
else()
  set(pc_static_libs "${pc_libm}${pc_threads}")
  set(pc_static_requires ", expat, jansson, cairo")
endif()
configure_file(cmake/limber.pc.in ${generated}/limber.pc @ONLY)

write_basic_package_version_file(${generated}/limber-config-version.cmake COMPATIBILITY SameMinorVersion)
configure_package_config_file(cmake/limber-config.cmake.in ${generated}/limber-config.cmake
                              INSTALL_DESTINATION ${package_dir})

install(TARGETS limber EXPORT limber-targets)
install(FILES include/limber/limber.h include/limber/closed.h include/limber/reach.h include/limber/solve.h include/limber/body.h
              include/limber/collisions.h include/limber/motion.h include/limber/path.h include/limber/servo.h
              include/limber/say.h include/limber/drag.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/limber)
install(EXPORT limber-targets NAMESPACE limber:: DESTINATION ${package_dir})
install(FILES ${generated}/limber-config.cmake ${generated}/limber-config-version.cmake DESTINATION ${package_dir})
install(FILES ${generated}/limber.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(LIMBER_IO)
  configure_file(cmake/limber-io.pc.in ${generated}/limber-io.pc @ONLY)
  install(TARGETS limber_io EXPORT limber-io-targets)
  install(TARGETS limber_cli)
  if(TARGET limber_mpi)
    install(TARGETS limber_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/limber)
  endif()
  install(FILES include/limber/io.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/limber)
  install(EXPORT limber-io-targets NAMESPACE limber:: DESTINATION ${package_dir})
  install(FILES ${generated}/limber-io.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  install(DIRECTORY models DESTINATION ${CMAKE_INSTALL_DATADIR}/limber)
  install(DIRECTORY build/web/studio DESTINATION ${CMAKE_INSTALL_DATADIR}/limber OPTIONAL)
  install(DIRECTORY build/web/limber/ DESTINATION ${CMAKE_INSTALL_DATADIR}/limber/npm OPTIONAL)
  install(FILES man/limber.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES completions/limber.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME limber)
  install(FILES completions/_limber DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES completions/limber.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
