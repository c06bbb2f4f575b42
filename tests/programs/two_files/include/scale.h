#pragma once

void scale(float* device, int n);
