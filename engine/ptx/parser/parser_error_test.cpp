#include "ptx/parser/test_texts.h"

#include <gtest/gtest.h>

namespace lockstep::ptx {
namespace {

TEST(ParserErrors, SayWhereAndWhatWasExpected) {
    struct Case {
        const char *body, *message;
    };  // body: line 8 of kernelOf
    constexpr Case cases[] = {
        {"foo.u32 %r1;", "8:1: unknown opcode 'foo'; PTX up to 9.0 is read: check the spelling"},
        {"tex.2d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1, %f9}];",
         "8:51: '%f9' is not declared; add it to a .reg directive"},
        {"add.foo.u32 %r1, %r2, %r3;", "8:1: unknown modifier '.foo' of 'add': check the spelling"},
        {"add. %r1, %r2, %r3;", "8:1: unknown modifier '.' of 'add': check the spelling"},
        {"add %r1, %r2, %r3;", "8:1: 'add' needs a type; add one such as .s32 or .f32"},
        {"cvt.s32 %r1, %r2;", "8:1: 'cvt.s32' needs a second type; add one such as .s32 or .f32"},
        {"mbarrier.b64 [%r1];", "8:1: 'mbarrier.b64' is incomplete; a modifier such as .sync is missing"},
        {"add.u32 %r1, %r2;", "8:17: 'add.u32' takes 3 operands, not 2"},
        {"add.u32 %r1, %r2, %r3, %r4;", "8:23: 'add.u32' takes 3 operands, not 4"},
        {"ret 1;", "8:5: 'ret' takes 0 operands, not 1"},
        {"bar.sync;", "8:9: 'bar.sync' takes 1 to 2 operands, not 0"},
        {"vadd.u32.u32.u32 %r1, %r2;", "8:26: 'vadd.u32.u32.u32' takes 3 to 4 operands, not 2"},
        {"add.u32 %r1, %r2 %r3;", "8:18: expected ',' or ';' after an operand of 'add.u32', found '%r3'"},
        {"add.u32 %r1, %r2, %r3", "9:1: expected ',' or ';' after an operand of 'add.u32', found 'ret'"},
        {"add.u32 %r1, %r2, ;", "8:19: expected an operand of 'add.u32', found ';'"},
        {"add.u32 , %r2, %r3;", "8:9: expected a register, found ','"},
        {"add.u32 %r1, %r2, %r9;", "8:19: '%r9' is not declared; add it to a .reg directive"},
        {"add.u32 %r1, %r2, %r01;", "8:19: '%r01' is not declared; add it to a .reg directive"},
        {"add.u32 %r1, %r2, x;", "8:19: 'x' is not declared; declare it before it is used"},
        {"add.u32 %r1, %r2, %p1;", "8:19: '%p1' is a predicate; 'add.u32' needs a value here"},
        {"selp.u32 %r1, %r2, %r3, %r4;",
         "8:25: '%r4' is no predicate; 'selp.u32' needs a register declared with .reg .pred here"},
        {"@%r1 ret;", "8:2: '%r1' is no predicate; use a register declared with .reg .pred"},
        {"@%p9 ret;", "8:2: '%p9' is not declared; add it to a .reg directive"},
        {"@ret;", "8:2: 'ret' is not declared; declare it before it is used"},
        {"add.u32 %rd1, %r2, %r3;",
         "8:9: '%rd1' has 64 bits, but 'add.u32' needs 32 here; use a register of that size"},
        {"ld.global.u64 %r1, [%rd1];",
         "8:15: '%r1' has 32 bits, but 'ld.global.u64' needs 64 here; use a register of that size"},
        {"add.u32 %r1, !%p1, %r3;", "8:14: only a predicate can be negated with '!'"},
        {"add.u32 5, %r2, %r3;", "8:9: '5' is not declared; declare it before it is used"},
        {"add.u32 tile, %r2, %r3;",
         "8:9: 'add.u32' writes its first operand, which must be a register; 'tile' is none"},
        {"add.u32 %r1, %r2, $here;", "8:19: '$here' is a label; a value is expected here"},
        {"mov.pred %p1, tile;", "8:15: 'tile' is an address; a predicate is expected here"},
        {"mov.u32 %r1, %tid;", "8:14: there is no special register '%tid'; components are .x, .y and .z"},
        {"mov.u32 %r1, %tid.q;", "8:14: there is no special register '%tid.q'; components are .x, .y and .z"},
        {"mov.u32 %r1, %envreg32;", "8:14: '%envreg32' is not declared; add it to a .reg directive"},
        {"mov.u32 %r1, %r2.x;", "8:14: a register of 'mov.u32' has no part '.x'; remove it"},
        {"ld.global.u32 %r1, %rd1;",
         "8:20: expected '[' to open the address of 'ld.global.u32', found '%rd1'"},
        {"ld.global.u32 %r1, [%rs1];", "8:21: an address needs a register of 32 or 64 bits; '%rs1' is none"},
        {"ld.global.u32 %r1, [%rd1;", "8:25: expected ']' after an address, found ';'"},
        {"ld.global.u32 %r1, [tile];",
         "8:21: 'tile' is in .shared, but 'ld.global.u32' accesses .global; use the space of the variable"},
        {"ld.global.u32 %r1, [$here];",
         "8:21: '$here' is no register or variable; an address starts with one"},
        {"ld.global.v2.u32 %r1, [%rd1];", "8:18: expected 2 operands in braces, found '%r1'"},
        {"ld.global.v4.u32 {%r1, %r2}, [%rd1];",
         "8:18: 'ld.global.v4.u32' needs 4 elements in braces, not 2"},
        {"mov.b64 %rd1, {%r1, %r2, %r3};", "8:15: 'mov.b64' cannot be made of 3 parts; use 2 or 4"},
        {"mov.b32 {%r1}, %r2;", "8:9: 'mov.b32' cannot be made of 1 parts; use 2 or 4"},
        {"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd1, "
         "{%r2, %r3}], [%r4];",
         "8:94: addresses of tensors, '[a, {...}]', are not supported"},
        {"bra L;", "8:5: there is no label 'L' in 'kernel'; add it or correct the name"},
        {"bra tile;", "8:5: there is no label 'tile' in 'kernel'; add it or correct the name"},
        {"{ L: ret; } bra L;", "8:17: there is no label 'L' in 'kernel'; add it or correct the name"},
        {"L: L: ret;", "8:4: 'L' is declared twice; rename one of the two"},
        {"brx.idx %r1, $here;", "8:14: there is no branch target list '$here'; declare it before it is used"},
        {".reg .b32 %r<3>;", "8:11: registers '%r' are declared twice; rename one of the two"},
        {".reg .foo x;", "8:6: expected a type such as .b32, found '.foo'"},
        {".reg .v4 .f32 x;", "8:6: registers of vectors are not supported; declare one register an element"},
        {".shared .b8 big[99999999999];",
         "8:13: 'big' has 99,999,999,999 bytes, but a block has at most 227 KiB of shared memory"},
        {".local .b64 big[99999999999999999999];",
         "8:17: '99999999999999999999' is too large; a constant has at most 64 bits"},
        {".local .b64 big[4611686018427387904];", "8:17: 'big' is larger than any memory"},
        {".local .b8 x[-1];", "8:14: the extent of an array must be a whole number that is not negative"},
        {".local .align 3 .b8 x;", "8:8: an alignment must be a power of two"},
        {".nonsense;", "8:1: unknown directive '.nonsense' in a function: check the spelling"},
        {"mov.f32 %f1, 1;", "8:14: an integer where .f32 is expected; write 1.0 or 0f3F800000"},
        {"mov.u32 %r1, 1.5;", "8:14: a floating-point number where .u32 is expected; write an integer"},
        {"mov.f32 %f1, 0f3F8;", "8:14: '0f3F8' is no f32 number; write 0f and 8 hexadecimal digits"},
        {"mov.u32 %r1, 0x;", "8:14: '0x' is no number"},
        {"mov.u32 %r1, 09;", "8:14: '09' is no number"},
        {"mov.u32 %r1, 1/0;", "8:15: this constant divides by zero"},
        {"mov.u32 %r1, 99999999999999999999;",
         "8:14: '99999999999999999999' is too large; a constant has at most 64 bits"},
        {"call.uni nobody;",
         "8:10: there is no function 'nobody'; declare it with .func before it is called"},
        {"call.uni tile;", "8:10: 'tile' is no function and cannot be called"},
        {"call %rd1;", "8:10: an indirect call needs a prototype; add the label of a .callprototype"},
        {"call kernel, (%rd1);", "8:6: 'kernel' has 2 parameters, the call has 1"},
        {"#", "8:1: expected an instruction, a label or a directive, found '#'"},
        {"\x01",
         "8:1: expected an instruction, a label or a directive, found a character that PTX does not use "
         "(code 1)"},
        {"/* never closed", "8:1: this comment has no end; close it with */"},
        {".pragma \"x", "8:11: this text has no end; close it with \" on the same line"},
        {"{", "6:1: the body of 'kernel' is never closed; add the '}'"},
    };
    for (const Case& c : cases)
        EXPECT_EQ(refusal(kernelOf(c.body)), std::string("test.ptx:") + c.message) << c.body;
}

TEST(ParserErrors, OutsideOfFunctionsToo) {
    struct Case {
        const char *text, *message;
    };
    constexpr Case cases[] = {
        {"int main() {}", "1:1: expected a directive such as .entry or .global, found 'int'"},
        {".nonsense", "1:1: expected a directive such as .entry or .global, found '.nonsense'"},
        {".version nine", "1:10: expected a version such as 9.0 after .version"},
        {".target sm_x", "1:9: expected a target such as sm_90, found 'sm_x'"},
        {".address_size 16", "1:1: an address has 32 or 64 bits"},
        {".global x;", "1:9: a variable needs a type such as .u32; found 'x'"},
        {".global .u32 x", "1:15: expected ';' after a variable, found the end of the text"},
        {".global .u32 x; .global .u32 x;", "1:30: 'x' is declared twice; rename one of the two"},
        {".global .u32 x[];", "1:14: 'x' has no size; give one in the brackets"},
        {".global .u32 x[2] = {1, 2, 3};", "1:28: there are more initial values than 'x' has elements"},
        {".global .u32 x[2] = {{1}, 2};", "1:22: these braces are nested deeper than 'x' has extents"},
        {".global .u32 x = y;", "1:18: there is no variable 'y'; declare it before it is used"},
        {".global .u32 y; .global .u32 x = y;",
         "1:34: an address has 8 bytes; 'x' holds elements of another size"},
        {".global .samplerref s = { filter_mode = nearest;", "1:26: this '{' is never closed; add the '}'"},
        {".global .b8 x[2147483647];", "1:13: 'x' has 2,147,483,647 bytes, but at most 1 GiB is supported"},
        {".entry f(.reg .u32 x) { ret; }",
         "1:10: parameters in registers are not supported; declare them as .param"},
        {".entry f(.param .u32 x { ret; }", "1:24: expected ')' after the parameters, found '{'"},
        {".entry f() { ret; } .entry f() { ret; }", "1:28: 'f' has a body already; rename one of the two"},
        {".func f; .entry f() { ret; }",
         "1:17: 'f' was declared before with other parameters; make the two agree"},
        {".entry f() .maxntid 0x1ffffffff { ret; }",
         "1:21: a number of threads must be at most 4,294,967,295, not 8,589,934,591"},
        {".entry f() .foo { ret; }", "1:12: unknown directive '.foo' of a function: check the spelling"},
        {".entry f() { ret;", "1:14: the body of 'f' is never closed; add the '}'"},
        {".section .debug_info { .b8 1", "1:23: this '{' is never closed; add the '}'"},
        {".file 99999999 \"x\"", "1:7: the number of a file must be at most 65,535, not 99,999,999"},
    };
    for (const Case& c : cases)
        EXPECT_EQ(refusal(c.text), std::string("test.ptx:") + c.message) << c.text;
}

TEST(ParserErrors, BoundWhatATextCanAskFor) {
    EXPECT_EQ(parsed(kernelOf(".reg .b32 %many<4000000000>; mov.u32 %many3999999999, 1;"))
                  .functions[0]
                  .registers.size(),
              1u);
    const std::string deep(10000, '{');
    EXPECT_EQ(refusal(kernelOf(deep)),
              "test.ptx:8:257: scopes are nested more than 256 deep; simplify the text");
    EXPECT_EQ(refusal(kernelOf("mov.u32 %r1, " + std::string(10000, '(') + ";")),
              "test.ptx:8:79: this constant is nested more than 64 deep; simplify it");
    EXPECT_EQ(refusal(kernelOf("mov.u32 %r1, " + std::string(10000, '-') + "1;")),
              "test.ptx:8:79: this constant is nested more than 64 deep; simplify it");
    std::string targets = "t: .branchtargets $here";
    for (int i = 1; i < 2000; ++i)
        targets += ",$here";
    targets += ";";
    for (int i = 0; i < 600; ++i)
        targets += "brx.idx %r1, t;";
    EXPECT_NE(refusal(kernelOf(targets))
                  .find("the brx.idx of this function have more than 1,048,576 targets together"),
              std::string::npos);
    std::string globals;
    for (int i = 0; i < 3; ++i)
        globals += ".global .b8 x" + std::to_string(i) + "[1073741824];\n";
    EXPECT_EQ(refusal(globals),
              "test.ptx:3:13: the variables of this text have more than 2 GiB together; split the program");
}

}  // namespace
}  // namespace lockstep::ptx
