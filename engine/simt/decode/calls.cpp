// Function calls and returns, and the emulator's few built-in functions.
#include "simt/block_runner.h"
#include "simt/decode/math_functions.h"
#include "simt/memory/address_space.h"

#include <array>
#include <bit>
#include <cstring>

namespace lockstep::simt {
namespace {

void copyLaneBytes(const LaneBytes& to, std::byte* toFrame, const LaneBytes& from, const std::byte* fromFrame,
                   u32 mask) {
    const u32 bytes = std::min(to.sizeBytes, from.sizeBytes);
    for (Lane lane : LaneMask{mask})
        std::memcpy(toFrame + to.at + lane.value * to.strideBytes(),
                    fromFrame + from.at + lane.value * from.strideBytes(), bytes);
}

// Arguments and result of a function of mathematics, lane by lane.
void compute(const CallOperation& call, std::byte* frame, u32 active) {
    const std::size_t count = std::min<std::size_t>(call.arguments.size(), 4);
    for (Lane lane : LaneMask{active}) {
        std::array<u64, 4> arguments{};
        for (std::size_t i = 0; i < count; ++i) {
            const LaneBytes& argument = call.arguments[i];
            const std::byte* const from = frame + argument.at + lane.value * argument.strideBytes();
            if (argument.sizeBytes == 4)
                std::memcpy(&arguments[i], from, 4);
            else
                std::memcpy(&arguments[i], from, std::min<u32>(8, argument.sizeBytes));
        }
        const u64 value = call.mathematics->compute(arguments);
        for (const LaneBytes& result : call.results)
            std::memcpy(frame + result.at + lane.value * result.strideBytes(), &value,
                        std::min<u32>(8, result.sizeBytes));
    }
}

}  // namespace

bool BlockRunner::call(WarpState& warp, const Op& op, u32 active) {
    WarpPaths& paths = warp.paths;
    const CallOperation& call = program_.calls[op.aux];
    std::byte* caller = paths.activation().frame;
    if (!active) {
        paths.running.op = call.next;
        return true;
    }
    if (call.builtin != Builtin::None) {
        paths.running.op = call.next;
        if (call.builtin == Builtin::Mathematics) {
            compute(call, caller, active);
            return true;
        }
        if (call.builtin == Builtin::Printf) {
            print(warp, call, caller, active);
            return true;
        }
        if (call.builtin == Builtin::Malloc || call.builtin == Builtin::Free) {
            manageHeap(warp, op, active);
            return true;
        }
        trace::Finding finding =
            memory_.finding(trace::FindingKind::Limit, op.pc, warp.index(), u32(std::countr_zero(active)));
        finding.detail = detailOf(trace::StopReason::Assertion, assertion(warp, call, caller, active));
        finding.lanes = {active};
        if (observers_.findings) observers_.findings->add(finding);
        return paths.end(active);
    }
    u32 function = call.function;
    if (call.indirect) {
        const u64* addresses = reinterpret_cast<const u64*>(caller + call.address);
        const u64 address = addresses[std::countr_zero(active)];
        u32 elsewhere = 0;
        for (Lane lane : LaneMask{active})
            elsewhere |= u32(addresses[lane.value] != address) << lane.value;
        if (elsewhere) {  // they execute this call later
            paths.diverge(elsewhere, paths.running.op, call.next);
            active &= ~elsewhere;
        }
        function = kNone;
        for (u32 i = 0; i < program_.functions.size(); ++i)
            if (kFunctionAddress + program_.functions[i].function == address) function = i;
        if (function == kNone) {
            for (Lane lane : LaneMask{active}) {
                trace::Finding finding =
                    memory_.finding(trace::FindingKind::InvalidAddress, op.pc, warp.index(), lane.value);
                finding.address = address;
                finding.offsetBytes = s64(address);
                if (observers_.findings) observers_.findings->add(finding);
            }
            paths.running.op = call.next;
            return true;
        }
    }
    const FunctionCode& code = program_.functions[function];
    const u32 depth = paths.activation().depth + 1;
    if (depth > WarpState::kMostDepth) {
        trace::Finding finding =
            memory_.finding(trace::FindingKind::Limit, op.pc, warp.index(), u32(std::countr_zero(active)));
        finding.detail = detailOf(trace::StopReason::Recursion);
        if (observers_.findings) observers_.findings->add(finding);
        paths.end(active);
        paths.running.op = call.next;
        return paths.running.mask != 0;
    }
    std::byte* callee = warp.frameOf(function, depth);
    for (std::size_t i = 0; i < std::min(call.arguments.size(), code.parameters.size()); ++i)
        copyLaneBytes(code.parameters[i], callee, call.arguments[i], caller, active);
    paths.enter(active, call.next, {.function = function, .call = op.aux, .frame = callee}, code.firstOp);
    return true;
}

void BlockRunner::manageHeap(const WarpState& warp, const Op& op, u32 active) {
    const CallOperation& call = program_.calls[op.aux];
    std::byte* const frame = warp.paths.activation().frame;
    const Accessor accessor{.warp = warp.index(), .pc = op.pc, .frame = frame, .depth = 0};
    const LaneBytes& argument = call.arguments[0];
    const u32 site = memory_.heapSiteOf(op.pc);
    for (Lane lane : LaneMask{active}) {
        u64 value = 0;
        std::memcpy(&value, frame + argument.at + lane.value * argument.strideBytes(),
                    std::min<u32>(8, argument.sizeBytes));
        if (call.builtin == Builtin::Free) {
            memory_.free(value, site, accessor, lane.value);
            continue;
        }
        const u64 address = memory_.allocate(value, site, accessor, lane.value);
        const LaneBytes& result = call.results[0];
        std::memcpy(frame + result.at + lane.value * result.strideBytes(), &address,
                    std::min<u32>(8, result.sizeBytes));
    }
}

bool BlockRunner::leaveFunction(WarpState& warp, u32 active) {
    WarpPaths& paths = warp.paths;
    const Activation& activation = paths.activation();
    if (activation.caller == kNone) return paths.end(active);
    const CallOperation& call = program_.calls[activation.call];
    const FunctionCode& code = program_.functions[activation.function];
    std::byte* caller = paths.activation(activation.caller).frame;
    for (std::size_t i = 0; i < std::min(call.results.size(), code.results.size()); ++i)
        copyLaneBytes(call.results[i], caller, code.results[i], activation.frame, active);
    return paths.leave(active);
}

}  // namespace lockstep::simt
