// The list of what the emulator runs: the rows of lane functions, and the machine's own instructions.
#include "simt/emulator.h"
#include "simt/opcodes/opcode_table.h"

#include <array>
#include <deque>

namespace lockstep::simt {
namespace {

// Instructions whose forms are products of spaces, types and vector lengths. Empty parts are left out.
struct Family {
    std::string_view name;
    std::vector<std::string_view> first, second, third;
};

const std::vector<Family>& families() {
    static const std::vector<std::string_view> none{""}, vectors{"", "v2", "v4"},
        spaces{"", "global", "shared", "local"};
    static const std::vector<std::string_view> types{"b8",  "u8",  "s8",  "b16", "u16", "s16", "b32", "u32",
                                                     "s32", "f32", "b64", "u64", "s64", "f64", "b128"};
    static const std::vector<std::string_view> words{"u32", "s32", "u64", "s64"}, bits{"b32", "b64"},
        atomicSpaces{"", "global", "shared"};
    static const std::vector<std::string_view> loadSpaces{"", "global", "shared", "local", "const", "param"};
    static const std::vector<Family> all{
        {"ld", loadSpaces, vectors, types},
        {"st", spaces, vectors, types},
        {"st", {"param"}, vectors, types},
        {"atom",
         atomicSpaces,
         {"add"},
         {"u32", "s32", "u64", "s64", "f32", "f64", "f16", "bf16", "f16x2", "bf16x2"}},
        {"red",
         atomicSpaces,
         {"add"},
         {"u32", "s32", "u64", "s64", "f32", "f64", "f16", "bf16", "f16x2", "bf16x2"}},
        {"atom", atomicSpaces, {"min", "max"}, words},
        {"red", atomicSpaces, {"min", "max"}, words},
        {"atom", atomicSpaces, {"and", "or", "xor", "exch"}, bits},
        {"red", atomicSpaces, {"and", "or", "xor"}, bits},
        {"atom", atomicSpaces, {"cas"}, {"b16", "b32", "b64"}},
        {"atom", atomicSpaces, {"inc", "dec"}, {"u32"}},
        {"red", atomicSpaces, {"inc", "dec"}, {"u32"}},
        {"cvta", {"global", "shared", "local", "const", "param"}, none, {"u64"}},
        {"cvta", {"to"}, {"global", "shared", "local", "const"}, {"u64"}},
        {"isspacep", {"global", "shared", "local", "param"}, none, none},
        {"cp.async", {"shared.global", "commit_group", "wait_group", "wait_all"}, none, none},
        {"bar", {"sync", "arrive", "warp.sync"}, none, none},
        {"bar.red", {"popc"}, none, {"u32"}},
        {"bar.red", {"and", "or"}, none, {"pred"}},
        {"mbarrier",
         {"init", "inval", "arrive", "arrive_drop", "expect_tx", "arrive.expect_tx", "complete_tx",
          "test_wait", "try_wait"},
         {"", "shared"},
         {"b64"}},
        {"mbarrier", {"pending_count"}, none, {"b64"}},
    };
    return all;
}

constexpr std::array kSingle{"bra",    "brx.idx", "call",          "ret",      "exit",      "trap",   "brkpt",
                             "membar", "fence",   "nanosleep.u32", "prefetch", "prefetchu", "pmevent"};

std::string joined(std::string name, std::string_view part) {
    return part.empty() ? name : name + "." + std::string(part);
}

// Forms live as long as the program: views of them are handed out.
const std::deque<std::string>& machineForms() {
    static const std::deque<std::string> forms = [] {
        std::deque<std::string> all(kSingle.begin(), kSingle.end());
        for (const Family& family : families())
            for (std::string_view first : family.first)
                for (std::string_view second : family.second)
                    for (std::string_view third : family.third)
                        all.push_back(joined(joined(joined(std::string(family.name), first), second), third));
        return all;
    }();
    return forms;
}

std::string_view summaryOf(std::string_view form) {
    const ptx::OpcodeRow* row = ptx::findOpcode(form.substr(0, form.find('.')));
    return row ? row->summary : std::string_view{};
}

}  // namespace

std::vector<SupportedForm> supportedForms() {
    std::vector<SupportedForm> forms;
    for (const OpcodeRow& row : allOpcodes())
        forms.push_back({row.form, summaryOf(row.form)});
    for (const std::string& form : machineForms())
        forms.push_back({form, summaryOf(form)});
    return forms;
}

}  // namespace lockstep::simt
