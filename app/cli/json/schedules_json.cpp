#include "app/cli/json/schedules_json.h"

#include "explain/access/access_values.h"
#include "explain/order/order_text.h"
#include "model/source_line.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::cli {
namespace {

using explain::LaneAccess;
using simt::AccessLog;
using simt::LoggedAccess;
using simt::Order;

// Of each run, the accesses before the one at which they part, and after it.
constexpr std::size_t kBefore = 48, kAfter = 16;

std::string hashText(u64 hash) { return fmt::format("{:016x}", hash); }

const char* nameOf(Order::Turns turns) {
    switch (turns) {
        case Order::Turns::UntilItWaits: return "until_it_waits";
        case Order::Turns::AfterEachAccess: return "after_each_access";
        case Order::Turns::Drawn: return "drawn";
        case Order::Turns::Priorities: break;
    }
    return "priorities";
}

const char* nameOf(Order::Parts parts) {
    switch (parts) {
        case Order::Parts::Whole: return "whole";
        case Order::Parts::Halves: return "halves";
        case Order::Parts::OneLane: return "one_lane";
        case Order::Parts::EachLane: return "each_lane";
        case Order::Parts::EvenAndOdd: return "even_and_odd";
        case Order::Parts::Drawn: break;
    }
    return "drawn";
}

const char* nameOf(explain::OrderParting::Kind kind) {
    using Kind = explain::OrderParting::Kind;
    switch (kind) {
        case Kind::ReadsBefore: return "reads_before";
        case Kind::ReadsAfter: return "reads_after";
        case Kind::OtherWins: return "other_store_wins";
        case Kind::LastStore: return "last_store";
        case Kind::UpdatesFirst: return "updates_first";
        case Kind::ReadsOther: break;
    }
    return "reads_other";
}

Json orderJson(const run::Run& run, const run::BadOrder& bad) {
    const Order& order = bad.order;
    return {{"number", bad.number},
            {"turns", nameOf(order.turns)},
            {"highest_first", order.highestFirst},
            {"lanes", nameOf(order.parts)},
            {"lane", order.parts == Order::Parts::OneLane ? Json(order.lane) : Json(nullptr)},
            {"delayed_pc", order.delayed == kNoPc ? Json(nullptr) : Json(order.delayed.value)},
            {"changes", order.changes},
            {"at_every_access", order.atEvery},
            {"seed", hashText(order.seed)},
            {"text", explain::textOf(order, run).english()}};
}

class LogJson {
public:
    LogJson(const run::Run& run, const AccessLog& log) : run_(run), log_(log) {}

    Json access(std::size_t at) const {
        const LoggedAccess& access = log_.all()[at];
        const model::SourceLine line = model::sourceLineOf(access.pc, *run_.module);
        Json lanes = Json::array(), addresses = Json::array(), values = Json::array();
        u32 index = 0;
        for (Lane lane : access.lanes) {
            lanes.push_back(lane.value);
            addresses.push_back(log_.address(access, index));
            values.push_back(value(access, index++));
        }
        return {{"launch", access.launch},
                {"block", triple(access.block)},
                {"warp", access.warp.value},
                {"lanes", lanes},
                {"pc", access.pc.value},
                {"file", line.line ? Json(run_.module->files[line.file]) : Json(nullptr)},
                {"line", line.line ? Json(line.line) : Json(nullptr)},
                {"space", trace::nameOf(access.space)},
                {"op", trace::nameOf(access.kind)},
                {"width", u32{access.widthBytes}},
                {"addresses", addresses},
                {"values", values}};
    }
    // Those around one of them.
    Json around(std::size_t at) const {
        const std::size_t first = at - std::min(at, kBefore), end = std::min(log_.all().size(), at + kAfter);
        Json all = Json::array();
        for (std::size_t i = first; i < end; ++i)
            all.push_back(access(i));
        return {{"first", first}, {"parts_at", at}, {"of", log_.all().size()}, {"accesses", all}};
    }
    Json lane(LaneAccess lane) const {
        const LoggedAccess& access = log_.all()[lane.at];
        u32 index = lane.index;
        u32 number = 0;
        for (Lane each : access.lanes) {
            number = each.value;
            if (index-- == 0) break;
        }
        const model::SourceLine line = model::sourceLineOf(access.pc, *run_.module);
        const Dim3 block = run_.recording.launches[access.launch].block;
        return {{"access", lane.at},
                {"launch", access.launch},
                {"block", triple(access.block)},
                {"thread", triple(coordinatesOf(u64{access.warp.value} * kWarpSize + number, block))},
                {"warp", access.warp.value},
                {"lane", number},
                {"pc", access.pc.value},
                {"line", line.line ? Json(line.line) : Json(nullptr)},
                {"op", trace::nameOf(access.kind)},
                {"space", trace::nameOf(access.space)},
                {"address", log_.address(access, lane.index)},
                {"value", value(access, lane.index)}};
    }

private:
    std::string value(const LoggedAccess& access, u32 index) const {
        const explain::MovedElements elements =
            explain::movedElements(run_, LaunchId{access.launch}, access.space, log_.address(access, index),
                                   access.widthBytes, access.pc);
        return explain::movedText(elements, log_.value(access, index), 18);
    }

