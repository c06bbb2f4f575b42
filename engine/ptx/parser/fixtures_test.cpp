// Texts made by nvcc 13.0: counted by other means, and every instruction written back from what was
// understood.
#include "ptx/parser/test_texts.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <set>

namespace lockstep::ptx {
namespace {

class Writer {
public:
    Writer(const Module& module, Pc pc)
        : module_(module), function_(module.functions[module.functionOf(pc).value]) {}

    std::string instruction(const Instruction& i) {
        std::string text;
        if (i.guard.present)
            text = std::string(i.guard.negated ? "@!" : "@") +
                   std::string(function_.registers[i.guard.predicate.value].name);
        text += i.name;
        const char* separator = "";
        for (const Operand& operand : module_.operandsOf(i)) {
            text += separator + write(operand, i.name.starts_with("call"));
            separator = ",";
        }
        return text;
    }

private:
    std::string name(RegisterId id) { return std::string(function_.registers[id.value].name); }
    std::string name(VariableId id) { return std::string(module_.variables[id.value].name); }

    std::string write(const Operand& operand, bool isCall) {
        return std::visit([&](const auto& o) { return writeOne(o, isCall); }, operand);
    }
    std::string writeOne(const RegisterOperand& o, bool) {
        return (o.negated ? "!" : "") + name(o.id) +
               (o.selector.empty() ? "" : "." + std::string(o.selector));
    }
    std::string writeOne(const ImmediateOperand& o, bool) { return "#" + std::to_string(o.bits); }
    std::string writeOne(const SpecialOperand& o, bool) { return std::string(nameOf(o.special)); }
    std::string writeOne(const VariableOperand& o, bool) {
        return name(o.id) + (o.offsetBytes ? "+" + std::to_string(o.offsetBytes) : "");
    }
    std::string writeOne(const AddressOperand& o, bool) {
        std::string text = "[";
        if (const auto* reg = std::get_if<RegisterId>(&o.base)) text += name(*reg);
        if (const auto* variable = std::get_if<VariableId>(&o.base)) text += name(*variable);
        return text + (o.offsetBytes ? "+" + std::to_string(o.offsetBytes) : "") + "]";
    }
    std::string writeOne(const LabelOperand&, bool) { return "label"; }
    std::string writeOne(const FunctionOperand& o, bool) {
        return std::string(module_.functions[o.id.value].name);
    }
    std::string writeOne(const DiscardOperand&, bool) { return "_"; }
    std::string writeOne(const PairOperand& o, bool) { return name(o.value) + "|" + name(o.predicate); }
    std::string writeOne(const VectorOperand& o, bool isCall) {
        std::string text = isCall ? "(" : "{";
        for (const Operand& element : o.elements)
            text += (text.size() > 1 ? "," : "") + write(element, isCall);
        return text + (isCall ? ")" : "}");
    }

    const Module& module_;
    const Function& function_;
};

// The same from the text: spaces left out, constants as the bits of a value of that many bytes, labels
// unnamed, "+0" dropped.
std::string plain(std::string_view text, const Instruction& i, const Module& module) {
    std::vector<u32> widths;  // of the constants, in order
    auto collect = [&](auto& self, const Operand& operand) -> void {
        if (const auto* constant = std::get_if<ImmediateOperand>(&operand))
            widths.push_back(constant->type == Type::Pred ? 0 : bytesOf(constant->type));
        if (const auto* list = std::get_if<VectorOperand>(&operand))
            for (const Operand& element : list->elements)
                self(self, element);
    };
    for (const Operand& operand : module.operandsOf(i))
        collect(collect, operand);

    std::string result;
    std::size_t constant = 0;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == ' ' || c == '\t' || c == '\n') {
            ++at;
            continue;
        }
        const char before = result.empty() ? 0 : result.back();
        const bool startsOperand = before == ',' || before == '{' || before == '(' ||
                                   (result.size() >= i.name.size() && result.ends_with(i.name));
        if (startsOperand &&
            (text.substr(at).starts_with("$L_") || (i.name.starts_with("bra") && c != '%'))) {
            result += "label";
            while (at < text.size() && text[at] != ',')
                ++at;
            continue;
        }
        if (startsOperand && ((c >= '0' && c <= '9') || c == '-')) {
            const std::string number(text.substr(at, text.find_first_of(",;}) \n", at) - at));
            at += number.size();
            const u32 bytes = widths[constant++];
            u64 bits = number.starts_with("0f") || number.starts_with("0d")
                           ? std::stoull(number.substr(2), nullptr, 16)
                       : number[0] == '-' ? u64(std::stoll(number))
                                          : std::stoull(number, nullptr, 0);
            if (bytes == 0)
                bits = bits != 0;
            else if (bytes < 8)
                bits &= (u64{1} << (8 * bytes)) - 1;
            result += "#" + std::to_string(bits);
            continue;
        }
        result += c;
        ++at;
    }
    for (std::size_t at; (at = result.find("+0]")) != std::string::npos;)
        result.erase(at, 2);
    return result;
}

