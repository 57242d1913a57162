// `sinew solve --goals`: tables of problems in, tables of answers out.

#include "command.h"

#include "scenes/scenes.h"
#include "sinew/sinew.h"

#include <unistd.h>

enum { MAX_COLUMNS = 128, PROBLEMS = 200 };

/// A table that was written: names of columns, and the cells of one row at a time.
typedef struct Table {
    FILE *file;
    int column_count;
    char names[MAX_COLUMNS][64];
    char cells[MAX_COLUMNS][64];
} Table;

static int split_line(FILE *file, char (*cells)[64])
{
    char line[8192];
    int count = 0;
    if (fgets(line, sizeof line, file) == NULL) { return 0; }
    for (char *p = line; count < MAX_COLUMNS;) {
        size_t length = strcspn(p, ",\n");
        snprintf(cells[count++], 64, "%.*s", (int)length, p);
        if (p[length] != ',') { break; }
        p += length + 1;
    }
    return count;
}

static void open_table(Table *table, const char *path)
{
    table->file = fopen(path, "r");
    assert_non_null(table->file);
    table->column_count = split_line(table->file, table->names);
    TEST_TRUE(table->column_count > 6);
}

static const char *cell(const Table *table, const char *name)
{
    for (int c = 0; c < table->column_count; ++c) {
        if (strcmp(table->names[c], name) == 0) { return table->cells[c]; }
    }
    fail_msg("no column %s", name);
    return "";
}

/// Write random reachable goals for the effector of a scene and random starts; keeps the goals.
static void write_problems(const char *path, const scene_Scene *scene, uint64_t seed, bool turned,
    sinew_Transform *out_goals)
{
    const sinew_Skeleton *skeleton = scene->skeleton;
    int joint = scene->effectors[0].joint;
    const char *name = sinew_skeleton_joints(skeleton)[joint].name;
    double q[MAX_COLUMNS];
    sinew_Transform transforms[64];
    char coordinate[128];
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%s.x,%s.y,%s.z", name, name, name);
    if (turned) { fprintf(file, ",%s.qx,%s.qy,%s.qz,%s.qw", name, name, name, name); }
    for (int c = 0; c < sinew_skeleton_coordinate_count(skeleton); ++c) {
        sinew_skeleton_coordinate_name(skeleton, c, coordinate, sizeof coordinate);
        fprintf(file, ",start.%s", coordinate);
    }
    fputc('\n', file);
    scene_Random random = scene_random(seed);
    for (int i = 0; i < PROBLEMS; ++i) {
        scene_random_pose(scene, &random, q);
        sinew_pose_forward(skeleton, q, transforms);
        sinew_Transform goal = transforms[joint];
        out_goals[i] = goal;
        fprintf(file, "%.17g,%.17g,%.17g", goal.position.x, goal.position.y, goal.position.z);
        if (turned) {
            sinew_Quat r = goal.rotation;
            fprintf(file, ",%.17g,%.17g,%.17g,%.17g", r.x, r.y, r.z, r.w);
        }
        sinew_pose_middle(skeleton, q);
        for (int c = 0; c < sinew_skeleton_coordinate_count(skeleton); ++c) {
            fprintf(file, ",%.17g", q[c]);
        }
        fputc('\n', file);
    }
    assert_int_equal(fclose(file), 0);
}

/// Each answer's pose gives the errors that its row tells, and keeps the limits.
static void check_answers(const char *path, const scene_Scene *scene, const sinew_Transform *goals,
    bool turned, double least_met)
{
    const sinew_Skeleton *skeleton = scene->skeleton;
    int joint = scene->effectors[0].joint, met = 0, rows = 0;
    static Table table;
    double q[MAX_COLUMNS];
    sinew_Transform transforms[64];
    open_table(&table, path);
    while (split_line(table.file, table.cells) == table.column_count && rows < PROBLEMS) {
        for (int c = 0; c < sinew_skeleton_coordinate_count(skeleton); ++c) {
            char name[128], column[136];
            sinew_skeleton_coordinate_name(skeleton, c, name, sizeof name);
            snprintf(column, sizeof column, "q.%s", name);
            q[c] = strtod(cell(&table, column), NULL);
        }
        sinew_pose_forward(skeleton, q, transforms);
        double error = sinew_vec3_distance(transforms[joint].position, goals[rows].position);
        double angle = sinew_quat_angle(transforms[joint].rotation, goals[rows].rotation);
        TEST_NEAR(error, strtod(cell(&table, "position_error_m"), NULL), 1e-12);
        if (turned) { TEST_NEAR(angle, strtod(cell(&table, "orientation_error_rad"), NULL), 1e-7); }
        TEST_NEAR(sinew_pose_limit_violation(skeleton, q), 0.0, 0.0);
        TEST_TRUE(strtod(cell(&table, "limit_violation_rad"), NULL) <= 0.0);
        TEST_TRUE(strtod(cell(&table, "time_us"), NULL) > 0.0);
        bool converged = strcmp(cell(&table, "status"), "converged") == 0;
        TEST_TRUE(converged == (error <= 1e-3 && (!turned || angle <= 1e-2)));
        met += converged ? 1 : 0;
        rows += 1;
    }
    fclose(table.file);
    TEST_INT(rows, PROBLEMS);
    print_message("    %s: %d of %d met\n", scene->name, met, rows);
    TEST_TRUE(met >= least_met * rows);
}

