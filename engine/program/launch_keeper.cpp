#include "program/launch_keeper.h"

#include "base/files/text_file.h"
#include "ptx/analysis/shared_layout.h"
#include "ptx/opcodes.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <utility>

namespace lockstep::program {
namespace {

constexpr u64 kMostOfSource = u64{16} << 20;

// With the text of the files that its instructions come from.
std::shared_ptr<const ptx::Module> withSources(const ptx::Module& from) {
    Expected<ptx::Module> module = ptx::parse(std::string(from.text()), "program.ptx");
    if (!module) return nullptr;
    module->sources.resize(module->files.size());
    for (const ptx::Location& location : module->locations) {
        const std::string& file = module->files[location.file];
        std::error_code error;
        if (!location.line || !module->sources[location.file].empty() ||
            !std::filesystem::is_regular_file(file, error) ||
            std::filesystem::file_size(file, error) > kMostOfSource)
            continue;
        if (Expected<std::string> text = readTextFile(file, {})) module->sources[location.file] = *text;
    }
    return std::make_shared<ptx::Module>(std::move(*module));
}

template <class Is> bool hasInstruction(const ptx::Module& module, std::string_view name, const Is& is) {
    const ptx::Function* const entry = module.findEntry(name);
    return entry && std::ranges::any_of(ptx::reachableFunctions(module, *entry), [&](ptx::FunctionId id) {
               const ptx::Function& function = module.functions[id.value];
               return std::any_of(module.instructions.begin() + function.first.value,
                                  module.instructions.begin() + function.end.value, is);
           });
}

bool usesImages(const ptx::Module& module, std::string_view name) {
    return hasInstruction(module, name, [](const ptx::Instruction& instruction) {
        constexpr std::string_view kOpcodes[] = {"tex", "tld4", "txq", "suld", "sust", "sured", "suq"};
        return std::ranges::find(kOpcodes, ptx::opcodeTable()[instruction.opcode].name) != std::end(kOpcodes);
    });
}

}  // namespace

bool usesKernelHeap(const ptx::Module& module, std::string_view name) {
    return hasInstruction(module, name, [&](const ptx::Instruction& instruction) {
        return std::ranges::any_of(module.operandsOf(instruction), [&](const ptx::Operand& operand) {
            const auto* const callee = std::get_if<ptx::FunctionOperand>(&operand);
            return callee && simt::heapCallOf(module.functions[callee->id.value]) != simt::HeapCall::None;
        });
    });
}

bool LaunchKeeper::mayBeAddress(u64 word) const {
    return cudart::isDeviceAddress(word) || std::ranges::any_of(registered_, [&](const auto& range) {
               return word >= range.first && word <= range.second;
           });
}

std::shared_ptr<const KeptPiece> LaunchKeeper::pieceOf(std::span<const std::byte> bytes) {
    if (std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; })) return nullptr;
    auto piece = std::make_shared<KeptPiece>();
    piece->bytes.assign(bytes.begin(), bytes.end());
    for (u32 at = 0; at + 8 <= bytes.size(); at += 8) {
        u64 word = 0;
        std::memcpy(&word, bytes.data() + at, sizeof word);
        if (word && mayBeAddress(word)) piece->pointers.push_back(at);
    }
    bytes_ += bytes.size() + piece->pointers.size() * sizeof(u32);
    return piece;
}

// What the host may have stored in since is looked at again, and what an operation has written to.
std::shared_ptr<const KeptContents> LaunchKeeper::contentsOf(u32 number) {
    if (known_.size() < heap_.blocks().size()) known_.resize(heap_.blocks().size());
    const HeapBlock& block = heap_.blocks()[number];
    Known& known = known_[number];
    const u64 writes = operations_.writesTo(number);
    if (known.contents && block.memory == cudart::Memory::Device && known.writes == writes)
        return known.contents;
    auto contents = std::make_shared<KeptContents>((block.bytes + KeptPiece::kBytes - 1) / KeptPiece::kBytes);
    bool isSame = known.contents != nullptr;
    for (u64 i = 0; i < contents->size(); ++i) {
        const u64 first = i * KeptPiece::kBytes;
        const std::span<const std::byte> now(block.bytesOnHost() + first,
                                             std::min(KeptPiece::kBytes, block.bytes - first));
        const KeptPiece* const before = known.contents ? (*known.contents)[i].get() : nullptr;
        if (before && std::ranges::equal(before->bytes, now)) {
            (*contents)[i] = (*known.contents)[i];
            continue;
        }
        (*contents)[i] = pieceOf(now);
        isSame &= !before && !(*contents)[i];
        if (bytes_ > options_.mostBytes) return nullptr;
    }
    known.writes = writes;
    if (isSame) return known.contents;
    bytes_ += contents->size() * sizeof(contents->front());
    return known.contents = std::move(contents);
}