struct Case {
    const char* file;
    std::size_t functions, instructions, forms;
};
// Functions (call prototypes included) and instructions as counted in the texts with regular expressions;
// forms as read.
constexpr Case kCases[] = {
    {"atomics.ptx", 1, 252, 92},
    {"atomics_cc100.ptx", 1, 243, 92},
    {"block_primitives.ptx", 2, 322, 43},
    {"control_cc100.ptx", 15, 317, 74},
    {"control_debug.ptx", 17, 514, 65},
    {"control_lineinfo.ptx", 15, 323, 75},
    {"groups.ptx", 4, 376, 77},
    {"groups_cc100.ptx", 4, 416, 87},
    {"printf_math.ptx", 7, 2580, 186},
    {"tensor.ptx", 2, 138, 76},
    {"textbook_as_written.ptx", 11, 736, 34},
    {"textbook_debug.ptx", 12, 910, 36},
    {"textbook_lineinfo.ptx", 11, 639, 38},
};

TEST(Fixtures, AreReadInstructionByInstruction) {
    for (const Case& c : kCases) {
        const Module module = parsed(fixture(c.file));
        EXPECT_EQ(module.functions.size(), c.functions) << c.file;
        EXPECT_EQ(module.instructions.size(), c.instructions) << c.file;
        std::set<std::string_view> forms;
        for (u32 pc = 0; pc < module.instructions.size(); ++pc) {
            const Instruction& i = module.at(Pc{pc});
            forms.insert(i.form);
            if (i.name.find("cache_hint") != std::string_view::npos || i.name.starts_with("brx") ||
                i.name.starts_with("elect") || i.name.starts_with("createpolicy") ||
                i.name.starts_with("add .s32"))
                continue;  // written otherwise than understood: dropped policies, lists by label, "_|p"
            ASSERT_EQ(Writer(module, Pc{pc}).instruction(i), plain(module.textOf(Pc{pc}), i, module))
                << c.file << ":" << i.line;
        }
        EXPECT_EQ(forms.size(), c.forms) << c.file;
    }
}

TEST(Fixtures, HaveBlocksThatCoverEachFunction) {
    for (const Case& c : kCases) {
        const Module module = parsed(fixture(c.file));
        for (const Function& function : module.functions) {
            if (function.isDeclaration) continue;
            Pc next = function.first;
            for (const BasicBlock& block : function.blocks) {
                EXPECT_EQ(block.first, next);
                EXPECT_LT(block.first, block.end);
                next = block.end;
                for (u32 s : block.successors)
                    EXPECT_LT(s, function.blocks.size());
            }
            EXPECT_EQ(next, function.end) << function.name;
        }
    }
}

TEST(Fixtures, KnowTheLinesOfTheirSource) {
    const Module module = parsed(fixture("textbook_lineinfo.ptx"));
    ASSERT_EQ(module.files.size(), 2u);
    EXPECT_EQ(module.files[1], "/home/someone/textbook.cu");
    // s[t] += s[t + 32] of reduce4's last warp: inlined from line 67 into line 74.
    const Function* reduce = module.findEntry("_Z7reduce4PKiPi");
    ASSERT_NE(reduce, nullptr);
    bool found = false;
    for (u32 pc = reduce->first.value; pc < reduce->end.value && !found; ++pc) {
        const Location& at = module.locationOf(Pc{pc});
        found = at.line == 67 && module.locations[at.inlinedAt].line == 74;
        if (found) {
            EXPECT_EQ(shortName(at.function), "last_warp");
        }
    }
    EXPECT_TRUE(found);
}

TEST(Fixtures, AreRefusedOrReadWhereverTheyAreCut) {
    const std::string text = fixture("tensor.ptx");
    for (std::size_t length = 0; length < text.size(); length += 7) {
        const Expected<Module> module = parse(text.substr(0, length), "cut.ptx");
        if (module) continue;
        EXPECT_GT(module.error().place.line, 0u) << length;
    }
}

}  // namespace
}  // namespace lockstep::ptx
