// Recorded sticks: read, written, replayed; keyboards and axes; files that are wrong.

#include "testing.h"

#include "sinew/steering_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sinew_StickRecording *read_text(const char *text)
{
    sinew_StickRecording *recording;
    sinew_Message message;
    TEST_OK(
        sinew_stick_read_memory(text, strlen(text), "input", NULL, &recording, &message), &message);
    return recording;
}

static void test_lines_are_held_until_the_next(void **state)
{
    (void)state;
    const char *texts[] = { "0.5,0,1\n2,-0.25,0.5\n4,1,0,1\n",
        "\xef\xbb\xbf"
        "Seconds, X, Y, Strafe\r\n# a turn\r\n0.5, 0, 1, 0\r\n\r\n2, -0.25, 0.5, 0\r\n"
        "4, 1, 0, 1",
        "seconds x y\n0.5 0 1\n2 -.25 5e-1\n4 1 0 1\n" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        sinew_StickRecording *recording = read_text(texts[i]);
        int count;
        const sinew_StickKey *keys = sinew_stick_keys(recording, &count);
        TEST_INT(count, 3);
        TEST_TRUE(keys[0].time == 0.5 && keys[1].time == 2.0 && keys[2].time == 4.0);
        TEST_TRUE(sinew_stick_at(recording, 0.49).y == 0.0);
        TEST_TRUE(sinew_stick_at(recording, 0.5).y == 1.0);
        TEST_TRUE(sinew_stick_at(recording, 1.99).x == 0.0);
        TEST_TRUE(sinew_stick_at(recording, 2.0).x == -0.25);
        TEST_TRUE(sinew_stick_at(recording, 2.0).y == 0.5);
        TEST_TRUE(!sinew_stick_at(recording, 3.9).strafe);
        TEST_TRUE(sinew_stick_at(recording, 1e9).strafe);
        TEST_TRUE(sinew_stick_at(recording, 1e9).x == 1.0);
        sinew_stick_destroy(recording);
    }
}

// CTRL-1: what was recorded comes back bit for bit, at any rate that it is asked at
static void test_recorded_input_replays_ctrl1(void **state)
{
    (void)state;
    test_Random random = test_random(831);
    sinew_StickKey keys[400];
    double time = 0.0;
    for (int i = 0; i < 400; ++i) {
        keys[i].time = time;
        keys[i].stick.x = test_range(&random, -1.0, 1.0);
        keys[i].stick.y = test_range(&random, -1.0, 1.0);
        keys[i].stick.strafe = test_int(&random, 4) == 0;
        keys[i].jump = test_int(&random, 4) == 0 ? test_range(&random, 0.05, 1.0) : 0.0;
        keys[i].crouch = test_range(&random, 0.0, 1.0);
        keys[i].carry = test_range(&random, 0.0, 1.0);
        // now and then two at one moment
        time += test_int(&random, 5) == 0 ? 0.0 : test_range(&random, 0.0, 0.3);
    }
    const char *path = test_temp_path("input.csv");
    sinew_Message message;
    TEST_OK(sinew_stick_write(path, keys, 400, &message), &message);
    sinew_StickRecording *recording;
    TEST_OK(sinew_stick_read(path, NULL, &recording, &message), &message);
    int count;
    const sinew_StickKey *back = sinew_stick_keys(recording, &count);
    TEST_INT(count, 400);
    for (int i = 0; i < count; ++i) {
        TEST_TRUE(back[i].time == keys[i].time && back[i].stick.x == keys[i].stick.x);
        TEST_TRUE(
            back[i].stick.y == keys[i].stick.y && back[i].stick.strafe == keys[i].stick.strafe);
        TEST_TRUE(back[i].jump == keys[i].jump && back[i].crouch == keys[i].crouch);
        TEST_TRUE(back[i].carry == keys[i].carry);
    }

    // the steering of a replay is that of the keys themselves, at each moment
    sinew_SteeringKey steering[400];
    for (int i = 0; i < 400; ++i) {
        steering[i].time = keys[i].time;
        steering[i].steering = sinew_steering_from_stick(NULL, &keys[i].stick);
    }
    for (int i = 0; i < 3000; ++i) {
        double at = test_range(&random, -1.0, time + 1.0);
        sinew_Stick stick = sinew_stick_at(recording, at);
        sinew_Steering replayed = sinew_steering_from_stick(NULL, &stick);
        sinew_Steering expected = sinew_steering_at(steering, 400, at);
        TEST_TRUE(replayed.forward == expected.forward && replayed.left == expected.left
            && replayed.turn == expected.turn);
    }
    sinew_stick_destroy(recording);
}

