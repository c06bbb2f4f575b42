// The program's operations in the order in which they were asked for, and what became of each allocation.
#pragma once

#include "cudart/protocol.h"
#include "operations/operations.h"
#include "program/buffer_names.h"
#include "program/code_lines.h"
#include "program/device_heap.h"
#include "program/record.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::program {

class OperationLog {
public:
    explicit OperationLog(const DeviceHeap& heap);

    // What the runtime library tells of its own operations.
    void note(const cudart::Question& question, const std::string& function);
    // operation: all of it but its place, its stream and the buffers' names.
    void launch(operations::Operation operation, u64 caller, u64 stream);
    // After allocations.
    void lookForNew();
    void freed(u32 block);
    // Before they are, and variables hold their first values again.
    void freedAll();

    // The number of the allocation that this pointer is to, or to the end of.
    std::optional<u32> blockAt(u64 address) const;

    // How many operations have written to it until now.
    u64 writesTo(u32 block) const { return block < blocks_.size() ? blocks_[block].writes : 0; }

    void want(CodeLines& lines) const;
    // Once the lines are known, and everything else of the record.
    void finish(ProgramRecord& record, const CodeLines& lines, BufferNames& names) const;

private:
    struct Kept {
        operations::Operation operation;
        u64 caller = 0;
    };
    struct LastUse {
        operations::Use use;
        u64 caller = 0;
    };
    struct Block {  // of the heap, by its number
        u64 begin = 0, writes = 0;
        std::optional<u64> end{};
        std::optional<LastUse> written{}, copiedToHost{};
    };
    struct Made {
        u64 caller = 0;
        operations::StreamKind kind = operations::StreamKind::Made;
    };
    class Numbers {  // of the program's streams or events
    public:
        // none: too many, or no number.
        std::optional<u32> indexOf(u64 number, u64 caller, operations::StreamKind kind);
        const std::vector<Made>& made() const { return made_; }

    private:
        std::map<u64, u32> indices_;
        std::vector<Made> made_;
    };

    std::optional<operations::Side> sideAt(u64 address) const;
    std::optional<u32> streamAt(u64 number);
    void add(operations::Operation operation, u64 caller);
    bool isHostAlone(const operations::Side& side) const;

    const DeviceHeap& heap_;
    std::vector<Kept> kept_;
    std::vector<Block> blocks_;
    Numbers streams_, events_;
    u64 count_ = 0;
};

}  // namespace lockstep::program
