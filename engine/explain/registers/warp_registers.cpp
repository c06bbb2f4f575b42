#include "explain/registers/warp_registers.h"

#include "base/device_addresses.h"
#include "explain/access/access_values.h"
#include "explain/arrays/shared_arrays.h"
#include "explain/cursor/lookup.h"
#include "explain/sentences/register_names.h"
#include "ptx/analysis/register_uses.h"
#include "ptx/opcodes.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace lockstep::explain {
namespace {

// "float4", "uint2": what a pointer to them counts is no element of the buffer.
bool namesVector(std::string_view declaration) {
    constexpr std::array<std::string_view, 12> kOf{"char",     "uchar",     "short", "ushort",
                                                   "int",      "uint",      "long",  "ulong",
                                                   "longlong", "ulonglong", "float", "double"};
    for (const std::string_view scalar : kOf)
        for (const char* count : {"2", "3", "4"}) {
            const std::string name = std::string(scalar) + count;
            const std::size_t at = declaration.find(name);
            if (at == std::string_view::npos || (at > 0 && std::isalnum(u8(declaration[at - 1])))) continue;
            if (at + name.size() == declaration.size() || !std::isalnum(u8(declaration[at + name.size()])))
                return true;
        }
    return false;
}

std::vector<ParameterName> parametersOf(const Recorded& run, const Launch& launch) {
    std::string kernel = ptx::shortName(launch.entry);
    kernel = kernel.substr(0, kernel.find_first_of("<("));
    kernel = kernel.substr(kernel.rfind(':') + 1);  // a name within a namespace; npos + 1 is 0
    std::vector<DeclaredParameter> declared;
    for (const std::string& source : run.module->sources)
        if (declared.empty()) declared = declaredParameters(source, kernel);
    std::vector<ParameterName> names(launch.arguments.size());
    if (declared.size() != names.size()) return names;
    for (std::size_t i = 0; i < names.size(); ++i) {
        names[i].name = declared[i].name;
        const auto* buffer = std::get_if<BufferArgument>(&launch.arguments[i]);
        names[i].isPointer = buffer != nullptr;
        if (buffer && buffer->buffer < run.recording.initial.size() && !namesVector(declared[i].type))
            names[i].elementBytes = info(run.recording.initial[buffer->buffer].type).bytes;
    }
    return names;
}

bool isIndefinite(ptx::Type type) { return !ptx::isFloat(type) && type != ptx::Type::Pred; }
ptx::Type wholeNumber(u32 bytes) {
    return bytes == 1   ? ptx::Type::S8
           : bytes == 2 ? ptx::Type::S16
           : bytes == 8 ? ptx::Type::S64
                        : ptx::Type::S32;
}

// As declared where that says it; else a kind of float where some instruction writes one; else a whole
// number.
std::vector<ptx::Type> typesOf(const ptx::Module& module, const ptx::Function& kernel) {
    std::vector<ptx::Type> types;
    for (const ptx::Register& r : kernel.registers)
        types.push_back(isIndefinite(r.type) ? wholeNumber(ptx::bytesOf(r.type)) : r.type);
    for (u32 pc = kernel.first.value; pc < kernel.end.value; ++pc) {
        const ptx::Instruction& instruction = module.at(Pc{pc});
        const ptx::Type type = instruction.types[0];
        if (!ptx::isFloat(type)) continue;
        ptx::forEachWritten(module, instruction, [&](ptx::RegisterId id) {
            if (isIndefinite(types[id.value]) && ptx::bytesOf(type) == ptx::bytesOf(types[id.value]))
                types[id.value] = type;
        });
    }
    return types;
}

// Two elements in one register: what loads of a wider word than the array's elements bring. None where
// something else writes it, too.
ptx::Type pairOf(const Recorded& run, LaunchId launch, const ptx::Function& function,
                 const trace::WarpTrace& warp, ptx::RegisterId id) {
    const ptx::Module& module = *run.module;
    ptx::Type found = ptx::Type::None;
    for (u32 pc = function.first.value; pc < function.end.value; ++pc) {
        const ptx::Instruction& instruction = module.at(Pc{pc});
        bool writes = false;
        ptx::forEachWritten(module, instruction, [&](ptx::RegisterId written) { writes |= written == id; });
        if (!writes) continue;
        const auto access = std::ranges::find(warp.accesses, Pc{pc}, &trace::StoredAccess::pc);
        if (!instruction.form.starts_with("ld") || access == warp.accesses.end() || access->active.empty())
            return ptx::Type::None;
        const ptx::Type element = movedElements(run, launch, warp, *access, access->active.lowest()).type;
        if (2 * ptx::bytesOf(element) != ptx::bytesOf(instruction.types[0])) return ptx::Type::None;
        const ptx::Type pair = element == ptx::Type::F32   ? ptx::Type::F32x2
                               : element == ptx::Type::F16 ? ptx::Type::F16x2
                                                           : ptx::Type::None;
        if (pair == ptx::Type::None || (found != ptx::Type::None && found != pair)) return ptx::Type::None;
        found = pair;
    }
    return found;
}

std::vector<u32> pointeesOf(const ptx::Module& module, const ptx::Function& kernel) {
    std::vector<u32> bytes(kernel.registers.size(), 0);
    for (u32 pc = kernel.first.value; pc < kernel.end.value; ++pc)
        for (const ptx::Operand& operand : module.operandsOf(module.at(Pc{pc})))
            if (const auto* address = std::get_if<ptx::AddressOperand>(&operand))
                if (const auto* id = std::get_if<ptx::RegisterId>(&address->base))
                    bytes[id->value] = ptx::bytesOf(module.at(Pc{pc}).types[0]);
    return bytes;
}

}  // namespace

