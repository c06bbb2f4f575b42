// Decodes the instructions of one function into ops. decode_memory.cpp and decode_control.cpp handle their
// kinds of instruction; the shared part is here.
#pragma once

#include "base/expected.h"
#include "simt/decode/decode.h"
#include "simt/decode/frame_layout.h"
#include "simt/decode/program.h"

#include <optional>
#include <string>

namespace lockstep::simt {

// Decoding state shared by the functions of one kernel.
struct DecodeContext {
    const ptx::Module& module;
    const ptx::Function& entry;
    const LaunchShape& shape;
    const DeviceMemory& memory;
    Program& program;
    Missing missing;
    std::vector<u32> parameterOffsets;  // of the entry
    std::vector<u32> sharedOffsets;     // by VariableId
    std::vector<u32> codeOf;            // by FunctionId: index into Program::functions, or kNoOp
};

struct MachineRow;

class FunctionDecoder {
public:
    FunctionDecoder(DecodeContext& context, u32 function);
    // Appends ops, segments and tables to the program and fills program.functions[codeOf[function]].
    Expected<void> decode();

private:
    friend std::span<const MachineRow> machineRows();
    using Instruction = ptx::Instruction;

    // ---- function_decoder.cpp
    Expected<void> decodeInstruction(Pc pc);
    Expected<void> decodeRow(const OpcodeRow& row);
    void leaveOut(std::size_t firstOp);
    const OpcodeRow* rowOfInstruction() const;
    Expected<u32> source(const ptx::Operand& operand, Storage storage, bool isSigned = false);
    Expected<u32> destination(const ptx::Operand& operand, Storage storage, bool isSigned = false);
    Expected<u32> addressConstant(ptx::VariableId variable, s64 offsetBytes, Storage storage);
    Op& emit(OpKind kind);
    void emitHelper(Execute execute, std::initializer_list<u32> at);
    void beginSegment(u32 pc);
    void endSegment() { segmentOpen_ = false; }
    void patchBranches();
    void findClearedRegisters();
    void findUnusedResults();
    void reads(ptx::RegisterId id) { uses_.back().reads.push_back(id.value); }
    void writes(ptx::RegisterId id) { uses_.back().writes.push_back(id.value); }
    Unexpected unsupported(const Message& why = {}) const;

    // ---- decode_memory.cpp
    Expected<void> decodeLoad();
    Expected<void> decodeStore();
    Expected<void> decodeAtomic();
    Expected<void> decodeAsyncCopy();
    Expected<void> decodeConvertAddress();
    Expected<void> decodeIsSpace();
    Expected<void> decodeMove();
    Expected<void> decodeParameterLoad(const ptx::AddressOperand& address);
    Expected<void> decodeLaneBytes(const ptx::AddressOperand& address, bool isLoad);
    struct Place {
        u32 address = 0;
        bool address64 = true;
        s64 offsetBytes = 0;
        u32 array = MemoryOperation::kNoArray;
    };
    Expected<Place> place(const ptx::Operand& address, ptx::StateSpace space);
    Expected<MemoryOperation> memoryOperation(const ptx::Operand& address, trace::AccessKind kind);
    Expected<void> elementSlots(std::array<ElementSlot, 8>& slots, const ptx::Operand& operand, u32 elements,
                                bool written);
    u32 arrayOf(const ptx::AddressOperand& address);
    u32 newSite(trace::Space space, trace::AccessKind kind, u32 widthBytes);
    void emitMemory(OpKind kind, MemoryOperation operation);
    LaneBytes* laneBytesOf(ptx::VariableId variable);

    // ---- decode_images.cpp
    Expected<void> decodeTexture();
    Expected<void> decodeSurface();
    Expected<void> decodeImageQuery();
    Expected<void> imagePlace(const ptx::Operand& place, ImageOperation& operation);
    Expected<void> imageHandle(const ptx::Operand& place, ImageOperation& operation);
    Expected<void> imageValues(const ptx::Operand& operand, ImageOperation& operation);
    Expected<void> emitImage(const ImageOperation& operation);

    // ---- decode_control.cpp
    Expected<void> decodeBranch();
    Expected<void> decodeIndexedBranch();
    Expected<void> decodeCall();
    Expected<void> decodeReturn();
    Expected<void> decodeExit();
    Expected<void> decodeTrap();
    Expected<void> decodeBarrier();
    Expected<void> decodeObjectBarrier();
    Expected<void> decodeNothing();
    Expected<void> decodeFence();
    u32 reconvergence() const;  // pc, or kNoOp
    bool spins(u32 fromPc, u32 toPc) const;

    DecodeContext& context_;
    const ptx::Module& module_;
    const ptx::Function& function_;
    u32 functionId_;
    Program& program_;
    FunctionCode code_;
    FrameLayout layout_;
    std::vector<std::pair<u32, LaneBytes>> laneBytes_;     // by VariableId
    std::vector<bool> guessed_;                            // by pc, from the first: guessedLoads()
    std::vector<std::optional<ptx::VariableId>> origins_;  // by RegisterId, computed on first use
    std::vector<std::pair<u32, u32>> localOffsets_;        // by VariableId

    u32 pc_ = 0;
    const Instruction* instruction_ = nullptr;
    std::span<const ptx::Operand> operands_;
    u32 guard_ = 0;
    bool segmentOpen_ = false;
    std::vector<bool> isLeader_;  // by pc - first
    std::vector<u32> opOf_;       // by pc - first: its Segment op or first op
    struct Use {
        u32 pc;
        bool guarded;
        std::vector<u32> reads, writes;
    };
    std::vector<Use> uses_;  // one per instruction
    std::vector<std::pair<u32, std::vector<u32>>>
        atomicResults_;  // memory operation, registers: to find unread ones
    struct After {
        Execute execute;
        u32 to, from;
    };
    std::vector<After> after_;  // helpers after the instruction
    std::size_t firstBranch_ = 0, firstIndexedBranch_ = 0, firstCall_ = 0;
};

// The base opcodes that have no row of their own, and how each is decoded.
struct MachineRow {
    std::string_view name;
    Expected<void> (FunctionDecoder::*decode)();
};
std::span<const MachineRow> machineRows();

bool hasPart(std::string_view form, std::string_view part);  // "sync" is a part of "bar.warp.sync"

}  // namespace lockstep::simt
