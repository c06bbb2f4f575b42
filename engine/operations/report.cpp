#include "operations/report.h"

#include "operations/sentences.h"

#include <algorithm>

namespace lockstep::operations {

u64 ProgramReport::problems() const {
    return u64(std::ranges::count(findings, false, &ProgramFinding::isRemark));
}

Message endingOf(const ProgramReport& report) {
    if (report.end == End::Cancelled) return english("Canceled: what is shown is what it did until then.");
    if (report.ending.empty() && report.status)
        return Message(english("The program ended with status {0}."), report.status);
    if (report.ending.empty()) return english("The program ended with status 0.");
    if (!report.endingPlace.line) return report.ending;
    return Message(english("how a program ended, and where", "{0} At {1}."), report.ending,
                   placeText(report.endingPlace, report.operations));
}

}  // namespace lockstep::operations
