// The words of pictures: base/words.h, under the names that viz uses.
#pragma once

#include "base/counted.h"
#include "base/message.h"
#include "base/text.h"
#include "base/words.h"
