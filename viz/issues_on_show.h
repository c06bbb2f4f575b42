// What is known of the time of the block on show, for the view that draws it cycle by cycle.
#pragma once

#include "run/machine/issue_run.h"
#include "viz/cursor/cursor.h"

#include <memory>
#include <optional>
#include <utility>

namespace lockstep::viz {

struct IssuesOnShow {
    LaunchId launch{};  // asked for
    Dim3 block{0, 0, 0};
    std::shared_ptr<const run::IssueRun> run{};  // null: it is under way, or there is none
    std::optional<Fault> why{};                  // there is none

    IssuesOnShow() = default;
    explicit IssuesOnShow(const Cursor& cursor) : launch(cursor.launch), block(cursor.block) {}
    IssuesOnShow(const Cursor& cursor, Expected<run::IssueRun> issues) : IssuesOnShow(cursor) {
        if (issues)
            run = std::make_shared<const run::IssueRun>(std::move(*issues));
        else
            why = issues.error();
    }
    bool isOf(const Cursor& cursor) const { return launch == cursor.launch && block == cursor.block; }
};

}  // namespace lockstep::viz
