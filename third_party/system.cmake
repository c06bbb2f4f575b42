# What the operating system gives: threads, and libraries opened at run time.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
third_party_alias(threads Threads::Threads)
third_party_alias(dl ${CMAKE_DL_LIBS})
