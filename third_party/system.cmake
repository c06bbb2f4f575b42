# What the operating system gives: threads, and libraries opened at run time.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
third_party_alias(threads Threads::Threads)
third_party_alias(dl ${CMAKE_DL_LIBS})

# OpenMP is the compiler's own; without it (clang, where libomp is not installed) the loops that are timed run on one core.
find_package(OpenMP COMPONENTS CXX)
add_library(openmp INTERFACE)
if(OpenMP_CXX_FOUND)
    if(LOCKSTEP_STATIC)
        execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=libgomp.a OUTPUT_VARIABLE gomp OUTPUT_STRIP_TRAILING_WHITESPACE)
        target_compile_options(openmp INTERFACE ${OpenMP_CXX_FLAGS})
        target_link_libraries(openmp INTERFACE "${gomp}" Threads::Threads ${CMAKE_DL_LIBS})
    else()
        target_link_libraries(openmp INTERFACE OpenMP::OpenMP_CXX)
    endif()
endif()
third_party_alias(openmp openmp)
