#include "cuda/compiler/compilation_key.h"

#include <gtest/gtest.h>

#include <fstream>

namespace lockstep::cuda {
namespace {

namespace fs = std::filesystem;

// Files in a folder of its own, removed afterwards.
class CompilationKey : public testing::Test {
protected:
    void SetUp() override {
        folder_ =
            fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
        fs::remove_all(folder_);
        for (const char* name : {"own", "more", "toolkit/cub"})
            fs::create_directories(folder_ / name);
    }
    void TearDown() override { fs::remove_all(folder_); }
    void write(const char* name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
    Compilation of(std::string source) const {
        return {.source = std::move(source),
                .name = (folder_ / "own/k.cu").string(),
                .options = {"-DN=1"},
                .entries = {"k<1>"},
                .headers = {{"given.h", "int given;"}},
                .folders = {folder_ / "own", folder_ / "more"},
                .compilerFolders = {folder_ / "toolkit"},
                .compiler = "13.0"};
    }
    std::string keyOfSource(std::string source) const { return keyOf(of(std::move(source))).value_or(""); }

    fs::path folder_;
};

TEST_F(CompilationKey, DependsOnEverythingThatIsGiven) {
    const std::optional<std::string> key = keyOf(of("int a;"));
    ASSERT_TRUE(key);
    EXPECT_EQ(keyOf(of("int a;")), key);
    EXPECT_NE(keyOf(of("int b;")), key);
    const auto changed = [&](auto&& change) {
        Compilation other = of("int a;");
        change(other);
        return keyOf(other) != key;
    };
    EXPECT_TRUE(changed([](Compilation& c) { c.name += "h"; }));
    EXPECT_TRUE(changed([](Compilation& c) { c.options = {"-DN=2"}; }));
    EXPECT_TRUE(changed([](Compilation& c) { c.options = {"-DN=1", "-DM"}; }));
    EXPECT_TRUE(changed([](Compilation& c) { c.entries.clear(); }));
    EXPECT_TRUE(changed([](Compilation& c) { c.headers[0].second = "long given;"; }));
    EXPECT_TRUE(changed([](Compilation& c) { c.compiler = "13.1"; }));
    EXPECT_TRUE(changed([](Compilation& c) { std::swap(c.options, c.entries); }));
}

TEST_F(CompilationKey, DependsOnIncludedFilesAndOnThoseThatTheyInclude) {
    const std::string source = "#include \"a.h\"\n";
    const std::string missing = keyOfSource(source);
    write("more/a.h", "# /* nested */ include <b.h>\n");
    const std::string without = keyOfSource(source);
    EXPECT_NE(without, missing);
    write("more/b.h", "#inc\\\nlude \"c.h\"\n");
    const std::string with = keyOfSource(source);
    EXPECT_NE(with, without);
    write("own/c.h", "int c;");
    const std::string found = keyOfSource(source);
    EXPECT_NE(found, with);
    write("own/c.h", "int d;");
    const std::string changed = keyOfSource(source);
    EXPECT_NE(changed, found);
    write("own/a.h", "int before;");  // in a folder that is searched earlier
    EXPECT_NE(keyOfSource(source), changed);
    EXPECT_EQ(keyOfSource("int a; // a.h"), keyOfSource("int a; // a.h")) << "not included";
}

TEST_F(CompilationKey, KnowsTheCompilersFilesBySizeAndTime) {
    const std::string source = "#include <cub/cub.cuh>\n";
    const std::string missing = keyOfSource(source);
    write("toolkit/cub/cub.cuh", "#include <own.h>\n");
    const std::string there = keyOfSource(source);
    EXPECT_NE(there, missing);
    write("own/own.h", "int own;");
    EXPECT_EQ(keyOfSource(source), there) << "what it includes is the compiler's, too";
    write("toolkit/cub/cub.cuh", "#include <other.h>\n");
    EXPECT_NE(keyOfSource(source), there);
}

TEST_F(CompilationKey, EndsWithFilesThatIncludeOneAnother) {
    write("own/a.h", "#include \"b.h\"\n");
    write("own/b.h", "#include \"a.h\"\n#include \"b.h\"\n");
    EXPECT_FALSE(keyOfSource("#include \"a.h\"\n").empty());
}

TEST_F(CompilationKey, IsNoneWhereOnlyThePreprocessorKnows) {
    for (const char* source : {"#include HEADER\n", "#if __has_include(<a.h>)\n#endif\n",
                               "const char* built = __DATE__ __TIME__;\n", "#include \"open.h\n",
                               "#include_next <a.h>\n", "%:include <a.h>\n", "__DA\\\nTE__"})
        EXPECT_FALSE(keyOf(of(source))) << source;
    write("own/a.h", "#include HEADER\n");
    EXPECT_FALSE(keyOf(of("#include \"a.h\"\n")));
    EXPECT_FALSE(keyOf(of(std::string(3u << 20, ' ')))) << "larger than a cache keeps";
}

}  // namespace
}  // namespace lockstep::cuda
