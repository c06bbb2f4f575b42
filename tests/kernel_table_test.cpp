// docs/guide/kernels.md says what the kernels do today.
#include "app/cli/pages/kernel_table.h"

#include "support/shipped_catalog.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace lockstep {
namespace {

TEST(KernelTable, InTheDocumentationIsUpToDate) {
    const Expected<std::string> page = cli::kernelTable(shipped(), {LOCKSTEP_SOURCE_DIR});
    ASSERT_TRUE(page) << describe(page.error());
    std::ifstream file(LOCKSTEP_SOURCE_DIR "/docs/guide/kernels.md", std::ios::binary);
    const std::string documented{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(documented, *page) << "run: lockstep list --table docs/guide/kernels.md";
}

}  // namespace
}  // namespace lockstep
