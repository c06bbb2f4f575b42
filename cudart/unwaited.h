// Memory that host and device both see (managed, pinned), while work that writes to it may still run: on a
// GPU it would, here it is done already. Until the program waits for it, the pages are closed to host code,
// so that an access too early is noticed; it is told, and goes on.
#pragma once

#include "cudart/protocol.h"

#include <vector>

namespace lockstep::cudart {

struct State;

namespace unwaited {

// Work of a stream that writes these bytes; caller: of the call that asked for it.
void add(const std::vector<WrittenRange>& ranges, const void* stream, std::uint64_t caller);
// Work asked for until now has a smaller number than work asked for later.
std::uint64_t number();
// The program has waited: for all work, for that of a stream, or for that up to a number.
void waited();
void waitedForStream(const void* stream);
void waitedUpTo(std::uint64_t number);
// Memory that is freed or unmapped.
void forget(std::uint64_t begin, std::uint64_t end);

// While the runtime itself copies, as a stream would do in its order. Not for two threads at once.
class Opened {
public:
    Opened();
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;
    ~Opened();
};

// In the handler of SIGSEGV: was it a closed page? Then it is open now, and the access can be tried again.
// isTooEarly: it was to bytes that unwaited work writes, asked for by `caller`.
struct Found {
    bool isClosed = false, isTooEarly = false;
    std::uint64_t caller = 0;
};
Found open(std::uint64_t address);
// Other bytes of a page that unwaited work writes to may be used: its page is open for one instruction.
// False: so often that it stays open.
bool opensForOne();
void closeAgain();

}  // namespace unwaited
}  // namespace lockstep::cudart
