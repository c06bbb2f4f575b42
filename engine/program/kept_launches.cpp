#include "program/kept_launches.h"

#include "base/device_addresses.h"
#include "explain/source/parameter_names.h"
#include "program/variable_values.h"
#include "ptx/demangled_parameters.h"
#include "run/own/argument_types.h"
#include "simt/memory/device_memory.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

namespace lockstep::program {
namespace {

// PTX of more than this takes longer to read than the launch to run.
constexpr u64 kMostVariableBytes = u64{1} << 20;

u64 wordAt(std::span<const std::byte> bytes, u64 at) {
    u64 word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    return word;
}

std::vector<std::byte> bytesOf(const KeptBlock& block) {
    std::vector<std::byte> bytes(block.bytes);
    for (std::size_t i = 0; i < block.contents->size(); ++i)
        if (const KeptPiece* const piece = (*block.contents)[i].get())
            std::ranges::copy(piece->bytes, bytes.begin() + s64(i * KeptPiece::kBytes));
    return bytes;
}

// Elements as the parameters that point there have them, else as kernels access the memory.
ElementType elementFor(u32 bytes) {
    return bytes == 1 ? ElementType::U8 : bytes == 2 ? ElementType::U16 : ElementType::U32;
}

// The memory of a kept launch, at the addresses of a run.
class Places {
public:
    Places(const KeptLaunch& launch, const ptx::Module& module) : launch_(launch) {
        for (const KeptBlock& block : launch.blocks) {
            places_[block.address].block = &block;
            if (!block.variable) buffers_.push_back(&block);
        }
        orderByArguments();
        for (u32 i = 0; i < buffers_.size(); ++i)
            places_[buffers_[i]->address].address = deviceAddressOf(i);
        // Variables follow the buffers, in their order (DeviceMemory).
        u32 next = u32(buffers_.size());
        for (u32 id = 0; id < module.variables.size(); ++id) {
            const ptx::StateSpace space = module.variables[id].space;
            if (space != ptx::StateSpace::Global && space != ptx::StateSpace::Const) continue;
            const auto block = std::ranges::find_if(launch.blocks, [&](const KeptBlock& one) {
                return one.variable && one.variable->value == id;
            });
            if (block != launch.blocks.end()) places_[block->address].address = deviceAddressOf(next);
            ++next;
        }
    }

    std::span<const KeptBlock* const> buffers() const { return buffers_; }
    // The block that a pointer of the program's leads into, or to the end of; null: none.
    const KeptBlock* blockOf(u64 pointer) const {
        const auto next = places_.upper_bound(pointer);
        if (next == places_.begin()) return nullptr;
        const KeptBlock* const block = std::prev(next)->second.block;
        return pointer - block->address <= block->bytes ? block : nullptr;
    }
    u64 moved(u64 pointer) const {
        const KeptBlock* const block = blockOf(pointer);
        return block ? places_.at(block->address).address + (pointer - block->address) : pointer;
    }
    void movePointerAt(std::span<std::byte> bytes, u64 at) const {
        const u64 pointer = moved(wordAt(bytes, at));
        std::memcpy(bytes.data() + at, &pointer, sizeof pointer);
    }
    std::vector<std::byte> contentsOf(const KeptBlock& block) const {
        std::vector<std::byte> bytes = bytesOf(block);
        for (std::size_t i = 0; i < block.contents->size(); ++i)
            if (const KeptPiece* const piece = (*block.contents)[i].get())
                for (u32 at : piece->pointers)
                    movePointerAt(bytes, i * KeptPiece::kBytes + at);
        return bytes;
    }

private:
    // As the kernel has its parameters; what only pointers in memory lead to follows.
    void orderByArguments() {
        std::vector<const KeptBlock*> ordered;
        const auto add = [&](const KeptBlock* block) {
            if (block && !block->variable && std::ranges::find(ordered, block) == ordered.end())
                ordered.push_back(block);
        };
        for (const Argument& argument : launch_.launch.arguments) {
            const std::vector<std::byte>& bytes = std::get<ScalarArgument>(argument).bytes;
            for (u64 at = 0; at + 8 <= bytes.size(); at += 8)
                add(blockOf(wordAt(bytes, at)));
        }
        for (const KeptBlock* block : buffers_)
            add(block);
        buffers_ = std::move(ordered);
    }

