# Puts ptxas and nvdisasm of one pinned toolkit version where the program looks for them: <cache>/toolkit/bin.
# Run by scripts/get-ptxas (cmake -P); the build itself does not need it.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/fetch.cmake")

file(MAKE_DIRECTORY "${LOCKSTEP_CACHE}")
file(LOCK "${LOCKSTEP_CACHE}/toolkit.lock" GUARD PROCESS)

third_party_cell(version ptxas VERSION)
set(name toolkit-${version})
if(NOT EXISTS "${LOCKSTEP_CACHE}/${name}")
    set(partial "${LOCKSTEP_CACHE}/partial-toolkit")
    file(REMOVE_RECURSE "${partial}")
    foreach(program ptxas nvdisasm)
        third_party_unpack_pypi(${program} "${partial}" PATTERNS */bin/${program} */License.txt)
        file(CHMOD "${partial}/nvidia/cu13/bin/${program}" PERMISSIONS
            OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    endforeach()
    file(GLOB licence "${partial}/nvidia_cuda_nvcc*/licenses/License.txt")
    file(RENAME "${licence}" "${partial}/nvidia/cu13/License.txt")
    file(RENAME "${partial}/nvidia/cu13" "${LOCKSTEP_CACHE}/${name}")
    file(REMOVE_RECURSE "${partial}")
endif()
file(CREATE_LINK ${name} "${LOCKSTEP_CACHE}/toolkit" SYMBOLIC)
message(STATUS "ptxas ${version}: ${LOCKSTEP_CACHE}/toolkit")
