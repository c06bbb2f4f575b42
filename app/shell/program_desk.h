// Whole programs, in the background: `lockstep exec` as a process of its own, whatever becomes of it, and its
// launches as runs.
#pragma once

#include "app/state/action.h"
#include "catalog/catalog.h"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace lockstep::shell {

class ProgramDesk {
public:
    // lockstep: our own executable; empty: not known. `wake` is called, from another thread, when there is a
    // result to take.
    ProgramDesk(std::string lockstep, const catalog::Catalog* catalog, std::function<void()> wake);
    ~ProgramDesk();  // ends the process
    ProgramDesk(const ProgramDesk&) = delete;
    ProgramDesk& operator=(const ProgramDesk&) = delete;

    // The program before, and its launches, are gone.
    void start(const app::StartProgram& program, const std::string& profile);
    void stop(u64 ticket);
    // A launch of that program: RunArrived or RunFailed.
    void open(app::StartRun job, const std::string& profile);
    std::vector<app::Action> take();

private:
    class Session;
    void arrive(app::Action action);

    std::string lockstep_;
    const catalog::Catalog* catalog_;
    std::function<void()> wake_;
    std::mutex mutex_;
    std::vector<app::Action> arrived_;
    std::shared_ptr<Session> session_;
};

}  // namespace lockstep::shell