    const KeptLaunch& launch_;
    std::vector<const KeptBlock*> buffers_;
    struct Place {
        const KeptBlock* block = nullptr;
        u64 address = 0;  // in a run
    };
    std::map<u64, Place> places_;  // by the program's address
};

// Those that hold something else than the program's text says.
std::vector<VariableValue> changedVariables(const KeptLaunch& launch, const ptx::Module& module,
                                            const Places& places) {
    std::vector<u64> addresses(module.variables.size());
    for (const KeptBlock& block : launch.blocks)
        if (block.variable) addresses[block.variable->value] = block.address;
    std::vector<VariableValue> changed;
    for (const KeptBlock& block : launch.blocks) {
        if (!block.variable) continue;
        std::vector<std::byte> atFirst(block.bytes);
        simt::initialiseVariable(module, block.variable->value, addresses, atFirst.data());
        if (bytesOf(block) != atFirst) changed.push_back({*block.variable, places.contentsOf(block)});
    }
    return changed;
}

Expected<std::shared_ptr<const ptx::Module>> moduleOf(const std::shared_ptr<const ptx::Module>& module,
                                                      std::vector<VariableValue> values) {
    if (values.empty()) return module;
    u64 bytes = 0;
    for (const VariableValue& value : values)
        bytes += value.bytes.size();
    if (bytes > kMostVariableBytes)
        return fail(
            FaultKind::Unsupported,
            Message(english("the kernel's variables hold {0} MiB that the program has written; a launch "
                            "can be opened with {1} MiB of them at most"),
                    bytes >> 20, kMostVariableBytes >> 20));
    const std::optional<std::string> text = withValues(*module, std::move(values));
    if (!text)
        return fail(FaultKind::Unsupported,
                    english("the kernel's variables cannot be given the values that they had"));
    Expected<ptx::Module> changed = ptx::parse(*text, "program.ptx");
    if (!changed) return Unexpected{changed.error()};
    changed->sources = module->sources;
    return std::make_shared<const ptx::Module>(std::move(*changed));
}

}  // namespace

Expected<OpenedLaunch> KeptLaunches::open(u64 number) const {
    const auto found = launches_.find(number);
    if (found == launches_.end())
        return fail(
            FaultKind::NotFound,
            isFull_ && last()
                ? Message(english("launch {0} cannot be opened: what launches found in memory was kept up to "
                                  "launch {1}, then it was too much"),
                          number, last())
            : isFull_
                ? Message(english("launch {0} cannot be opened: what it found in memory is too much to keep"),
                          number)
                : Message(english("launch {0} cannot be opened: it did not start"), number));
    const KeptLaunch& kept = found->second;
    if (kept.usesImages)
        return fail(FaultKind::Unsupported,
                    Message(english("launch {0} cannot be opened: it uses textures or surfaces, which exist "
                                    "only while the program runs"),
                            number));
    const std::shared_ptr<const ptx::Module>& written = modules_.at(kept.code);
    if (!written) return fail(FaultKind::Syntax, english("its PTX cannot be read again"));
    const Places places(kept, *written);
    Expected<std::shared_ptr<const ptx::Module>> module =
        moduleOf(written, changedVariables(kept, *written, places));
    if (!module) return Unexpected{module.error()};

    OpenedLaunch opened{.module = *module,
                        .launch = kept.launch,
                        .buffers = {},
                        .entry = ptx::shortName(kept.launch.entry),
                        .source = {},
                        .isCooperative = kept.isCooperative};
    for (const KeptBlock* block : places.buffers()) {
        if (kept.heap && block->block == kept.heapBlock)
            opened.heap = kept.heap, opened.heapBuffer = u32(opened.buffers.size());
        const Facts& facts = facts_.at(block->block);
        opened.buffers.push_back({.name = facts.name,
                                  .type = elementFor(facts.elementBytes),
                                  .shape = {},
                                  .bytes = places.contentsOf(*block)});
    }

    std::string source;
    if (const ptx::Function* const entry = (*module)->findEntry(kept.launch.entry)) {
        const u32 file = (*module)->files.size() > 1 ? (*module)->locationOf(entry->first).file : 0;
        opened.source = (*module)->files[file];
        source = (*module)->sources[file];
    }
    const std::vector<std::string> names = explain::parameterNames(source, opened.entry);
    const std::vector<std::string> types = run::parametersOf(ptx::demangledParameters(kept.launch.entry));
    std::vector<bool> isNamed(opened.buffers.size());
    Launch& launch = opened.launch;
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        std::vector<std::byte>& bytes = std::get<ScalarArgument>(launch.arguments[i]).bytes;
        const bool isAlone = bytes.size() == 8;
        const u64 pointer = isAlone ? wordAt(bytes, 0) : 0;
        const KeptBlock* const block = isAlone ? places.blockOf(pointer) : nullptr;
        for (u64 at = 0; at + 8 <= bytes.size(); at += 8)
            places.movePointerAt(bytes, at);
        if (!block || block->variable) continue;
        const auto index = std::size_t(std::ranges::find(places.buffers(), block) - places.buffers().begin());
        Buffer& buffer = opened.buffers[index];
        if (i < types.size() && types.size() == launch.arguments.size() && run::isPointer(types[i]))
            if (const auto element = run::elementOf(run::pointeeOf(types[i])))
                if (const ElementTypeInfo* const info = findElementType(element->name))
                    buffer.type = info->type;
        if (pointer != block->address) continue;
        if (names.size() == launch.arguments.size() && !isNamed[index]) {
            isNamed[index] = true;
            buffer.name = names[i];
        }
        launch.arguments[i] = BufferArgument{u32(index)};
    }
    for (std::size_t i = 0; i < opened.buffers.size(); ++i) {
        Buffer& buffer = opened.buffers[i];
        if (buffer.bytes.size() % info(buffer.type).bytes) buffer.type = ElementType::U8;
        const u64 rowBytes = facts_.at(places.buffers()[i]->block).rowBytes,
                  element = info(buffer.type).bytes;
        const bool hasRows = rowBytes && rowBytes % element == 0 && buffer.bytes.size() % rowBytes == 0;
        buffer.shape = {buffer.count()};
        if (hasRows) buffer.shape = {buffer.bytes.size() / rowBytes, rowBytes / element};
    }
    return opened;
}

}  // namespace lockstep::program
