#include "base/text/html.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(Html, TextIsEscapedForElementsAndAttributes) {
    EXPECT_EQ(escapedHtml("a < b && c > \"d\""), "a &lt; b &amp;&amp; c &gt; &quot;d&quot;");
    EXPECT_EQ(escapedHtml("tab\tline\nbell\a"), "tab\tline\nbell");
    EXPECT_EQ(escapedHtml("分块"), "分块");
}

}  // namespace
}  // namespace lockstep
