#include "app/cli/json/memory_json.h"

namespace lockstep::cli {
namespace {

// A text in both languages; null if there is none.
Json inBoth(const Message& text) {
    if (text.empty()) return nullptr;
    return {{"en", text.english()}, {"zh-CN", text.in(Language::Chinese)}};
}

Json figureJson(const model::MemoryFigure& figure) {
    return {{"name", model::nameOf(figure.what)},
            {"metric", figure.metric.empty() ? Json(nullptr) : Json(figure.metric)},
            {"predicted", figure.predicted},
            {"measured", figure.measured},
            {"difference", figure.difference()},
            {"reason", inBoth(figure.reason)}};
}

// A sentence about several parts is at the first of them.
Json partsJson(const std::vector<model::MemoryRow::Explained>& parts) {
    Json json = Json::array();
    for (const model::MemoryRow::Explained& part : parts)
        json.push_back({{"sectors", part.sectors}, {"sentence", inBoth(part.text)}});
    return json;
}

Json rowJson(const model::MemoryRow& row) {
    Json figures = Json::array();
    for (const model::MemoryFigure& figure : row.figures)
        figures.push_back(figureJson(figure));
    return {{"level", model::nameOf(row.level)},
            {"op", model::nameOf(row.operation)},
            {"hit_rate", {{"predicted", row.predictedHitRate()}, {"measured", row.measuredHitRate()}}},
            {"from_before", row.fromBefore},
            {"explained", partsJson(row.explained)},
            {"within", partsJson(row.within)},
            {"figures", std::move(figures)}};
}

}  // namespace

Json memoryJson(const model::MemoryTables& tables) {
    Json rows = Json::array();
    for (const model::MemoryRow& row : tables.rows)
        rows.push_back(rowJson(row));
    Json json{
        {"l1_bytes", nullptr}, {"l2_reads", nullptr}, {"l2_writes", nullptr}, {"rows", std::move(rows)}};
    if (tables.caches) {
        const model::CacheCounts& caches = *tables.caches;
        json["l1_bytes"] = caches.l1Bytes;
        json["l2_reads"] = {
            {"least", caches.l2ReadsLeast}, {"estimate", caches.l2Reads}, {"most", caches.l2ReadsMost}};
        json["l2_writes"] = {{"estimate", caches.l2Writes}, {"most", caches.l2WritesMost}};
    }
    return json;
}

}  // namespace lockstep::cli
