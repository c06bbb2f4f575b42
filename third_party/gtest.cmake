# GoogleTest with its own main().
find_package(GTest REQUIRED CONFIG)
third_party_note_version(gtest "${GTest_VERSION}")
third_party_alias(gtest GTest::gtest_main GTest::gmock GTest::gtest)
