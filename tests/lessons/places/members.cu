struct Item {
    int keys[3];
    float weight;
};
__global__ void members(Item* items, int2* pairs, char* flags) {
    int t = threadIdx.x;
    items[t].keys[1] = t;
    pairs[t].y = items[t].weight > 0;
    flags[64 + 2 * t] = 2;
}
