#include "motion/keys.h"

#include "math/holds.h"

// Few cubic keys of many samples. A segment between two keys is a Hermite curve that comes as near to the frames between as its
// slopes let it; it is cut at its worst frame until all its frames are near enough. Slopes belong to segments, as glTF has
// them, so that segments are cut each by itself.

// how firmly slopes keep to the motion's own, against frames between keys, whose weights are at most 0.02 each
#define OWN_SLOPE 1e-3

// central difference, one-sided at both ends
static void find_slope(const snw_Samples *samples, int frame, double *out_slope)
{
    SNW_ASSERT(frame >= 0);
    int before = frame > 0 ? frame - 1 : frame;
    int after = frame + 1 < samples->frame_count ? frame + 1 : frame;
    size_t width = (size_t)samples->width;
    double seconds = (after - before) * samples->frame_time;
    for (size_t i = 0; i < width; ++i) {
        double change = samples->values[(size_t)after * width + i]
            - samples->values[(size_t)before * width + i];
        out_slope[i] = seconds > 0.0 ? change / seconds : 0.0;
    }
}

// a curve between two frames
typedef struct Segment {
    int a, b;
    double leave[SINEW_MAX_KEY_WIDTH], arrive[SINEW_MAX_KEY_WIDTH];
} Segment;

// The slopes with which the curve comes nearest to the frames between: least squares, with a little of the motion's own, which
// alone decide where no frame is between.
static void fit_segment(const snw_Samples *samples, int a, int b, Segment *out)
{
    size_t width = (size_t)samples->width;
    const double *from = &samples->values[(size_t)a * width];
    const double *to = &samples->values[(size_t)b * width];
    double seconds = (b - a) * samples->frame_time;
    double leave_change[SINEW_MAX_KEY_WIDTH] = { 0.0 },
           arrive_change[SINEW_MAX_KEY_WIDTH] = { 0.0 };
    double ll = OWN_SLOPE, la = 0.0, aa = OWN_SLOPE, value[SINEW_MAX_KEY_WIDTH];
    out->a = a;
    out->b = b;
    find_slope(samples, a, out->leave);
    find_slope(samples, b, out->arrive);
    for (int f = a + 1; f < b; ++f) {
        double t = (double)(f - a) / (b - a), left = t * (1.0 - t) * (1.0 - t),
               come = t * t * (t - 1.0);
        snw_key_cubic(from, out->leave, to, out->arrive, seconds, t, samples->width, value);
        ll += left * left;
        la += left * come;
        aa += come * come;
        for (size_t i = 0; i < width; ++i) {
            double off = samples->values[(size_t)f * width + i] - value[i];
            leave_change[i] += left * off;
            arrive_change[i] += come * off;
        }
    }
    double scale = 1.0 / ((ll * aa - la * la) * seconds);
    for (size_t i = 0; i < width; ++i) {
        out->leave[i] += scale * (aa * leave_change[i] - la * arrive_change[i]);
        out->arrive[i] += scale * (ll * arrive_change[i] - la * leave_change[i]);
    }
}

// the frame between two keys where their curve is farthest off; -1 when all are near enough
static int worst_frame(
    const snw_Samples *samples, int a, int b, snw_KeyDeviation deviation, void *user)
{
    Segment segment;
    double value[SINEW_MAX_KEY_WIDTH], most = 1.0;
    size_t width = (size_t)samples->width;
    int worst = -1;
    fit_segment(samples, a, b, &segment);
    for (int f = a + 1; f < b; ++f) {
        snw_key_cubic(&samples->values[(size_t)a * width], segment.leave,
            &samples->values[(size_t)b * width], segment.arrive, (b - a) * samples->frame_time,
            (double)(f - a) / (b - a), samples->width, value);
        double off = deviation(user, f, value, &samples->values[(size_t)f * width]);
        if (off > most) {
            most = off;
            worst = f;
        }
    }
    return worst;
}

void snw_samples_between(const snw_Samples *samples, int frame, double share, double *out_value)
{
    SNW_ASSERT(snw_holds_share(share));
    SNW_ASSERT(frame >= 0);
    double leave[SINEW_MAX_KEY_WIDTH], arrive[SINEW_MAX_KEY_WIDTH];
    find_slope(samples, frame, leave);
    find_slope(samples, frame + 1, arrive);
    const double *a = &samples->values[(size_t)frame * (size_t)samples->width];
    snw_key_cubic(a, leave, a + samples->width, arrive, samples->frame_time, share, samples->width,
        out_value);
}

// keys that the later ones around them made needless
static void drop_spare(
    const snw_Samples *samples, snw_KeyDeviation deviation, void *user, unsigned char *kept)
{
    int before = 0, here = -1;
    for (int f = 1; f < samples->frame_count; ++f) {
        if (!kept[f]) { continue; }
        if (here > 0 && worst_frame(samples, before, f, deviation, user) < 0) {
            kept[here] = 0;
        } else if (here > 0) {
            before = here;
        }
        here = f;
    }
}

bool snw_keys_reduce(const sinew_Allocator *allocator, const snw_Samples *samples,
    snw_KeyDeviation deviation, void *user, unsigned char *kept, int *stack, snw_Channel *out_keys)
{
    int last = samples->frame_count - 1, depth = 0, count = 0;
    kept[0] = kept[last] = 1;
    for (int a = 0; a < last;) {
        // the stack holds the ends of the segments that are still to be looked at, the next on top
        int b = a + 1;
        while (!kept[b]) { ++b; }
        stack[depth++] = b;
        while (depth > 0) {
            int cut = worst_frame(samples, a, stack[depth - 1], deviation, user);
            if (cut < 0) {
                a = stack[--depth];
            } else {
                kept[cut] = 1;
                stack[depth++] = cut;
            }
        }
    }

    drop_spare(samples, deviation, user, kept);
    for (int f = 0; f <= last; ++f) { count += kept[f]; }
    out_keys->key_count = 0;
    if (!snw_channel_reserve(allocator, out_keys, count)) { return false; }
    out_keys->interpolation = SINEW_INTERPOLATION_CUBIC;
    size_t width = (size_t)samples->width;
    Segment segment;
    find_slope(samples, 0, segment.arrive);
    for (int f = 0; f <= last; ++f) {
        if (!kept[f]) { continue; }
        size_t k = (size_t)out_keys->key_count++;
        double *arrive = &out_keys->slopes[2 * k * width], *leave = arrive + width;
        int next = f + 1;
        while (next <= last && !kept[next]) { ++next; }
        out_keys->times[k] = samples->first + f * samples->frame_time;
        for (size_t i = 0; i < width; ++i) {
            out_keys->values[k * width + i] = samples->values[(size_t)f * width + i];
            arrive[i] = segment.arrive[i];
        }
        if (next <= last) { fit_segment(samples, f, next, &segment); }
        for (size_t i = 0; i < width; ++i) {
            leave[i] = next <= last ? segment.leave[i] : arrive[i];
        }
    }
    return true;
}
