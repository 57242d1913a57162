// Trigonometry against libm in long double, to the bounds that vecmath.h states, and the functions
// of quaternions that stand on it.

#include "testing.h"

#include <float.h>
#include <string.h>

enum { DRAWS = 1000000 };

static const double pi = SINEW_PI;

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/// Sine and cosine of an angle up to 1e6. A libm may leave the reduction of long doubles to the machine, whose
/// pi has 66 bits, so it is asked within half a quarter turn only. The first two parts of pi/2 have 40 bits:
/// 636620 times each is exact.
static void true_sincos(double angle, long double *out_sine, long double *out_cosine)
{
    static const long double parts[3] = { 0x6487ed5110p-38L, 0xb4611a6263p-78L,
        0x18a2e03707344a40p-141L };
    long double turns = floorl((long double)(angle / (0.5 * pi) + 0.5));
    long double rest = (long double)angle;
    for (int i = 0; i < 3; ++i) { rest -= turns * parts[i]; }
    long double sine = sinl(rest), cosine = cosl(rest);
    switch (((int)turns % 4 + 4) % 4) {
    case 0: *out_sine = sine, *out_cosine = cosine; break;
    case 1: *out_sine = cosine, *out_cosine = -sine; break;
    case 2: *out_sine = -sine, *out_cosine = -cosine; break;
    default: *out_sine = -cosine, *out_cosine = sine; break;
    }
}

/// Largest error of sine and cosine at one angle.
static double sincos_error(double angle)
{
    double s, c;
    long double true_s, true_c;
    sinew_sincos(angle, &s, &c);
    true_sincos(angle, &true_s, &true_c);
    long double sine = fabsl((long double)s - true_s);
    long double cosine = fabsl((long double)c - true_c);
    return (double)fmaxl(sine, cosine);
}

/// Sine and cosine are right to 1e-15 up to 1e6: dense near zero, near all multiples of pi/2 where
/// the reduction cancels, and anywhere.
static void test_sincos_within_bound(void **state)
{
    (void)state;
    double worst = 0.0, worst_at = 0.0;
    test_Random random = test_random(2001);
    for (int i = 0; i < DRAWS; ++i) {
        double angle = 0.0;
        switch (i % 4) {
        case 0: angle = 20.0 * ((double)i / DRAWS - 0.5); break;
        case 1: angle = test_range(&random, -1e6, 1e6); break;
        case 2: angle = copysign(exp(test_range(&random, -700.0, log(1e6))), i % 8 - 4.0); break;
        default:
            // the double nearest to a multiple of pi/2, and its neighbours
            angle = test_int(&random, 636619) * (0.5 * pi);
            for (int k = test_int(&random, 5); k > 0; --k) { angle = nextafter(angle, 1e7); }
            break;
        }
        double error = sincos_error(angle);
        if (error > worst) { worst = error, worst_at = angle; }
    }
    print_message("    sincos: largest error %.3g at %.17g\n", worst, worst_at);
    TEST_NEAR(worst, 0.0, 1e-15);
    TEST_NEAR(sincos_error(1e6), 0.0, 1e-15);
    TEST_NEAR(sincos_error(-1e6), 0.0, 1e-15);
}

/// Near a multiple of pi the sine is right relative to its own size, down to the last bits.
static void test_sincos_small_values(void **state)
{
    (void)state;
    double worst = 0.0;
    test_Random random = test_random(2002);
    for (int i = 0; i < 100000; ++i) {
        double angle = copysign(exp(test_range(&random, -700.0, -1.0)), i % 2 - 0.5);
        double s, c;
        sinew_sincos(angle, &s, &c);
        long double error = ((long double)s - sinl((long double)angle)) / sinl((long double)angle);
        worst = fmax(worst, (double)fabsl(error));
    }
    print_message("    small sines: largest relative error %.3g\n", worst);
    TEST_NEAR(worst, 0.0, 3e-16);
    double s, c;
    sinew_sincos(pi, &s, &c);
    TEST_NEAR(s, 1.2246467991473532e-16, 1e-20);
    TEST_TRUE(c == -1.0);
}

