#include "sass/memory_opcode.h"

#include <algorithm>
#include <array>

namespace lockstep::sass {
namespace {

struct Row {
    std::string_view name;
    Memory memory;
    Operation operation;
};

constexpr std::array kRows = {
    Row{"LDS", Memory::Shared, Operation::Load},     Row{"LDSM", Memory::Shared, Operation::Load},
    Row{"STS", Memory::Shared, Operation::Store},    Row{"STSM", Memory::Shared, Operation::Store},
    Row{"ATOMS", Memory::Shared, Operation::Atomic}, Row{"LDG", Memory::Global, Operation::Load},
    Row{"STG", Memory::Global, Operation::Store},    Row{"LDGSTS", Memory::Global, Operation::Load},
    Row{"ATOMG", Memory::Global, Operation::Atomic}, Row{"RED", Memory::Global, Operation::Atomic},
    Row{"REDG", Memory::Global, Operation::Atomic},  Row{"LD", Memory::Generic, Operation::Load},
    Row{"ST", Memory::Generic, Operation::Store},    Row{"ATOM", Memory::Generic, Operation::Atomic},
    Row{"LDL", Memory::Local, Operation::Load},      Row{"STL", Memory::Local, Operation::Store},
    Row{"LDC", Memory::Constant, Operation::Load},   Row{"ULDC", Memory::Constant, Operation::Load},
};

struct Width {
    std::string_view modifier;
    u32 bytes;
};
constexpr std::array kWidths = {Width{"U8", 1},  Width{"S8", 1}, Width{"U16", 2},
                                Width{"S16", 2}, Width{"64", 8}, Width{"128", 16}};

}  // namespace

std::optional<MemoryOpcode> memoryOpcode(std::string_view opcode) {
    const auto next = [&opcode] {
        const std::size_t dot = opcode.find('.');
        const std::string_view part = opcode.substr(0, dot);
        opcode.remove_prefix(dot == std::string_view::npos ? opcode.size() : dot + 1);
        return part;
    };
    const auto* row = std::ranges::find(kRows, next(), &Row::name);
    if (row == kRows.end()) return std::nullopt;
    MemoryOpcode found{.memory = row->memory, .operation = row->operation};
    while (!opcode.empty())
        if (const auto* width = std::ranges::find(kWidths, next(), &Width::modifier); width != kWidths.end())
            found.widthBytes = width->bytes;
    return found;
}

}  // namespace lockstep::sass