    const run::Run& run_;
    const AccessLog& log_;
};

Json partingJson(const run::Run& run, const run::BadOrder& bad) {
    if (!bad.parting) return nullptr;
    const explain::OrderParting& parting = *bad.parting;
    const LogJson recorded(run, *bad.recorded), changed(run, *bad.changed);
    Json json{{"kind", nameOf(parting.kind)},
              {"compares_values", parting.comparesValues},
              {"recorded", recorded.lane(parting.recorded)},
              {"changed", changed.lane(parting.changed)},
              {"other", nullptr},
              {"other_is_in", nullptr}};
    if (parting.other) {
        json["other"] = parting.otherIsChanged ? changed.lane(*parting.other) : recorded.lane(*parting.other);
        json["other_is_in"] = parting.otherIsChanged ? "changed" : "recorded";
    }
    return json;
}

Json elementJson(const run::Run& run, const std::optional<run::ChangedElement>& element) {
    if (!element) return nullptr;
    const auto [name, recorded, changed] = run::textsOf(*element, run.recording.final);
    return {{"element", name}, {"value", changed}, {"recorded", recorded}};
}

Json badJson(const run::Run& run, const run::OrderSearch& search) {
    if (!search.bad) return nullptr;
    const run::BadOrder& bad = *search.bad;
    const Message cause = run::causeOf(bad, run);
    Json json{{"order", orderJson(run, bad)},
              {"result", bad.result},
              {"seconds", bad.seconds},
              {"message", cause.empty() ? Json(nullptr) : Json(cause.english())},
              {"parting", partingJson(run, bad)},
              {"recorded_run", nullptr},
              {"changed_run", nullptr}};
    if (bad.parting) {
        json["recorded_run"] = LogJson(run, *bad.recorded).around(bad.parting->recorded.at);
        json["changed_run"] = LogJson(run, *bad.changed).around(bad.parting->changed.at);
    }
    return json;
}

}  // namespace

Json schedulesJson(const run::Run& run, const run::OrderSearch& search) {
    Json results = Json::array(), chosen = Json::array();
    for (const run::OrderResult& result : search.results)
        results.push_back({{"hash", result.ended ? Json(hashText(result.hash)) : Json(nullptr)},
                           {"count", result.count},
                           {"correct", result.correct},
                           {"ended", result.ended},
                           {"changed", result.changed},
                           {"changed_elements", result.changedElements},
                           {"first_changed", elementJson(run, result.element)},
                           {"first_order", result.first}});
    for (const auto& [launch, blocks] : search.chosen)
        chosen.push_back({{"launch", launch}, {"blocks", Json(blocks)}});
    return {{"wanted", search.wanted},
            {"tried", search.tried},
            {"stopped", search.isCancelled   ? Json("canceled")
                        : search.isOutOfTime ? Json("limit")
                                             : Json(nullptr)},
            {"seed", search.seed},
            {"lanes_part", search.lanesPart},
            {"has_race", search.hasRace},
            {"seconds", search.seconds},
            {"results", results},
            {"changed", search.changed},
            {"blocks", chosen},
            {"bad", badJson(run, search)},
            {"notes", Json::array({Json(Message(explain::ordersOnly()).english()),
                                   Json(Message(explain::provesNothing()).english())})}};
}

}  // namespace lockstep::cli