/// Opposite angles have opposite sines and equal cosines to the bit, so that a mirrored body moves
/// as its mirror image; sine and cosine lie on the circle.
static void test_sincos_is_odd_and_even(void **state)
{
    (void)state;
    test_Random random = test_random(2003);
    for (int i = 0; i < DRAWS; ++i) {
        double angle = i % 2 ? test_range(&random, 0.0, 10.0)
                             : exp(test_range(&random, -300.0, 300.0));
        double s, c, s2, c2;
        sinew_sincos(angle, &s, &c);
        sinew_sincos(-angle, &s2, &c2);
        TEST_TRUE(s2 == -s && c2 == c);
        TEST_NEAR(s * s + c * c, 1.0, 1e-15);
    }
}

/// Larger angles are reduced by the double nearest to 2 pi, whatever their size; what is not finite
/// gives NaN.
static void test_sincos_huge_and_not_finite(void **state)
{
    (void)state;
    test_Random random = test_random(2004);
    for (int i = 0; i < 100000; ++i) {
        double angle = copysign(exp(test_range(&random, log(1e6), 709.0)), i % 2 - 0.5);
        double s, c;
        sinew_sincos(angle, &s, &c);
        long double rest = (long double)fmod(angle, 2.0 * pi);
        if (fabs(angle) > 1e6) {
            TEST_NEAR(s, (double)sinl(rest), 1e-15);
            TEST_NEAR(c, (double)cosl(rest), 1e-15);
        }
    }
    static const double none[] = { INFINITY, -INFINITY, NAN };
    for (int i = 0; i < 3; ++i) {
        double s = 0.0, c = 0.0;
        sinew_sincos(none[i], &s, &c);
        TEST_TRUE(isnan(s) && isnan(c));
    }
    double s, c;
    sinew_sincos(DBL_MAX, &s, &c);
    TEST_NEAR(s * s + c * c, 1.0, 1e-15);
    for (int sign = -1; sign <= 1; sign += 2) {
        sinew_sincos(copysign(0.0, sign), &s, &c);
        TEST_TRUE(s == 0.0 && c == 1.0);
        // the smallest number there is does not vanish
        sinew_sincos(copysign(4.9406564584124654e-324, sign), &s, &c);
        TEST_TRUE(s == copysign(4.9406564584124654e-324, sign) && c == 1.0);
    }
}

static double atan2_error(double y, double x)
{
    return (double)fabsl((long double)sinew_atan2(y, x) - atan2l((long double)y, (long double)x));
}

/// The angle of a point is right to 1e-15 all around and for any sizes, huge and tiny ones too, and
/// scaling by a power of two does not change a bit.
static void test_atan2_within_bound(void **state)
{
    (void)state;
    double worst = 0.0, worst_y = 0.0, worst_x = 0.0;
    test_Random random = test_random(2005);
    for (int i = 0; i < DRAWS; ++i) {
        double turn = 2.0 * pi * (i + test_uniform(&random)) / DRAWS - pi;
        double size = i % 3 ? 1.0 : exp(test_range(&random, -690.0, 690.0));
        double y = size * sin(turn), x = size * cos(turn);
        if (i % 3 == 2) {
            y = copysign(exp(test_range(&random, -700.0, 700.0)), i % 4 - 1.5);
            x = copysign(exp(test_range(&random, -700.0, 700.0)), i % 8 - 3.5);
        }
        double error = atan2_error(y, x);
        if (error > worst) { worst = error, worst_y = y, worst_x = x; }
        TEST_TRUE(same_bits(sinew_atan2(-y, x), -sinew_atan2(y, x)));
        if (i % 3 == 1) {
            int power = test_int(&random, 1000) - 500;
            double other = sinew_atan2(ldexp(y, power), ldexp(x, power));
            TEST_TRUE(same_bits(other, sinew_atan2(y, x)));
        }
    }
    print_message("    atan2: largest error %.3g at (%.17g, %.17g)\n", worst, worst_x, worst_y);
    TEST_NEAR(worst, 0.0, 1e-15);
}

