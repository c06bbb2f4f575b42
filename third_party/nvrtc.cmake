# Puts NVRTC and the CUDA headers of one pinned toolkit version where the program looks for them:
#   <cache>/nvrtc/lib/libnvrtc.so.13, <cache>/nvrtc/include, <cache>/nvrtc/include/cccl
# Run by scripts/get-nvrtc (cmake -P); the build itself does not need it.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/fetch.cmake")

file(MAKE_DIRECTORY "${LOCKSTEP_CACHE}")
file(LOCK "${LOCKSTEP_CACHE}/nvrtc.lock" GUARD PROCESS)

third_party_cell(version nvrtc VERSION)
set(name nvrtc-${version})
if(NOT EXISTS "${LOCKSTEP_CACHE}/${name}")
    set(partial "${LOCKSTEP_CACHE}/partial-nvrtc")
    file(REMOVE_RECURSE "${partial}")
    third_party_unpack_pypi(nvrtc "${partial}" PATTERNS
        */lib/libnvrtc.so.* */lib/libnvrtc-builtins.so.* */include/* */License.txt)
    foreach(headers cuda_runtime cuda_crt cuda_cccl)
        third_party_unpack_pypi(${headers} "${partial}" PATTERNS */include/*)
    endforeach()
    file(GLOB licence "${partial}/*/licenses/License.txt")
    file(RENAME "${licence}" "${partial}/nvidia/cu13/License.txt")
    file(RENAME "${partial}/nvidia/cu13" "${LOCKSTEP_CACHE}/${name}")
    file(REMOVE_RECURSE "${partial}")
endif()
file(CREATE_LINK ${name} "${LOCKSTEP_CACHE}/nvrtc" SYMBOLIC)
message(STATUS "NVRTC ${version}: ${LOCKSTEP_CACHE}/nvrtc")
