#include "math/select.h"

static void swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

double snw_select(double *values, size_t count, size_t index)
{
    // Hoare (1961), with the middle of three as pivot; many equal values split evenly
    size_t low = 0, high = count - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (values[middle] < values[low]) { swap(&values[middle], &values[low]); }
        if (values[high] < values[low]) { swap(&values[high], &values[low]); }
        if (values[high] < values[middle]) { swap(&values[high], &values[middle]); }
        double pivot = values[middle];
        size_t i = low, j = high;
        for (;;) {
            while (values[i] < pivot) { ++i; }
            while (pivot < values[j]) { --j; }
            if (i >= j) { break; }
            swap(&values[i], &values[j]);
            ++i;
            --j;
        }
        if (index <= j) {
            high = j;
        } else {
            low = j + 1;
        }
    }
    return values[index];
}