/// Axes, diagonals, infinities, NaN, and the signs of zeros: those of libm, except for the origin,
/// whose angle is zero.
static void test_atan2_special_values(void **state)
{
    (void)state;
    static const double values[] = { 0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, 1e-320, -1e-320,
        DBL_MAX, -DBL_MAX, DBL_MIN, -DBL_MIN };
    enum { COUNT = sizeof values / sizeof values[0] };
    for (int i = 0; i < COUNT; ++i) {
        for (int j = 0; j < COUNT; ++j) {
            double y = values[i], x = values[j], angle = sinew_atan2(y, x);
            if (y == 0.0 && x == 0.0) {
                TEST_TRUE(same_bits(angle, y));
                continue;
            }
            TEST_NEAR(angle, atan2(y, x), 1e-15);
            TEST_TRUE(signbit(angle) == signbit(y));
            TEST_TRUE(fabs(angle) <= pi);
        }
        TEST_TRUE(isnan(sinew_atan2(values[i], NAN)));
        TEST_TRUE(isnan(sinew_atan2(NAN, values[i])));
    }
    TEST_TRUE(sinew_atan2(0.0, -1.0) == pi && sinew_atan2(-0.0, -1.0) == -pi);
    TEST_TRUE(sinew_atan2(1.0, 0.0) == 0.5 * pi && sinew_atan2(-1.0, 0.0) == -0.5 * pi);
}

/// acos and asin are right to 2e-15 on the whole range, crop what is outside and keep the small
/// angles near 1 and 0, where they come from differences.
static void test_acos_asin_within_bound(void **state)
{
    (void)state;
    double worst[2] = { 0.0, 0.0 };
    test_Random random = test_random(2006);
    for (int i = 0; i < DRAWS; ++i) {
        double x = 2.0 * (i + test_uniform(&random)) / DRAWS - 1.0;
        if (i % 4 == 1) { x = copysign(1.0 - exp(test_range(&random, -37.0, 0.0)), x); }
        if (i % 4 == 3) { x = copysign(exp(test_range(&random, -700.0, 0.0)), x); }
        long double acos_error = (long double)sinew_acos(x) - acosl((long double)x);
        long double asin_error = (long double)sinew_asin(x) - asinl((long double)x);
        worst[0] = fmax(worst[0], (double)fabsl(acos_error));
        worst[1] = fmax(worst[1], (double)fabsl(asin_error));
        TEST_TRUE(sinew_acos(x) >= 0.0 && sinew_acos(x) <= pi);
        TEST_TRUE(sinew_asin(-x) == -sinew_asin(x));
    }
    print_message("    largest error of acos %.3g, of asin %.3g\n", worst[0], worst[1]);
    TEST_NEAR(worst[0], 0.0, 2e-15);
    TEST_NEAR(worst[1], 0.0, 2e-15);

    TEST_TRUE(sinew_acos(1.0) == 0.0 && sinew_acos(-1.0) == pi && sinew_acos(0.0) == 0.5 * pi);
    TEST_TRUE(sinew_asin(1.0) == 0.5 * pi && sinew_asin(-1.0) == -0.5 * pi);
    TEST_TRUE(same_bits(sinew_asin(0.0), 0.0) && same_bits(sinew_asin(-0.0), -0.0));
    static const double outside[] = { 1.0000000000000002, 2.0, 1e300, INFINITY };
    for (int i = 0; i < 4; ++i) {
        TEST_TRUE(sinew_acos(outside[i]) == 0.0 && sinew_acos(-outside[i]) == pi);
        TEST_TRUE(sinew_asin(outside[i]) == 0.5 * pi && sinew_asin(-outside[i]) == -0.5 * pi);
    }
    TEST_TRUE(isnan(sinew_acos(NAN)) && isnan(sinew_asin(NAN)));
}

// ---------------------------------------------------------------------------------------------
// Quaternions

static double quat_length(sinew_Quat q)
{
    return sqrt(sinew_quat_dot(q, q));
}

