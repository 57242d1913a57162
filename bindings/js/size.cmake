# A page loads what it runs, so most of it is compiled to be small. Loops that a frame of solving or walking
# spends its time in are compiled to be fast; measured by tests/golden/workloads.h, which must stay within
# 1.4 times the native time (geometric mean). check_wasm.sh holds the sizes, compressed by gzip -9.

# what a frame spends its time in
set(fastest "src/walk/(walker_legs|foothold|legs_carry|foot_move|leg_path)")
# what runs once, at creation, or on demand
set(smallest
    "src/base/" "src/file/" "shape/" "scenes/" "bindings/js/glue/"
    "src/body/(r|st|human|skeleton|space|matrix|pose_fit|ball_limit_(build|outline|star|shape))"
    "src/solve/(diagnosis|start|answers|job|goal|literal|numeric|options|ccd|selectively|transpose|pseudo)"
    "src/solve/(jacobian|priority|constraint|support|swivel|soft_reach|reach|two_bone|solver|parts|restart|escape)"
    "src/solve/(tree|search|shares|ball_|arcs|closed_parallel|branch_limbs|goal_check|loop)"
    "src/motion/(keys|retarget|ground|contact|limb_match|switch|terrain|steering|individual|bone_sweep|measure)"
    "src/motion/track_(start|branch)"
    "src/walk/(paper|walk_half|walk_tips|walker_body|stance|joint_|leg_shape|leg_range|foot_fit|stair|core|gait_curves)")
# what a frame runs a little of
set(small "src/solve/(state|run|turn|promise)" "src/body/(ball_limit|mass)" "src/motion/" "src/walk/")

# sinew_compile_small(target source...)
function(sinew_compile_small target)
    foreach(source ${ARGN})
        file(RELATIVE_PATH place ${PROJECT_SOURCE_DIR} ${source})
        foreach(kind fastest smallest small)
            list(JOIN ${kind} "|" pattern)
            if(place MATCHES "^(${pattern})")
                set(option -Os)
                if(kind STREQUAL "fastest")
                    set(option -O2)
                elseif(kind STREQUAL "smallest")
                    set(option -Oz)
                endif()
                set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES
                    COMPILE_OPTIONS ${option})
                break()
            endif()
        endforeach()
    endforeach()
endfunction()
