// What became of the source: PTX and machine code; and what other orders of warps and lanes make of it.
#include "explain/source/source_line.h"
#include "lessons/quantity_rows.h"

#include <algorithm>

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

Message codeReason(P place) {
    const Number ptx = writtenInstructions(place, [](Pc) { return true; }),
                 machine = machineInstructions(place, [](const sass::Instruction&) { return true; });
    if (!ptx || !machine) return english("The machine code of this kernel is not shipped.");
    return Message(english("The kernel has {0} PTX {0:instruction|instructions}; ptxas makes {1} machine "
                           "{1:instruction|instructions} of them."),
                   *ptx, *machine);
}

std::optional<RunFacts::Orders> ordersOf(P place) {
    if (!place.facts) return {};
    return place.facts->orders();
}

Message orderReason(P place) {
    const std::optional<RunFacts::Orders> orders = ordersOf(place);
    if (!orders) return english("No other orders can be tried.");
    return Message(
        english("Of {0} {0:order|orders} in which warps and lanes may take turns, {1} {1:gives|give} "
                "another result."),
        orders->tried, orders->changed);
}

}  // namespace

std::vector<Quantity> codeRows() {
    return {
        {"ptx_instructions", english("PTX instructions of the kernel"),
         NumberOf([](P p) { return writtenInstructions(p, [](Pc) { return true; }); }), codeReason},
        {"machine_instructions", english("machine instructions of the kernel, as shipped"),
         NumberOf([](P p) { return machineInstructions(p, [](const sass::Instruction&) { return true; }); }),
         codeReason},
        {"ptx_shared_loads", english("instructions of its PTX that load from shared memory"),
         NumberOf([](P p) {
             return writtenInstructions(
                 p, [&](Pc pc) { return p.run->module->at(pc).form.starts_with("ld.shared"); });
         }),
         codeReason},
        {"machine_shared_loads", english("machine instructions that load from shared memory"),
         NumberOf([](P p) {
             return machineInstructions(p, [](const sass::Instruction& i) { return isOf(i.opcode, "LDS"); });
         }),
         codeReason},
        {"ptx_branches", english("branches of its PTX"), NumberOf([](P p) {
             return writtenInstructions(p, [&](Pc pc) { return isOf(p.run->module->at(pc).form, "bra"); });
         }),
         codeReason},
        {"machine_branches", english("branches of its machine code"), NumberOf([](P p) {
             return machineInstructions(p, [](const sass::Instruction& i) { return isOf(i.opcode, "BRA"); });
         }),
         codeReason},
        {"line_ptx_instructions", english("PTX instructions of this line"),
         NumberOf([](P p) { return writtenInstructions(p, [&](Pc pc) { return isOnLine(p, pc); }); }),
         codeReason},
        {"line_machine_instructions", english("machine instructions of this line"), NumberOf([](P p) {
             return machineInstructions(p, [&](const sass::Instruction& i) { return isOnLine(p, i.pc); });
         }),
         codeReason},
        {"orders", english("orders of warps and lanes that were tried"), NumberOf([](P p) -> Number {
             const std::optional<RunFacts::Orders> orders = ordersOf(p);
             return orders ? Number(orders->tried) : Number();
         }),
         orderReason},
        {"changed_orders", english("of these, orders that give another result"), NumberOf([](P p) -> Number {
             const std::optional<RunFacts::Orders> orders = ordersOf(p);
             return orders ? Number(orders->changed) : Number();
         }),
         orderReason},
    };
}

}  // namespace lockstep::lessons