/// exp and log undo each other for rotation vectors of any length, from 1e-300 to pi; exp is the
/// rotation about the axis, log never longer than pi and the same for q and -q.
static void test_exp_and_log(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int i = 0; i < 200000; ++i) {
        test_Random random = test_case(2010, i);
        sinew_Vec3 axis = test_unit_vector(&random);
        double angle = test_range(&random, 0.0, pi);
        if (i % 4 == 1) { angle = exp(test_range(&random, -690.0, 0.0)); }
        if (i % 4 == 2) { angle = pi - exp(test_range(&random, -34.0, 0.0)); }
        if (i % 4 == 3) { angle = 1e-4 * test_range(&random, 0.9, 1.1); } // where the series ends
        sinew_Vec3 v = sinew_vec3_scale(axis, angle);
        sinew_Quat q = sinew_quat_exp(v);
        TEST_NEAR(quat_length(q), 1.0, 1e-15);
        TEST_QUAT_NEAR(q, sinew_quat_from_axis_angle(axis, angle), 1e-15);
        sinew_Vec3 back = sinew_quat_log(q);
        TEST_TRUE(sinew_vec3_length(back) <= pi + 1e-15);
        // at a half turn both directions are right
        double error = sinew_vec3_distance(back, v);
        if (angle > pi - 1e-14) {
            error = fmin(error, sinew_vec3_distance(back, sinew_vec3_scale(v, -1.0)));
        }
        worst = fmax(worst, error / (i % 4 == 1 ? angle : 1.0));
        sinew_Quat opposite = { -q.x, -q.y, -q.z, -q.w };
        if (q.w != 0.0) {
            TEST_NEAR(sinew_vec3_distance(sinew_quat_log(opposite), back), 0.0, 0.0);
        }
    }
    print_message("    log(exp(v)) is off by at most %.3g\n", worst);
    TEST_NEAR(worst, 0.0, 2e-15);

    // longer vectors turn by what is left of full turns
    for (int i = 0; i < 10000; ++i) {
        test_Random random = test_case(2011, i);
        sinew_Vec3 axis = test_unit_vector(&random);
        double angle = test_range(&random, 0.0, pi);
        double more = angle + 2.0 * pi * (1 + test_int(&random, 20));
        sinew_Quat q = sinew_quat_exp(sinew_vec3_scale(axis, more));
        TEST_QUAT_NEAR(q, sinew_quat_from_axis_angle(axis, angle), 1e-13);
    }
    sinew_Quat none = sinew_quat_exp(sinew_vec3(0.0, 0.0, 0.0));
    TEST_TRUE(none.x == 0.0 && none.y == 0.0 && none.z == 0.0 && none.w == 1.0);
    TEST_VEC3_NEAR(sinew_quat_log(none), sinew_vec3(0.0, 0.0, 0.0), 0.0);
    sinew_Quat half_turn = { 0.0, 1.0, 0.0, 0.0 };
    TEST_VEC3_NEAR(sinew_quat_log(half_turn), sinew_vec3(0.0, pi, 0.0), 1e-15);
}

static void check_between(sinew_Vec3 a, sinew_Vec3 b, double tolerance)
{
    sinew_Quat q = sinew_quat_between(a, b);
    TEST_NEAR(quat_length(q), 1.0, 1e-15);
    TEST_VEC3_NEAR(sinew_quat_rotate(q, a), b, tolerance);
    // the shortest way: across both directions, by the angle between them
    TEST_NEAR(q.x * a.x + q.y * a.y + q.z * a.z, 0.0, tolerance);
    double angle = 2.0 * atan2(sinew_vec3_distance(a, b), sinew_vec3_length(sinew_vec3_add(a, b)));
    TEST_NEAR(2.0 * atan2(sqrt(q.x * q.x + q.y * q.y + q.z * q.z), q.w), angle, tolerance);
}

