#include "app/cli/session.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace lockstep::cli {
namespace {

// This program's path. argv[0] gives it only if it has a path, not if PATH was searched.
std::filesystem::path ownPath(const std::string& called) {
    std::error_code error;
    std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? std::filesystem::path(called) : own;
}

}  // namespace

std::string environmentVariable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

Expected<const run::Resources*> Session::resources() {
    if (!resources_) {
        Expected<run::Resources> found =
            run::findResources(ownPath(program_), environmentVariable("LOCKSTEP_RESOURCES"));
        if (!found) return Unexpected{found.error()};
        resources_ = std::move(*found);
    }
    return &*resources_;
}

Expected<const catalog::Catalog*> Session::catalog() {
    if (!catalog_) {
        const Expected<const run::Resources*> where = resources();
        if (!where) return Unexpected{where.error()};
        Expected<catalog::Catalog> read = catalog::Catalog::read((*where)->kernels());
        if (!read) return Unexpected{read.error()};
        catalog_ = std::move(*read);
    }
    return &*catalog_;
}

Expected<const catalog::Catalog*> Session::catalogWith(const std::string& kernel) {
    const std::string family = kernel.substr(0, kernel.find('/'));
    if (family_ && family_->find(family)) return &*family_;
    if (family_ || catalog_) return catalog();
    const Expected<const run::Resources*> where = resources();
    if (!where) return Unexpected{where.error()};
    Expected<catalog::Catalog> read = catalog::Catalog::read((*where)->kernels(), family);
    if (!read) return Unexpected{read.error()};
    return &family_.emplace(std::move(*read));
}

cuda::Worker& Session::gpuWorker() {
    if (!gpuWorker_) {
        gpuWorker_.emplace(cuda::WorkerCommand{ownPath(program_).string(), {kGpuWorker}});
    }
    return *gpuWorker_;
}

Expected<const std::vector<run::HardwareRecording>*> Session::recordings(const std::string& ownFile) {
    if (!recordings_) {
        const Expected<const run::Resources*> where = resources();
        if (!where) return Unexpected{where.error()};
        Expected<std::vector<run::HardwareRecording>> shipped = run::shippedRecordings(**where);
        if (!shipped) return Unexpected{shipped.error()};
        if (!ownFile.empty()) {
            Expected<run::HardwareRecording> own = run::readRecording(ownFile);
            if (!own) return Unexpected{own.error()};
            shipped->insert(shipped->begin(), std::move(*own));
        }
        recordings_ = std::move(*shipped);
    }
    return &*recordings_;
}

Expected<void> Session::attachRecorded(run::Run& run, const std::string& ownFile) {
    const Expected<const run::Resources*> where = resources();
    if (!where) return Unexpected{where.error()};
    if (!ownFile.empty()) {
        const Expected<run::HardwareRecording> own = run::readRecording(ownFile);
        if (!own) return Unexpected{own.error()};
        run::attachRecorded(run, std::span(&*own, 1));
    }
    const auto shipped = run::shippedRecordings(**where, run.recording.family + "/" + run.recording.variant);
    if (!shipped) return Unexpected{shipped.error()};
    run::attachRecorded(run, *shipped);
    return {};
}

Expected<std::shared_ptr<const std::vector<run::RecordedMachine>>> Session::machines() {
    const auto measured = recordings();
    if (!measured) return Unexpected{measured.error()};
    const Expected<const catalog::Catalog*> known = catalog();
    if (!known) return Unexpected{known.error()};
    return std::make_shared<const std::vector<run::RecordedMachine>>(
        run::recordedMachines(**measured, **known));
}

void Session::tell(const std::string& sentence) {
    if (told_.insert(sentence).second) std::fprintf(stderr, "lockstep: %s\n", sentence.c_str());
}

Fault cancelledFault() {
    return fail(FaultKind::Cancelled, english("canceled; nothing was written")).value();
}

Fault needsGpu(const std::string& command, Fault why) {
    why.message = Message(english("lockstep {0} needs a GPU: {1} (lockstep doctor has the details)"), command,
                          why.message);
    return why;
}

}  // namespace lockstep::cli
