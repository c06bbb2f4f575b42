#include "app/shell/files/layout_file.h"

#include <gtest/gtest.h>

#include <fstream>

namespace lockstep::shell {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(::testing::TempDir()) / "lockstep_layout_test";
const std::string kLayout = "[Window][###stage]\nDockId=0x00000001,0\n\n[Docking][Data]\nDockSpace ID=0x1\n";

TEST(LayoutFileTest, WhatIsWrittenIsReadAgain) {
    const std::filesystem::path file = kFolder / "deep" / "window.ini";
    ASSERT_TRUE(writeLayout(file, kLayout));
    EXPECT_EQ(readLayout(file), kLayout);
    std::filesystem::remove_all(kFolder);
}

TEST(LayoutFileTest, DamageOfAnyKindIsNoticed) {
    const std::filesystem::path file = kFolder / "window.ini";
    ASSERT_TRUE(writeLayout(file, kLayout));
    std::string text;
    std::getline(std::ifstream(file), text, '\0');
    for (const std::string& damaged :
         {std::string(), std::string("\n"), kLayout, text.substr(0, text.size() / 2), text + "x",
          std::string(5, '\0') + text}) {
        std::ofstream(file, std::ios::binary | std::ios::trunc) << damaged;
        EXPECT_EQ(readLayout(file), std::nullopt) << damaged;
    }
    std::filesystem::remove_all(kFolder);
}

TEST(LayoutFileTest, WhereNothingCanBeWrittenOrReadNothingHappens) {
    EXPECT_FALSE(writeLayout("/proc/lockstep/window.ini", kLayout));
    EXPECT_FALSE(writeLayout({}, kLayout));
    EXPECT_EQ(readLayout("/proc/lockstep/window.ini"), std::nullopt);
    EXPECT_EQ(readLayout("/proc"), std::nullopt);
    EXPECT_EQ(readLayout({}), std::nullopt);
}

}  // namespace
}  // namespace lockstep::shell