/// The shortest rotation between two directions; opposite and nearly opposite ones get a half turn
/// about an axis across them, LIM-12, also where a is along an axis.
static void test_between_lim12(void **state)
{
    (void)state;
    static const sinew_Vec3 own[6] = { { 1.0, 0.0, 0.0 }, { -1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 },
        { 0.0, -1.0, 0.0 }, { 0.0, 0.0, 1.0 }, { 0.0, 0.0, -1.0 } };
    for (int i = 0; i < 100000; ++i) {
        test_Random random = test_case(2012, i);
        sinew_Vec3 a = i < 6 ? own[i] : test_unit_vector(&random);
        sinew_Vec3 b = test_unit_vector(&random);
        // the axis of directions that are opposite within d is known to about 1e-16 / d
        if (sinew_vec3_dot(a, b) > -1.0 + 1e-4) { check_between(a, b, 1e-13); }
        check_between(a, a, 4e-15);
        check_between(a, sinew_vec3_scale(a, -1.0), 4e-15);

        // from far off down to where only rounding is left
        sinew_Vec3 across = sinew_vec3_normalize_or(sinew_vec3_cross(a, b), a);
        double off = exp(test_range(&random, -38.0, -2.0));
        sinew_Vec3 near = sinew_vec3_scale(a, -cos(off));
        near = sinew_vec3_add_scaled(near, across, sin(off));
        near = sinew_vec3_normalize_or(near, a);
        check_between(a, near, 1e-14);
        // and nearly equal ones
        near = sinew_vec3_normalize_or(sinew_vec3_add_scaled(a, across, off), a);
        check_between(a, near, 4e-15);
    }
}

/// Interpolation keeps the ends, goes at constant speed along the shorter arc, and does not mind the
/// sign of either quaternion.
static void test_slerp(void **state)
{
    (void)state;
    for (int i = 0; i < 100000; ++i) {
        test_Random random = test_case(2013, i);
        sinew_Quat a = test_unit_quat(&random), b = test_unit_quat(&random);
        if (i % 4 == 0) { // close together
            sinew_Vec3 small = test_vector(&random, exp(test_range(&random, -40.0, -5.0)));
            b = sinew_quat_mul(a, sinew_quat_exp(small));
        }
        double whole = sinew_quat_angle(a, b), t = test_uniform(&random);
        sinew_Quat q = sinew_quat_slerp(a, b, t);
        TEST_NEAR(quat_length(q), 1.0, 1e-15);
        TEST_QUAT_NEAR(sinew_quat_slerp(a, b, 0.0), a, 1e-15);
        TEST_QUAT_NEAR(sinew_quat_slerp(a, b, 1.0), b, 2e-15);
        TEST_NEAR(sinew_quat_angle(a, q), t * whole, 4e-15);
        TEST_NEAR(sinew_quat_angle(q, b), (1.0 - t) * whole, 4e-15);
        // at a half turn apart either way is the shorter
        sinew_Quat opposite = { -b.x, -b.y, -b.z, -b.w };
        if (whole < pi - 1e-6) { TEST_QUAT_NEAR(sinew_quat_slerp(a, opposite, t), q, 1e-14); }
        TEST_TRUE(whole >= 0.0 && whole <= pi);
        TEST_NEAR(sinew_quat_angle(a, opposite), whole, 1e-15);
    }
}

