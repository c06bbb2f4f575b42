#include "base/files/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <stdlib.h>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolder, GoesWithAllThatIsInIt) {
    fs::path where;
    {
        Expected<TemporaryFolder> made = TemporaryFolder::make();
        ASSERT_TRUE(made);
        const TemporaryFolder folder = std::move(*made);
        where = folder.path();
        EXPECT_EQ(fs::status(where).permissions(), fs::perms::owner_all) << "for its owner alone";
        fs::create_directory(folder / "inner");
        std::ofstream(folder / "inner" / "file") << "text";
        EXPECT_NE(TemporaryFolder::make()->path(), where);
    }
    EXPECT_FALSE(fs::exists(where));
}

TEST(TemporaryFolder, SaysWhyThereIsNone) {
    const char* const before = getenv("TMPDIR");
    const std::optional<std::string> kept = before ? std::optional<std::string>(before) : std::nullopt;
    setenv("TMPDIR", "/proc/self", 1);
    const Expected<TemporaryFolder> made = TemporaryFolder::make();
    if (kept)
        setenv("TMPDIR", kept->c_str(), 1);
    else
        unsetenv("TMPDIR");
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().kind, FaultKind::System);
}

}  // namespace
}  // namespace lockstep
