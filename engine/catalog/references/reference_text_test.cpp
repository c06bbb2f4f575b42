// The parts of a --reference, and one sentence for each invalid one.
#include "catalog/references/reference_text.h"

#include <gtest/gtest.h>

namespace lockstep::catalog {
namespace {

using Kind = ReferenceText::Kind;
using Values = std::vector<std::pair<std::string, std::string>>;

TEST(ReferenceTextTest, HasThreeForms) {
    struct Case {
        const char* text;
        Kind kind;
        const char *name, *file;
        u32 argument;
        Values values;
    };
    const Case cases[] = {
        {"matmul", Kind::Table, "matmul", "", 0, {}},
        {"matmul:M=0, N=1,P=2,width=3",
         Kind::Table,
         "matmul",
         "",
         0,
         {{"M", "0"}, {"N", "1"}, {"P", "2"}, {"width", "3"}}},
        {"kernel:naive", Kind::Kernel, "naive", "", 0, {}},
        {"kernel:mm<16,16>,grid=4,4,block=16,16,tolerance=1e-4",
         Kind::Kernel,
         "mm<16,16>",
         "",
         0,
         {{"grid", "4,4"}, {"block", "16,16"}, {"tolerance", "1e-4"}}},
        {"kernel:dir/other.cu:ns::naive,grid=2",
         Kind::Kernel,
         "ns::naive",
         "dir/other.cu",
         0,
         {{"grid", "2"}}},
        {"kernel:scale(float*, int)", Kind::Kernel, "scale(float*, int)", "", 0, {}},
        {"2=a,b.npy", Kind::File, "", "a,b.npy", 2, {}},
    };
    for (const Case& c : cases) {
        const Expected<ReferenceText> text = parseReference(c.text);
        ASSERT_TRUE(text) << describe(text.error());
        EXPECT_EQ(text->kind, c.kind) << c.text;
        EXPECT_EQ(text->name, c.name) << c.text;
        EXPECT_EQ(text->file, c.file) << c.text;
        EXPECT_EQ(text->argument, c.argument) << c.text;
        EXPECT_EQ(text->values, c.values) << c.text;
    }
}

TEST(ReferenceTextTest, RefusesWhatIsNone) {
    struct Case {
        const char *text, *says;
    };
    const Case cases[] = {
        {"", "write NAME:BUFFER=INDEX"},
        {":M=0", "write NAME:BUFFER=INDEX"},
        {"M=0", "write NAME:BUFFER=INDEX"},
        {"matmul:M", "'M' is not NAME=VALUE"},
        {"matmul:M=", "'M=' is not NAME=VALUE"},
        {"matmul:M=0,,N=1", "'' is not NAME=VALUE"},
        {"matmul:M=0,M=1", "'M' is given twice"},
        {"2=x.txt", "INDEX=FILE.npy"},
        {"99999999999=x.npy", "no argument of this number"},
        {"kernel:", "say which kernel"},
        {"kernel:other.cu", "say which kernel"},
        {"kernel:other.cu:", "say which kernel"},
        {"kernel:naive,4", "'4' is not NAME=VALUE"},
    };
    for (const Case& c : cases) {
        const Expected<ReferenceText> text = parseReference(c.text);
        ASSERT_FALSE(text) << c.text;
        EXPECT_TRUE(text.error().message.english().starts_with("--reference "))
            << text.error().message.english();
        EXPECT_NE(text.error().message.english().find(c.says), std::string::npos)
            << text.error().message.english();
    }
}

TEST(ReferenceTextTest, AFieldHoldsSeveral) {
    EXPECT_EQ(splitReferences(" copy:in=0,out=1 ; 2=x.npy;; "),
              (std::vector<std::string>{"copy:in=0,out=1", "2=x.npy"}));
    EXPECT_TRUE(splitReferences(" ; ").empty());
}

}  // namespace
}  // namespace lockstep::catalog
