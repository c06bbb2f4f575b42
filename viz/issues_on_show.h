// What the cycle model says of the run on show: the time of a block, for the view that draws it cycle by
// cycle, and where the time of the whole run goes.
#pragma once

#include "run/machine/issue_run.h"
#include "run/machine/waits_of_run.h"
#include "viz/cursor/cursor.h"
#include "viz/view.h"

#include <memory>
#include <optional>
#include <utility>

namespace lockstep::viz {

struct IssuesOnShow {
    LaunchId launch{};  // asked for
    Dim3 block{0, 0, 0};
    std::shared_ptr<const run::IssueRun> run{};  // null: it is under way, or there is none
    std::optional<Fault> why{};                  // there is none
    // Of the run, whatever its block.
    std::shared_ptr<const run::WaitsOfRun> waits{};
    std::optional<Fault> whyNoWaits{};
    std::shared_ptr<const run::TimedRun> time{};  // asked for alone: the waits have it, too
    std::optional<Fault> whyNoTime{};
    // Of the run that it is compared with, where both are asked for.
    std::shared_ptr<const IssuesOnShow> beside{};

    IssuesOnShow() = default;
    explicit IssuesOnShow(const Cursor& cursor) : launch(cursor.launch), block(cursor.block) {}
    IssuesOnShow(const Cursor& cursor, Expected<run::IssueRun> issues) : IssuesOnShow(cursor) {
        set(std::move(issues));
    }
    void set(Expected<run::IssueRun> issues) {
        if (issues)
            run = std::make_shared<const run::IssueRun>(std::move(*issues));
        else
            why = issues.error();
    }
    void set(Expected<run::WaitsOfRun> found) {
        if (found)
            waits = std::make_shared<const run::WaitsOfRun>(std::move(*found));
        else
            whyNoWaits = found.error();
    }
    void set(Expected<run::TimedRun> found) {
        if (found)
            time = std::make_shared<const run::TimedRun>(std::move(*found));
        else
            whyNoTime = found.error();
    }
    // Of the run; null: it is not known, or there is none.
    const run::TimedRun* timed() const { return time ? time.get() : waits ? &waits->time : nullptr; }
    const Fault* whyNotTimed() const { return whyNoTime ? &*whyNoTime : whyNoWaits ? &*whyNoWaits : nullptr; }
    // Whether it is known, or known that there is none.
    bool has(Modeled what, const Cursor& cursor) const {
        switch (what) {
            case Modeled::Waits: return waits || whyNoWaits;
            case Modeled::Time: return timed() || whyNotTimed();
            default: return isOf(cursor) && (run || why);
        }
    }
    // Of another block, what is of the whole run.
    IssuesOnShow at(const Cursor& cursor) const {
        IssuesOnShow other = *this;
        other.launch = cursor.launch, other.block = cursor.block;
        if (!isOf(cursor)) other.run = nullptr, other.why.reset();
        return other;
    }
    bool isOf(const Cursor& cursor) const { return launch == cursor.launch && block == cursor.block; }
};

}  // namespace lockstep::viz