static void solve_scene(const char *name, bool turned, double least_met)
{
    enum { SEED = 20240607 };
    static sinew_Transform goals[PROBLEMS];
    scene_Scene *scene;
    sinew_Message message;
    TEST_OK(scene_create(name, NULL, &scene, &message), &message);
    print_message("    seed %d\n", (int)SEED);
    const char *problems = test_temp_path("problems.csv"), *answers = test_temp_path("answers.csv");
    write_problems(problems, scene, SEED, turned, goals);
    const test_Run *run = run_sinew(
        "solve scene:%s --goals '%s' -o '%s' --json", name, problems, answers);
    if (run->code != 0) { fail_msg("code %d: %s", run->code, run->err); }
    TEST_TRUE(is_json_object(run->out));
    TEST_NEAR(json_number(run->out, "problems"), PROBLEMS, 0.0);
    check_answers(answers, scene, goals, turned, least_met);
    scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------

static void answers_are_what_they_say(void **state)
{
    (void)state;
    solve_scene("LEG", false, 0.9);
    solve_scene("ARM", true, 0.3);
    solve_scene("BODY11", false, 0.9);
}

static void answers_repeat_but_for_their_times(void **state)
{
    (void)state;
    static Table a, b;
    const char *problems = test_temp_path("few.csv");
    const char *first = test_temp_path("first.csv"), *second = test_temp_path("second.csv");
    write_text(problems, "Ankle.x,Ankle.y,Ankle.z,start.Knee\n0.1,0.3,0.2,0.5\n0.2,0.4,0.1,1\n");
    TEST_INT(run_sinew("solve scene:LEG --goals '%s' -o '%s'", problems, first)->code, 0);
    TEST_INT(run_sinew("solve scene:LEG --goals '%s' -o '%s'", problems, second)->code, 0);
    open_table(&a, first);
    open_table(&b, second);
    for (int row = 0; row < 2; ++row) {
        TEST_INT(split_line(a.file, a.cells), a.column_count);
        TEST_INT(split_line(b.file, b.cells), b.column_count);
        for (int c = 0; c < a.column_count; ++c) {
            if (strcmp(a.names[c], "time_us") == 0) { continue; }
            assert_string_equal(a.cells[c], b.cells[c]);
        }
    }
    fclose(a.file);
    fclose(b.file);
}

static void odd_tables_are_put_up_with(void **state)
{
    (void)state;
    const char *problems = test_temp_path("odd.csv");
    write_text(problems,
        "\xef\xbb\xbf\"Ankle.x\" , Ankle.y\t,Ankle.z,start.Knee\r\n\r\n# a remark\r\n"
        " 0.1 ,\"0.3\",+2e-1,0.5\r\n0.2,0.4,.1,1");
    const test_Run *run = run_sinew("solve scene:LEG --goals '%s' --json", problems);
    TEST_INT(run->code, 0);
    TEST_NEAR(json_number(run->out, "problems"), 2.0, 0.0);

    // a header alone has lost its rows
    write_text(problems, "Ankle.x,Ankle.y,Ankle.z\n");
    run = run_sinew("solve scene:LEG --goals '%s' --json", problems);
    TEST_INT(run->code, 1);
    TEST_TRUE(strstr(run->err, "found a header alone") != NULL);
}

static void wrong_tables_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *place, *message;
    } cases[] = {
        { "", ":1:1: ", "names of the columns" },
        { "Ankle.x,Ankle.y\n1,2\n", ":1:1: ", "no column Ankle.z" },
        { "Ankel.x,Ankel.y,Ankel.z\n1,2,3\n", ":1:1: ", "did you mean 'Ankle'" },
        { "Ankle.x;Ankle.y;Ankle.z\n1;2;3\n", ":1:8: ", "found a semicolon, expected a comma" },
        { "Ankle.x\tAnkle.y\tAnkle.z\n1\t2\t3\n", ":1:8: ", "found a tab, expected a comma" },
        { "Ankle.x,Ankle.y,Ankle.z,Ankle.qx\n1,2,3,4\n", ":1:1: ", "expected all or none" },
        { "Ankle.x,Ankle.y,Ankle.z,start.Kne\n1,2,3,4\n", ":1:25: ", "did you mean 'Knee'" },
        { "Ankle.x,Ankle.y,Ankle.z,start.Knee,start.Knee\n", ":1:36: ", "second column" },
        { "Ankle.x,Ankle.y,Ankle.z,Ankle.z\n1,2,3,4\n", ":1:25: ", "second column Ankle.z" },
        { "Ankle.x,Ankle.y,Ankle.z,speed\n1,2,3,4\n", ":1:25: ", "found column 'speed'" },
        { "start.Knee\n1\n", ":1:1: ", "no column of a goal" },
        { "Ankle.x,Ankle.y,Ankle.z\n1,2\n", ":2:3: ", "found 2 cells, expected 3" },
        { "Ankle.x,Ankle.y,Ankle.z\n\n1,2,3,4\n", ":3:7: ", "found '4'" },
        { "Ankle.x,Ankle.y,Ankle.z\n0.1,0.2,nan\n",
            ":2:9: ", "found 'nan', expected a number for Ankle.z" },
        { "Ankle.x,Ankle.y,Ankle.z\n0.1,0.2,0x1\n", ":2:9: ", "found '0x1'" },
        { "Ankle.x,Ankle.y,Ankle.z\n0.1,,1\n", ":2:5: ", "found ''" },
        { "Ankle.x,Ankle.y,Ankle.z\n0,0,0\n0.1,0.2,1e999\n", ":3:9: ", "found '1e999'" },
        { "Ankle.x,Ankle.y,Ankle.z\n0.1,0.2,1e99\n", ":2:1: ", "goal" },
        { "Ankle.x,Ankle.y,Ankle.z,Ankle.qx,Ankle.qy,Ankle.qz,Ankle.qw\n0,0,0,0,0,0,0\n",
            ":2:1: ", "quaternion" },
    };
    const char *problems = test_temp_path("wrong.csv"), *answers = test_temp_path("kept.csv");
    write_text(answers, "what was here before");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        write_text(problems, cases[i].text);
        const test_Run *run = run_sinew("solve scene:LEG --goals '%s' -o '%s'", problems, answers);
        const char *line_end = strchr(run->err, '\n');
        // from the second line on, a row spoils itself alone
        bool row = strncmp(cases[i].place, ":1:", 3) != 0;
        bool good = run->code == 1 && (run->out[0] == '\0') == !row
            && strstr(run->err, cases[i].place) != NULL
            && strstr(run->err, cases[i].message) != NULL && line_end != NULL
            && line_end[1] == '\0';
        if (!good) { fail_msg("case %d: code %d, \"%s\"", (int)i, run->code, run->err); }
        char kept[2048];
        read_text(answers, kept, sizeof kept);
        if (row) {
            assert_non_null(strstr(kept, "\nbad_row,"));
            write_text(answers, "what was here before");
        } else {
            assert_string_equal(kept, "what was here before");
        }
    }
    TEST_INT(run_sinew("solve scene:LEG --goals nowhere.csv")->code, 1);
    TEST_INT(run_sinew("solve scene:LEG --goals '%s' -o /nowhere/x.csv", problems)->code, 1);
}

