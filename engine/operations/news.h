// Messages of a `lockstep exec --serve` to the window that started it, each with its length in front. Both
// are the same binary, so they have no version.
#pragma once

#include "base/expected.h"
#include "operations/report.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::operations {

struct News {
    enum class Kind : u8 {
        Started,    // it is compiled and runs
        Launches,   // `number` of them so far
        Ended,      // `report`
        Failed,     // it was not run: `fault`
        Opened,     // launch `number`, in the recording `file`
        NotOpened,  // `fault`
    };
    Kind kind = Kind::Started;
    u64 number = 0;
    std::string file{};
    std::optional<ProgramReport> report{};
    std::optional<Fault> fault{};
};

std::vector<std::byte> encode(const News& news);

// Takes the messages that are whole from the front of what has arrived. Fault of kind Damaged: it is none.
Expected<std::vector<News>> takeNews(std::vector<std::byte>& arrived);

}  // namespace lockstep::operations