/// A matrix gives back its quaternion, whichever component is the largest, and at half turns, where
/// the others are zero.
static void test_from_mat3(void **state)
{
    (void)state;
    int branches[4] = { 0, 0, 0, 0 };
    double worst = 0.0;
    for (int i = 0; i < 200000; ++i) {
        test_Random random = test_case(2014, i);
        sinew_Quat q = test_unit_quat(&random);
        double c[4] = { q.x, q.y, q.z, q.w };
        // a half turn, a turn close to none, two components of one size, components of zero
        if (i % 5 == 1) { c[3] = 0.0; }
        if (i % 5 == 2) { c[test_int(&random, 4)] = 50.0; }
        if (i % 5 == 3) { c[test_int(&random, 4)] = c[test_int(&random, 4)]; }
        if (i % 5 == 4) { c[test_int(&random, 4)] = 0.0, c[test_int(&random, 4)] = 0.0; }
        sinew_Quat raw = { c[0], c[1], c[2], c[3] };
        q = sinew_quat_normalize(raw);
        double d[4] = { fabs(q.x), fabs(q.y), fabs(q.z), fabs(q.w) };
        int largest = 0;
        for (int k = 1; k < 4; ++k) { largest = d[k] > d[largest] ? k : largest; }
        ++branches[largest];

        sinew_Quat back = sinew_quat_from_mat3(sinew_mat3_from_quat(q));
        TEST_NEAR(quat_length(back), 1.0, 1e-15);
        worst = fmax(worst, 1.0 - fabs(sinew_quat_dot(back, q)));
        TEST_QUAT_NEAR(back, q, 1e-15);
    }
    for (int k = 0; k < 4; ++k) { TEST_TRUE(branches[k] > 20000); }
    static const sinew_Quat exact[4] = { { 1.0, 0.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0, 0.0 },
        { 0.0, 0.0, 1.0, 0.0 }, { 0.0, 0.0, 0.0, 1.0 } };
    for (int k = 0; k < 4; ++k) {
        sinew_Quat back = sinew_quat_from_mat3(sinew_mat3_from_quat(exact[k]));
        TEST_QUAT_NEAR(back, exact[k], 0.0);
    }
    print_message("    components largest: x %d, y %d, z %d, w %d; 1 - cosine at most %.3g\n",
        branches[0], branches[1], branches[2], branches[3], worst);
}

/// Turning a vector by a quaternion, by its matrix and by the product q v q* are the same; products
/// of quaternions are products of matrices.
static void test_rotations_agree(void **state)
{
    (void)state;
    for (int i = 0; i < 100000; ++i) {
        test_Random random = test_case(2015, i);
        sinew_Quat a = test_unit_quat(&random), b = test_unit_quat(&random);
        sinew_Vec3 v = test_vector(&random, 2.0);
        sinew_Vec3 turned = sinew_quat_rotate(a, v);
        sinew_Quat pure = { v.x, v.y, v.z, 0.0 };
        sinew_Quat product = sinew_quat_mul(sinew_quat_mul(a, pure), sinew_quat_conjugate(a));
        TEST_VEC3_NEAR(turned, sinew_vec3(product.x, product.y, product.z), 4e-15);
        TEST_VEC3_NEAR(turned, sinew_mat3_mul_vec3(sinew_mat3_from_quat(a), v), 4e-15);
        sinew_Mat3 both = sinew_mat3_mul(sinew_mat3_from_quat(a), sinew_mat3_from_quat(b));
        sinew_Mat3 one = sinew_mat3_from_quat(sinew_quat_mul(a, b));
        TEST_VEC3_NEAR(both.x, one.x, 2e-15);
        TEST_VEC3_NEAR(both.y, one.y, 2e-15);
        TEST_VEC3_NEAR(both.z, one.z, 2e-15);
        sinew_Transform t = test_transform(&random, 2.0);
        sinew_Transform none = sinew_transform_mul(t, sinew_transform_inverse(t));
        TEST_VEC3_NEAR(none.position, sinew_vec3(0.0, 0.0, 0.0), 1e-14);
        TEST_QUAT_NEAR(none.rotation, sinew_quat_identity(), 2e-15);
    }
}

TEST_MAIN(cmocka_unit_test(test_sincos_within_bound), cmocka_unit_test(test_sincos_small_values),
    cmocka_unit_test(test_sincos_is_odd_and_even),
    cmocka_unit_test(test_sincos_huge_and_not_finite), cmocka_unit_test(test_atan2_within_bound),
    cmocka_unit_test(test_atan2_special_values), cmocka_unit_test(test_acos_asin_within_bound),
    cmocka_unit_test(test_exp_and_log), cmocka_unit_test(test_between_lim12),
    cmocka_unit_test(test_slerp), cmocka_unit_test(test_from_mat3),
    cmocka_unit_test(test_rotations_agree))