WarpRegisters::WarpRegisters(const Recorded& run, const Cursor& cursor, const ptx::Function& kernel,
                             simt::WarpReplay replay)
    : run_(run), cursor_(cursor), kernel_(kernel), replay_(std::move(replay)) {}

Expected<std::unique_ptr<WarpRegisters>> WarpRegisters::of(const Recorded& run, const Cursor& cursor) {
    const CursorContext here = lookUp(run, cursor);
    const Launch& launch = launchOf(run, cursor.launch);
    const ptx::Function* kernel = run.module->findEntry(launch.entry);
    if (!here.warp || !kernel) return fail(FaultKind::NotFound, english("this warp was not recorded"));
    Expected<simt::WarpReplay> replay =
        simt::WarpReplay::of(*run.module, launch, run.recording.initial.size(), *here.block, cursor.warp);
    if (!replay) return Unexpected{replay.error()};
    return std::unique_ptr<WarpRegisters>(new WarpRegisters(run, cursor, *kernel, std::move(*replay)));
}

bool WarpRegisters::isOf(const Recorded& run, const Cursor& cursor) const {
    return &run_.recording == &run.recording && cursor_.launch == cursor.launch &&
           cursor_.block == cursor.block && cursor_.warp == cursor.warp;
}

bool WarpRegisters::isKernel(ptx::FunctionId function) const {
    return &run_.module->functions[function.value] == &kernel_;
}

LaneMask WarpRegisters::lanesIn(ptx::FunctionId function, u32 done) {
    replay_.seek(done);
    return replay_.lanesIn(function);
}

const WarpRegisters::Registers& WarpRegisters::registersOf(ptx::FunctionId id) {
    const auto known = registers_.find(id.value);
    if (known != registers_.end()) return known->second;
    const ptx::Module& module = *run_.module;
    const ptx::Function& function = module.functions[id.value];
    Registers registers{.meanings = std::vector<std::string>(function.registers.size()),
                        .types = typesOf(module, function),
                        .pointees = pointeesOf(module, function)};
    if (isKernel(id))
        registers.meanings =
            registerNames(module, kernel_, parametersOf(run_, launchOf(run_, cursor_.launch)),
                          arrayShapes(run_, cursor_.launch));
    return registers_.emplace(id.value, std::move(registers)).first->second;
}

