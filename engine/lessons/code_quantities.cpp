// What became of the source: PTX and machine code; and what other orders of warps and lanes make of it.
#include "explain/findings/finding_at.h"
#include "explain/sentences/finding_text.h"
#include "explain/source/source_line.h"
#include "lessons/quantity_rows.h"

#include <algorithm>
#include <map>

namespace lockstep::lessons {
namespace {

using P = const PlaceOnShow&;
using Number = std::optional<s64>;

const ptx::Function* entryOf(P place) {
    return place.run->module->findEntry(place.run->recording.launches[place.cursor.launch.value].entry);
}
const sass::Function* machineEntryOf(P place) {
    const sass::MachineCode* code = place.facts ? place.facts->machineCode() : nullptr;
    return code ? code->find(place.run->recording.launches[place.cursor.launch.value].entry) : nullptr;
}

template <class Test> Number writtenInstructions(P place, const Test& test) {
    const ptx::Function* entry = entryOf(place);
    if (!entry) return {};
    s64 count = 0;
    for (Pc pc = entry->first; pc.value < entry->end.value; pc = Pc{pc.value + 1})
        count += test(pc);
    return count;
}

bool isOf(std::string_view opcode, std::string_view name) {
    return opcode == name || (opcode.starts_with(name) && opcode[name.size()] == '.');
}

// What stands behind a kernel's last instruction is not executed: a branch to itself, and NOPs to fill up.
template <class Test> Number machineInstructions(P place, const Test& test) {
    const sass::Function* entry = machineEntryOf(place);
    if (!entry) return {};
    std::size_t end = entry->instructions.size();
    while (end > 0 && entry->instructions[end - 1].opcode == "NOP")
        --end;
    const bool endsInLoop = end > 0 && isOf(entry->instructions[end - 1].opcode, "BRA") &&
                            entry->instructions[end - 1].guard.empty();
    if (endsInLoop) --end;
    s64 count = 0;
    for (std::size_t i = 0; i < end; ++i)
        count += test(entry->instructions[i]);
    return count;
}

bool isOnLine(P place, Pc pc) {
    return pc != kNoPc && explain::lineOf(*place.run->module, pc) ==
                              explain::lineOf(*place.run->module, place.here.step->pc);
}

std::optional<RunFacts::Orders> ordersOf(P place) {
    if (!place.facts) return {};
    return place.facts->orders();
}

}  // namespace

// Of what the outcome may depend on the order.
Message orderClue(P place) {
    for (const trace::Finding& finding : place.run->recording.findings)
        if (finding.kind == trace::FindingKind::Race || finding.kind == trace::FindingKind::WarpSynchronous)
            return explain::occurrenceOf(*place.run, finding);
    return english("Nothing was found whose outcome depends on the order of warps or lanes.");
}

namespace {

// By what they are told from others; and of a whole line its first instruction.
Message namedClue(std::string_view name) {
    return Message(english("They are the instructions whose names begin with {0}."), std::string(name));
}
Message firstOfLineClue(P place) {
    const ptx::Function* entry = entryOf(place);
    for (Pc pc = entry ? entry->first : kNoPc; entry && pc.value < entry->end.value; pc = Pc{pc.value + 1})
        if (isOnLine(place, pc))
            return Message(english("The first PTX instruction of this line is {0}."),
                           std::string(place.run->module->at(pc).name));
    return {};
}
// The line that most of them belong to.
template <class Lines> Message fullestLine(const Lines& counts, const Words& words) {
    const auto most = std::ranges::max_element(counts, {}, [](const auto& line) { return line.second; });
    return most == counts.end() ? Message() : Message(words, most->first, most->second);
}
Message ptxClue(P place) {
    std::map<u32, u32> counts;
    const ptx::Function* entry = entryOf(place);
    for (Pc pc = entry ? entry->first : kNoPc; entry && pc.value < entry->end.value; pc = Pc{pc.value + 1})
        if (const u32 line = explain::lineOf(*place.run->module, pc).line; line) ++counts[line];
    return fullestLine(counts, english("Line {0} has most of them: {1}."));
}
Message machineClue(P place) {
    std::map<u32, u32> counts;
    if (const sass::Function* entry = machineEntryOf(place))
        for (const sass::Instruction& one : entry->instructions)
            if (const u32 line = one.pc == kNoPc ? 0 : explain::lineOf(*place.run->module, one.pc).line; line)
                ++counts[line];
    return fullestLine(counts, english("Line {0} has most of them: {1}."));
}
// Orders that differ follow from what may depend on them; how many are tried is the program's choice.
Message triedClue(P place) {
    const std::optional<RunFacts::Orders> orders = ordersOf(place);
    if (!orders) return {};
    return Message(english("{0} {0:order was|orders were} tried."), orders->tried);
}

}  // namespace

std::vector<Quantity> codeRows() {
    return {
        {"ptx_instructions", english("PTX instructions of the kernel"),
         NumberOf([](P p) { return writtenInstructions(p, [](Pc) { return true; }); }), ptxClue},
        {"machine_instructions", english("machine instructions of the kernel, as shipped"),
         NumberOf([](P p) { return machineInstructions(p, [](const sass::Instruction&) { return true; }); }),
         machineClue},
        {"ptx_shared_loads", english("instructions of its PTX that load from shared memory"),
         NumberOf([](P p) {
             return writtenInstructions(
                 p, [&](Pc pc) { return p.run->module->at(pc).form.starts_with("ld.shared"); });
         }),
         +[](P) { return namedClue("ld.shared"); }},
        {"machine_shared_loads", english("machine instructions that load from shared memory"),
         NumberOf([](P p) {
             return machineInstructions(p, [](const sass::Instruction& i) { return isOf(i.opcode, "LDS"); });
         }),
         +[](P) { return namedClue("LDS"); }},
        {"ptx_branches", english("branches of its PTX"), NumberOf([](P p) {
             return writtenInstructions(p, [&](Pc pc) { return isOf(p.run->module->at(pc).form, "bra"); });
         }),
         +[](P) { return namedClue("bra"); }},
        {"machine_branches", english("branches of its machine code"), NumberOf([](P p) {
             return machineInstructions(p, [](const sass::Instruction& i) { return isOf(i.opcode, "BRA"); });
         }),
         +[](P) { return namedClue("BRA"); }},
        {"line_ptx_instructions", english("PTX instructions of this line"),
         NumberOf([](P p) { return writtenInstructions(p, [&](Pc pc) { return isOnLine(p, pc); }); }),
         firstOfLineClue},
        {"line_machine_instructions", english("machine instructions of this line"), NumberOf([](P p) {
             return machineInstructions(p, [&](const sass::Instruction& i) { return isOnLine(p, i.pc); });
         }),
         firstOfLineClue},
        {"orders", english("orders of warps and lanes that were tried"), NumberOf([](P p) -> Number {
             const std::optional<RunFacts::Orders> orders = ordersOf(p);
             return orders ? Number(orders->tried) : Number();
         }),
         triedClue},
        {"changed_orders", english("orders of warps and lanes that give another result"),
         NumberOf([](P p) -> Number {
             const std::optional<RunFacts::Orders> orders = ordersOf(p);
             return orders ? Number(orders->changed) : Number();
         }),
         orderClue},
    };
}

}  // namespace lockstep::lessons