// a jump is one moment's, a crouch is held
static void test_jumps_are_told_once(void **state)
{
    (void)state;
    sinew_StickRecording *recording = read_text(
        "seconds,x,y,strafe,jump,crouch,carry\n0,0,1\n1,0,1,0,0.3,0.5\n1,0,1,0,0,0.5,1\n2,0,0\n");
    TEST_TRUE(sinew_stick_jump_between(recording, 0.0, 1.0) == 0.0);
    TEST_TRUE(sinew_stick_jump_between(recording, 0.9, 1.01) == 0.3);
    TEST_TRUE(sinew_stick_jump_between(recording, 1.0, 1.01) == 0.3);
    TEST_TRUE(sinew_stick_jump_between(recording, 1.01, 9.0) == 0.0);
    TEST_TRUE(sinew_stick_key_at(recording, 0.5).crouch == 0.0);
    TEST_TRUE(sinew_stick_key_at(recording, 1.5).crouch == 0.5);
    TEST_TRUE(sinew_stick_key_at(recording, 1.5).carry == 1.0);
    TEST_TRUE(sinew_stick_key_at(recording, 2.5).crouch == 0.0);
    TEST_TRUE(sinew_stick_key_at(NULL, 2.5).carry == 0.0);
    TEST_TRUE(sinew_stick_jump_between(NULL, 0.0, 9.0) == 0.0);
    sinew_stick_destroy(recording);
}

// CTRL-1: arrow keys and an axis at +-1 steer alike, bit for bit
static void test_keyboard_and_axis_agree_ctrl1(void **state)
{
    (void)state;
    for (int keys = 0; keys < 32; ++keys) {
        bool up = keys & 1, down = keys & 2, left = keys & 4, right = keys & 8, strafe = keys & 16;
        sinew_Stick pressed = sinew_stick_from_keys(up, down, left, right, strafe);
        char line[64];
        snprintf(line, sizeof line, "0,%d,%d,%d\n", right - left, up - down, strafe);
        sinew_StickRecording *recording = read_text(line);
        sinew_Stick axis = sinew_stick_at(recording, 0.0);
        sinew_Steering a = sinew_steering_from_stick(NULL, &pressed);
        sinew_Steering b = sinew_steering_from_stick(NULL, &axis);
        TEST_TRUE(a.forward == b.forward && a.left == b.left && a.turn == b.turn);
        // no sideways input: a straight walk
        if (left == right) { TEST_TRUE(a.turn == 0.0 && a.left == 0.0); }
        // left is anticlockwise
        if (left && !right && !strafe) { TEST_TRUE(a.turn > 0.0); }
        if (up && !down) { TEST_TRUE(a.forward > 0.0); }
        sinew_stick_destroy(recording);
    }
}

// what is no number is handed on to the walker, who refuses it, and is not taken for a stick at rest
static void test_broken_sticks_steer_nothing(void **state)
{
    (void)state;
    const double wrong[] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
    for (int i = 0; i < 3; ++i) {
        sinew_Stick ahead = { 0.0, wrong[i], false }, aside = { wrong[i], 1.0, false };
        TEST_TRUE(!isfinite(sinew_steering_from_stick(NULL, &ahead).forward));
        sinew_Steering turned = sinew_steering_from_stick(NULL, &aside);
        TEST_TRUE(turned.forward > 0.0 && !isfinite(turned.turn));
        aside.strafe = true;
        TEST_TRUE(!isfinite(sinew_steering_from_stick(NULL, &aside).left));

        sinew_StickRange range = sinew_stick_range_default();
        sinew_Stick rest = { 0.0, 0.0, false };
        range.dead_zone = wrong[i];
        TEST_TRUE(!isfinite(sinew_steering_from_stick(&range, &rest).forward));
        range = sinew_stick_range_default();
        range.forward = wrong[i];
        TEST_TRUE(!isfinite(sinew_steering_from_stick(&range, &rest).forward));
    }
}

