# A page loads what it runs, so most of it is compiled to be small. Loops that a frame of solving or walking
# spends its time in are compiled to be fast; measured by tests/golden/workloads.h, which must stay within
# 1.4 times the native time (geometric mean). check_wasm.sh holds the sizes, compressed by gzip -9.

set(level_fastest -O3)
# two numbers side by side (SLP) take more bytes and save no time; nor does it help to forbid inlining: 2 % of the bytes, but 1.8
# times the time
set(level_small "-Os;-fno-slp-vectorize")
set(level_smallest "-Oz;-fno-slp-vectorize")

# what a frame spends its time in; everything else is at -O2
set(fastest "src/solve/(recursion|chain)")
# what runs once, at creation, or on demand
set(smallest
    "src/base/" "src/file/" "shape/" "scenes/" "bindings/js/glue/"
    "src/math/(svd|euler|eigen4|dense|exp|select|quat)" "src/solve/active_set" "src/body/ball_limit_hold"
    "src/body/(r|st|human|hips|skeleton|space|matrix|pose_fit|mass|swing_twist|ball_limit_(build|draft|outline|star|shape|response))"
    "src/solve/(diagnosis|start|answers|job|goal|literal|numeric|options|ccd|selectively|transpose|pseudo)"
    "src/solve/(jacobian|priority|constraint|support|swivel|soft_reach|reach|two_bone|solver|parts|restart|escape)"
    "src/solve/(tree|search|shares|ball_|arcs|closed_|branch|goal_check|loop|form|rows)"
    "src/solve/(plan|method_table|soft_distance|turn_bound|promise)"
    "src/motion/"
    "src/solve/task" "src/solve/asked" "src/body/pose[.]" "src/walk/")
# what a frame runs a little of; not linear.c: at -Os clang 14 writes the third number of a turned step before it is read for
# the other two (v128.load64_splat moved over a store), which the golden run shows
set(small
    "src/solve/(follow_pose|closed[.]|damped|measure|state|run|auto)" "src/motion/track_solve[.]"
    "src/walk/(walker_pose|core_project)")

# sinew_compile_small(target source...)
function(sinew_compile_small target)
    foreach(source ${ARGN})
        file(RELATIVE_PATH place ${PROJECT_SOURCE_DIR} ${source})
        unset(option)
        # the first list that has it decides
        foreach(kind fastest small smallest)
            foreach(pattern ${${kind}})
                if(NOT option AND place MATCHES "^${pattern}")
                    set(option ${level_${kind}})
                endif()
            endforeach()
        endforeach()
        if(option)
            set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES
                COMPILE_OPTIONS "${option}")
        endif()
    endforeach()
endfunction()
