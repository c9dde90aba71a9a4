# find_package(clc): the compiler of OpenCL C for projects in C and C++.
#
#   clc::clc                  the command
#   clc::clc_compiler         the library, shared
#   clc::clc_compiler_static  the library, static
#   clc_add_spirv()           kernels compiled while the project is built; see below

cmake_minimum_required(VERSION 3.20)

get_filename_component(_clc_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET clc::clc)
  add_executable(clc::clc IMPORTED)
  set_target_properties(clc::clc PROPERTIES
    IMPORTED_LOCATION "${_clc_prefix}/bin/clc${CMAKE_EXECUTABLE_SUFFIX}")

  add_library(clc::clc_compiler SHARED IMPORTED)
  set_target_properties(clc::clc_compiler PROPERTIES
    IMPORTED_LOCATION "${_clc_prefix}/lib/libclc_compiler.so"
    IMPORTED_SONAME libclc_compiler.so.0
    INTERFACE_INCLUDE_DIRECTORIES "${_clc_prefix}/include")
  add_library(clc::clc_compiler_static STATIC IMPORTED)
  set_target_properties(clc::clc_compiler_static PROPERTIES
    IMPORTED_LOCATION "${_clc_prefix}/lib/libclc_compiler.a"
    # The validator is in C++.
    INTERFACE_LINK_LIBRARIES "stdc++;m;pthread;dl"
    INTERFACE_INCLUDE_DIRECTORIES "${_clc_prefix}/include")
endif()

unset(_clc_prefix)

# clc_add_spirv(<target> SOURCES a.cl b.cl ...
#               [HEADER | EMBED]
#               [OPTIONS -cl-std=CL2.0 ...] [DEFINITIONS N=4 ...] [INCLUDE_DIRECTORIES folder ...]
#               [OUTPUT_DIRECTORY folder])
#
# Compiles each source, again whenever it or a file that it includes changes.
#
#   (neither)  makes a.spv; the files' paths are the property CLC_SPIRV of the target
#   HEADER     makes a.h, with `static const uint32_t a[…]`, for sources of the target to include
#   EMBED      makes a.h, with `extern const uint32_t *const a` and `extern const size_t a_size` (bytes),
#              and compiles the words into the target once
#
# If there is no such target yet, it becomes one that is always built (not with EMBED). Otherwise it is a
# target of the same folder. Outputs go to <target>_spirv in the build folder unless OUTPUT_DIRECTORY is
# given.
function(clc_add_spirv target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HEADER;EMBED" "OUTPUT_DIRECTORY"
    "SOURCES;OPTIONS;DEFINITIONS;INCLUDE_DIRECTORIES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "clc_add_spirv(${target}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "clc_add_spirv(${target}): there are no SOURCES")
  endif()
  if(arg_HEADER AND arg_EMBED)
    message(FATAL_ERROR "clc_add_spirv(${target}): HEADER or EMBED, not both")
  endif()
  set(is_target FALSE)
  if(TARGET ${target})
    set(is_target TRUE)
    get_target_property(folder ${target} SOURCE_DIR)
    if(NOT folder STREQUAL CMAKE_CURRENT_SOURCE_DIR)
      message(FATAL_ERROR "clc_add_spirv(${target}): the target is one of ${folder}; call it there")
    endif()
  elseif(arg_EMBED)
    message(FATAL_ERROR "clc_add_spirv(${target} EMBED): there is no such target to embed in")
  endif()

  set(output "${CMAKE_CURRENT_BINARY_DIR}/${target}_spirv")
  if(arg_OUTPUT_DIRECTORY)
    get_filename_component(output "${arg_OUTPUT_DIRECTORY}" ABSOLUTE
      BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  file(MAKE_DIRECTORY "${output}")

  set(options ${arg_OPTIONS})
  foreach(definition IN LISTS arg_DEFINITIONS)
    list(APPEND options "-D${definition}")
  endforeach()
  foreach(folder IN LISTS arg_INCLUDE_DIRECTORIES)
    get_filename_component(folder "${folder}" ABSOLUTE)
    list(APPEND options "-I${folder}")
  endforeach()
  if(CMAKE_COLOR_DIAGNOSTICS)
    list(APPEND options --color=always)
  endif()

  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(files)
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(source "${source}" ABSOLUTE)
    get_filename_component(stem "${source}" NAME_WE)
    string(MAKE_C_IDENTIFIER "${stem}" variable)
    set(form)
    set(file "${output}/${stem}.spv")
    if(arg_HEADER)
      set(file "${output}/${stem}.h")
      set(form --emit=c-header "--variable-name=${variable}")
    elseif(arg_EMBED)
      set(file "${output}/${stem}.words.h")
      set(form --emit=c-header "--variable-name=${variable}_words")
    endif()
    if(file IN_LIST files)
      message(FATAL_ERROR "clc_add_spirv(${target}): two sources would both make ${file}")
    endif()
    list(APPEND files "${file}")
    add_custom_command(
      OUTPUT "${file}"
      COMMAND clc::clc ${options} ${form} "${source}" -o "${file}" -MD -MF "${file}.d"
      DEPENDS "${source}" "$<TARGET_FILE:clc::clc>"
      DEPFILE "${file}.d"
      COMMENT "Compiling ${stem}.cl to SPIR-V"
      COMMAND_EXPAND_LISTS
      VERBATIM)
    if(arg_EMBED)
      set(declaration "extern const uint32_t *const ${variable};\nextern const size_t ${variable}_size;")
      file(CONFIGURE OUTPUT "${output}/${stem}.h" @ONLY CONTENT
"#ifndef CLC_EMBEDDED_${variable}
#define CLC_EMBEDDED_${variable}

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern \"C\" {
#endif
${declaration}
#ifdef __cplusplus
}
#endif

#endif
")
      set(extension c)
      if(NOT "C" IN_LIST languages)
        set(extension cpp)
      endif()
      file(CONFIGURE OUTPUT "${output}/${stem}.words.${extension}" @ONLY CONTENT
"#include \"${stem}.h\"
#include \"${stem}.words.h\"

const uint32_t *const ${variable} = ${variable}_words;
const size_t ${variable}_size = sizeof ${variable}_words;
")
      target_sources(${target} PRIVATE "${output}/${stem}.words.${extension}")
    endif()
  endforeach()

  if(is_target)
    target_sources(${target} PRIVATE ${files})
    if(arg_HEADER OR arg_EMBED)
      target_include_directories(${target} PRIVATE "${output}")
    endif()
  else()
    add_custom_target(${target} ALL DEPENDS ${files})
  endif()
  set_property(TARGET ${target} APPEND PROPERTY CLC_SPIRV ${files})
endfunction()