// Whatever pointers lead to, from the arguments and the kernel's variables on.
void LaunchKeeper::addReachable(KeptLaunch& launch) {
    std::vector<bool> isAdded(heap_.blocks().size());
    std::vector<u32> todo;
    const auto add = [&](std::optional<u32> block) {
        if (!block || isAdded[*block]) return;
        isAdded[*block] = true;
        todo.push_back(*block);
    };
    const auto addPointersIn = [&](std::span<const std::byte> bytes, u64 at) {
        u64 pointer = 0;
        std::memcpy(&pointer, bytes.data() + at, sizeof pointer);
        add(operations_.blockAt(pointer));
    };
    for (const Argument& argument : launch.launch.arguments) {
        const std::vector<std::byte>& bytes = std::get<ScalarArgument>(argument).bytes;
        for (u64 at = 0; at + 8 <= bytes.size(); at += 8)
            addPointersIn(bytes, at);
    }
    add(launch.heapBlock);
    const ptx::Module& module = *modules_.find(launch.code);
    const ptx::Function* const entry = module.findEntry(launch.launch.entry);
    const std::vector<bool> used = ptx::usedVariables(module, ptx::reachableFunctions(module, *entry));
    for (u32 i = 0; i < heap_.blocks().size(); ++i) {
        const HeapBlock& block = heap_.blocks()[i];
        if (block.module == launch.code && !block.isFreed && used[block.variable]) add(i);
    }
    for (std::size_t next = 0; next < todo.size(); ++next) {
        const HeapBlock& block = heap_.blocks()[todo[next]];
        std::shared_ptr<const KeptContents> contents = contentsOf(todo[next]);
        if (!contents) {
            kept_->isFull_ = true;
            return;
        }
        for (const std::shared_ptr<const KeptPiece>& piece : *contents)
            if (piece)
                for (u32 at : piece->pointers)
                    addPointersIn(piece->bytes, at);
        std::optional<ptx::VariableId> variable;
        if (block.module == launch.code) variable = ptx::VariableId{block.variable};
        if (launch.heap && todo[next] == heap_.kernelHeapBlock()) launch.heapBlock = todo[next];
        launch.blocks.push_back({todo[next], block.address, block.bytes, variable, std::move(contents)});
    }
}

void LaunchKeeper::keep(u64 number, KeptLaunch launch) {
    if (!options_.mostBytes || kept_->isFull_ || (!options_.only.empty() && !options_.only.contains(number)))
        return;
    launch.usesImages = usesImages(*modules_.find(launch.code), launch.launch.entry);
    if (launch.usesImages) {
        kept_->launches_.emplace(number, std::move(launch));
        return;
    }
    // A launch that only reads what malloc() returned goes on with the same.
    if (const simt::KernelHeap* const heap = heap_.kernelHeap()) {
        if (usesKernelHeap(*modules_.find(launch.code), launch.launch.entry))
            launch.heapBlock = heap_.kernelHeapBlock();
        launch.heap = *heap;
    }
    registered_.clear();
    for (const HeapBlock& block : heap_.blocks())
        if (block.memory == cudart::Memory::Registered && !block.isFreed)
            registered_.emplace_back(block.address, block.address + block.bytes);
    addReachable(launch);
    if (kept_->isFull_) return;
    if (!launch.heapBlock) launch.heap.reset();
    bytes_ += sizeof launch + launch.blocks.size() * sizeof(KeptBlock);
    kept_->launches_.emplace(number, std::move(launch));
}

std::shared_ptr<const KeptLaunches> LaunchKeeper::finish(BufferNames& names) {
    for (const auto& [number, launch] : kept_->launches_) {
        if (!kept_->modules_.contains(launch.code))
            kept_->modules_.emplace(launch.code, withSources(*modules_.find(launch.code)));
        for (const KeptBlock& block : launch.blocks) {
            const HeapBlock& ofHeap = heap_.blocks()[block.block];
            if (!kept_->facts_.contains(block.block))
                kept_->facts_.emplace(
                    block.block,
                    KeptLaunches::Facts{names.of(ofHeap), ofHeap.smallestAccess, ofHeap.rowBytes});
        }
    }
    return kept_;
}

}  // namespace lockstep::program