LaneRegister WarpRegisters::at(ptx::FunctionId id, ptx::RegisterId named) {
    const ptx::Function& function = run_.module->functions[id.value];
    const Registers& registers = registersOf(id);
    LaneRegister r{.name = std::string(function.registers[named.value].name),
                   .meaning = registers.meanings[named.value],
                   .type = registers.types[named.value],
                   .isAddress = false,
                   .pointeeBytes = registers.pointees[named.value],
                   .lanes = isKernel(id) ? LaneMask::all() : replay_.lanesIn(id),
                   .values = replay_.valuesOf(id, named)};
    r.isAddress = r.type == ptx::Type::S64 && !r.values.known.empty();
    for (const Lane lane : r.values.known)
        r.isAddress &=
            bufferOfAddress(r.values.bits[lane.value]).value_or(~0u) < run_.recording.initial.size();
    const trace::WarpTrace* warp = lookUp(run_, cursor_).warp;
    if (!r.isAddress && !ptx::isFloat(r.type) && r.type != ptx::Type::Pred && warp)
        if (const ptx::Type pair = pairOf(run_, cursor_.launch, function, *warp, named);
            pair != ptx::Type::None)
            r.type = pair;
    return r;
}

std::optional<LaneRegister> WarpRegisters::operand(Pc pc, u32 number, u32 done) {
    const ptx::Module& module = *run_.module;
    const auto operands = module.operandsOf(module.at(pc));
    if (number >= operands.size()) return std::nullopt;
    const ptx::Operand& operand = operands[number];
    if (const auto* constant = std::get_if<ptx::ImmediateOperand>(&operand)) {
        LaneRegister r;
        r.type = ptx::Type::S32;
        r.values.written = r.values.known = LaneMask::all();
        r.values.bits.fill(constant->bits);
        return r;
    }
    const auto* held = std::get_if<ptx::RegisterOperand>(&operand);
    const auto* pair = std::get_if<ptx::PairOperand>(&operand);
    if (!held && !pair) return std::nullopt;
    replay_.seek(done);
    LaneRegister r = at(module.functionOf(pc), held ? held->id : pair->value);
    if (held && held->negated)
        for (u64& bits : r.values.bits)
            bits ^= 1;
    return r;
}

std::vector<LaneRegister> WarpRegisters::named(ptx::FunctionId id, std::span<const Pc> instructions,
                                               u32 done) {
    replay_.seek(done);
    const ptx::Module& module = *run_.module;
    const ptx::Function& function = module.functions[id.value];
    std::vector<ptx::RegisterId> ids;
    const auto add = [&](ptx::RegisterId named) {
        if (std::ranges::find(ids, named) == ids.end()) ids.push_back(named);
    };
    for (const Pc pc : instructions) {
        if (pc.value < function.first.value || pc.value >= function.end.value) continue;
        const ptx::Instruction& instruction = module.at(pc);
        ptx::forEachWritten(module, instruction, add);
        ptx::forEachRead(module, instruction, add);
        if (instruction.guard.present) add(instruction.guard.predicate);
    }
    std::vector<LaneRegister> found;
    for (const ptx::RegisterId named : ids)
        found.push_back(at(id, named));
    const auto rank = [](const LaneRegister& r) {
        return (r.type == ptx::Type::S64 ? 2 : 0) + (r.meaning.empty() ? 1 : 0);
    };
    std::ranges::stable_sort(found, {}, rank);
    return found;
}

LaneGroups groupsOf(const LaneRegister& r) {
    LaneGroups result;
    std::optional<u32> last;
    bool even = !ptx::isFloat(r.type) && r.type != ptx::Type::Pred && r.values.known.count() > 2;
    for (const Lane lane : r.values.known) {
        const u64 bits = r.values.bits[lane.value];
        const auto known = std::ranges::find_if(result.groups, [&](const LaneGroups::Group& group) {
            return r.values.bits[group.first] == bits;
        });
        if (known == result.groups.end())
            result.groups.push_back({lane.value, LaneMask::of(lane)});
        else
            known->lanes = known->lanes | LaneMask::of(lane);
        if (last && even) {
            const s64 distance = s64(lane.value - *last), width = s64(64 - 8 * ptx::bytesOf(r.type));
            const s64 difference = s64((bits - r.values.bits[*last]) << width) >> width;
            if (difference == 0 || difference % distance != 0 ||
                (result.step && difference / distance != *result.step))
                even = false;
            else
                result.step = difference / distance;
        }
        last = lane.value;
    }
    if (!even) result.step.reset();
    std::ranges::stable_sort(result.groups, std::ranges::greater{},
                             [](const LaneGroups::Group& group) { return group.lanes.count(); });
    return result;
}

}  // namespace lockstep::explain
