#include "explain/source/source_expression.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

TEST(SourceExpressionTest, IsTheOnlyOneThatAnOperatorOfItsLineCanBeOf) {
    struct Case {
        const char *line, *sign, *expression;  // empty: there is doubt
    };
    for (const Case& c : {
             Case{"if (tid % (2 * s) == 0)", "%", "tid % (2 * s)"},
             Case{"if (tid % (2 * s) == 0)", "==", "tid % (2 * s) == 0"},
             Case{"if (tid % (2 * s) == 0)", "<", ""},
             Case{"for (unsigned s = 1; s < blockDim.x; s *= 2)", "<", "s < blockDim.x"},
             Case{"for (int c = 0; c < columns; ++c)", "<", "c < columns"},
             Case{"if (Row < width && Col < width)", "<", ""},
             Case{"while (i < n && value != 0)", "<", ""},
             Case{"const int half = in[i + 1] / count;", "/", "in[i + 1] / count"},
             Case{"x = a + b * c % d - e;", "%", "b * c % d"},
             Case{"x = a % b + c % d;", "%", ""},
             Case{"x %= 3;", "%", ""},
             Case{"x = a / b;  // a / b rounds down", "/", "a / b"},
             Case{"a % b", "%", ""},
             Case{"return i >= n;", ">=", "i >= n"},
             Case{"p->x < q->x ? 1 : 2;", "<", ""},
             Case{"y = x << 3;", "<", ""},
         })
        EXPECT_EQ(expressionAround(c.line, c.sign).value_or(""), c.expression) << c.line << ", " << c.sign;
}

}  // namespace
}  // namespace lockstep::explain
