# Google Benchmark with its own main().
find_package(benchmark REQUIRED CONFIG)
third_party_note_version(benchmark "${benchmark_VERSION}")
third_party_alias(benchmark benchmark::benchmark_main benchmark::benchmark)