/// The rows around a bad one are solved as without it, and answers stay in the order of their rows.
static void a_bad_row_spoils_itself_alone(void **state)
{
    (void)state;
    const char *problems = test_temp_path("rows.csv");
    write_text(problems, "Ankle.x,Ankle.y,Ankle.z\n0.1,0.2,0\n0.1,,0\n0.1,0.2,0\n");
    const test_Run *run = run_sinew("solve scene:LEG --goals '%s' --json", problems);
    TEST_INT(run->code, 1);
    assert_true(json_number(run->out, "problems") == 2.0);
    assert_true(json_number(run->out, "bad_rows") == 1.0);
    run = run_sinew("solve scene:LEG --goals - -o - <'%s'", problems);
    TEST_INT(run->code, 1);
    const char *lines[4] = { run->out };
    for (int i = 1; i < 4; ++i) {
        lines[i] = strchr(lines[i - 1], '\n');
        assert_non_null(lines[i]);
        lines[i] += 1;
    }
    TEST_INT(strncmp(lines[2], "bad_row,", 8), 0);
    TEST_INT(strncmp(lines[1], lines[3], strcspn(lines[1], ",")), 0);
}

TEST_MAIN(cmocka_unit_test(a_bad_row_spoils_itself_alone),
    cmocka_unit_test(answers_are_what_they_say),
    cmocka_unit_test(answers_repeat_but_for_their_times),
    cmocka_unit_test(odd_tables_are_put_up_with),
    cmocka_unit_test(wrong_tables_are_refused_with_their_place))
