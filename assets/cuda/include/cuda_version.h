// The version of CUDA whose runtime functions these headers declare.
#pragma once

#define CUDA_VERSION 12000
#define CUDART_VERSION 12000
#define CUDA_API_PER_THREAD_DEFAULT_STREAM 0
