#include "app/cli/pages/mistake_list.h"

#include "app/cli/exit_status.h"

namespace lockstep::cli {

void MistakeList::add(const Fault& fault) {
    ++count_;
    rows_.push_back(
        {{"file", fault.place.file}, {"line", fault.place.line}, {"message", fault.message.english()}});
    if (json_.empty()) printOut("{}\n", describe(fault, language_));
}

Expected<int> MistakeList::finish(const std::string& summary) const {
    if (json_.empty())
        printOut("{}\n", summary);
    else if (const Expected<void> written = writeJson({{"mistakes", rows_}}, json_); !written)
        return Unexpected{written.error()};
    return count_ == 0 ? kDone : kAnswerIsWrong;
}

}  // namespace lockstep::cli