static void test_broken_files_say_where(void **state)
{
    (void)state;
    const struct {
        const char *text, *message;
    } cases[] = {
        { "", "input:1:1: found the end of the file, expected seconds, x and y" },
        { "seconds,x,y\n", "found the end of the file, expected seconds, x and y" },
        { "0,0\n",
            "input:1:4: found the end of the line after 2 numbers, expected seconds, x and y" },
        { "0,0,1\n1,0,1,0,7\n", "input:2:9: found 7, expected the height of a jump" },
        { "1,0,1,0,0.3,0,1,4\n",
            "input:1:17: found one more number, expected the end of the line" },
        { "1,0,1,0,0,2\n", "input:1:11: found 2, expected a crouch of 0 to 1" },
        { "1,0,1,0,0,0,-1\n", "input:1:13: found -1, expected a load of 0 to 1" },
        { "0,0,1\n1,x,1\n", "input:2:3: found 'x', expected a number" },
        { "0,0,1\n1,,1\n", "input:2:3: found an empty cell, expected a number" },
        { "0,0,1.5\n", "input:1:5: found 1.5, expected a deflection of -1 to 1" },
        { "0,nan,1\n", "input:1:3: found 'nan', expected a finite number" },
        { "2,0,1\n1,0,1\n", "input:2:1: found 1, expected seconds not below 2" },
        { "-1,0,1\n", "input:1:1: found -1, expected seconds not below 0" },
        { "0,0,1,2\n", "input:1:7: found 2, expected 0 or 1 for strafe" },
        { "time,x,y\n0,0,1\n", "input:1:1: found 'time', expected the name 'seconds'" },
        { "seconds,x\n0,0,1\n", "found the end of the line, expected the name 'y'" },
        { "seconds,x,y,strafe,jump,crouch,carry,more\n0,0,1\n",
            "found 'more', expected the end of the line" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        sinew_Message message;
        sinew_StickRecording *recording;
        assert_int_equal(sinew_stick_read_memory(cases[i].text, strlen(cases[i].text), "input",
                             NULL, &recording, &message),
            SINEW_STATUS_BAD_FILE);
        assert_null(recording);
        if (!strstr(message.text, cases[i].message)) {
            print_message("'%s', want '%s'\n", message.text, cases[i].message);
        }
        assert_non_null(strstr(message.text, cases[i].message));
    }
}

static void test_broken_keys_are_not_written(void **state)
{
    (void)state;
    const char *path = test_temp_path("never.csv");
    sinew_Message message;
    const sinew_StickKey good = { 0.5, { 0.0, 0.0, false }, 0.0, 0.0, 0.0 };
    const sinew_StickKey wrong[7][2] = {
        { { 1.0, { 0.0, 0.0, false }, 0.0, 0.0, 0.0 }, good },
        { { 0.0, { 1.5, 0.0, false }, 0.0, 0.0, 0.0 }, good },
        { { 0.0, { 0.0, NAN, false }, 0.0, 0.0, 0.0 }, good },
        { { -1.0, { 0.0, 0.0, false }, 0.0, 0.0, 0.0 }, good },
        { { 0.0, { 0.0, 0.0, false }, 0.01, 0.0, 0.0 }, good },
        { { 0.0, { 0.0, 0.0, false }, 0.0, 1.5, 0.0 }, good },
        { { 0.0, { 0.0, 0.0, false }, 0.0, 0.0, NAN }, good },
    };
    for (int i = 0; i < 7; ++i) {
        assert_int_equal(
            sinew_stick_write(path, wrong[i], 2, &message), SINEW_STATUS_INVALID_ARGUMENT);
    }
    assert_int_equal(sinew_stick_write(path, wrong[0], 0, &message), SINEW_STATUS_INVALID_ARGUMENT);
    assert_null(fopen(path, "r"));
    assert_int_equal(
        sinew_stick_write("/no/such/folder/x.csv", &good, 1, &message), SINEW_STATUS_CANNOT_WRITE);
}

static void test_random_bytes_never_crash(void **state)
{
    (void)state;
    const char alphabet[] = "0123456789.,;-+eE \t\r\n#xyn{}";
    for (int i = 0; i < 20000; ++i) {
        test_Random random = test_case(832, i);
        char text[64];
        int size = test_int(&random, 64);
        for (int k = 0; k < size; ++k) {
            text[k] = test_int(&random, 50) == 0
                ? (char)test_int(&random, 256)
                : alphabet[test_int(&random, (int)sizeof alphabet - 1)];
        }
        sinew_StickRecording *recording;
        sinew_Status status = sinew_stick_read_memory(
            text, (size_t)size, "noise", NULL, &recording, NULL);
        TEST_TRUE((status == SINEW_STATUS_OK) == (recording != NULL));
        sinew_stick_destroy(recording);
    }
}

static void test_memory_is_given_back(void **state)
{
    (void)state;
    bool created = false;
    for (long fail_at = 1; !created; ++fail_at) {
        test_Memory memory;
        test_memory_init(&memory);
        memory.fail_at = fail_at;
        sinew_StickRecording *recording;
        sinew_Status status = sinew_stick_read_memory(
            "0,0,1\n1,0,1\n", 12, "m", &memory.allocator, &recording, NULL);
        created = status == SINEW_STATUS_OK;
        if (!created) { assert_int_equal(status, SINEW_STATUS_OUT_OF_MEMORY); }
        sinew_stick_destroy(recording);
        assert_true(memory.live_bytes == 0 && !memory.wrong_size);
    }
}

TEST_MAIN(cmocka_unit_test(test_lines_are_held_until_the_next),
    cmocka_unit_test(test_recorded_input_replays_ctrl1), cmocka_unit_test(test_jumps_are_told_once),
    cmocka_unit_test(test_keyboard_and_axis_agree_ctrl1),
    cmocka_unit_test(test_broken_sticks_steer_nothing),
    cmocka_unit_test(test_broken_files_say_where),
    cmocka_unit_test(test_broken_keys_are_not_written),
    cmocka_unit_test(test_random_bytes_never_crash), cmocka_unit_test(test_memory_is_given_back))
