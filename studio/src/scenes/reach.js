// An arm reaches for what is dragged about, inside the limits that an animator drew. Blow (2002), figures 1 and 2.
import { register } from './scene.js'
import { Sketch } from './sketch.js'
import { describe, jointsOf, methodText, place, rotation, setSolver, solverControls, transforms } from './common.js'
import { Figure } from '../stage/figure.js'
import { Curve, Fan, Path, ball } from '../stage/marks.js'
import { letteredCube, mug, post, table } from '../stage/props.js'
import { add, aboutAxis, conjugate, cross, distance, dot, fromColumns, multiply, scale, sub, turn, unit } from '../math3.js'

// swing by azimuth at equal steps, degrees, as docs/scenes.md has LIMITARM; bone and azimuth 0 in the joint's frame
const balls = {
    Shoulder: { key: 'shoulder', bone: [0, -1, 0], zero: [1, 0, 0], swings: '175,175,172,170,130,75,45,30,40,60,80,130', twist: [-95, 70], radius: 0.17 },
    Wrist: { key: 'wrist', bone: [0, -1, 0], zero: [0, 0, 1], swings: '21,40,78,55,33,48,72,38', twist: [-82, 78], radius: 0.075 },
}
for (const ball of Object.values(balls)) ball.frame = fromColumns(ball.bone, ball.zero, cross(ball.bone, ball.zero))

const arms = {
    windows: { scene: 'LIMITARM', tip: 'Grip', ring: ['Shoulder', 'Elbow', 'Wrist'] },
    hinges: { scene: 'ARM', tip: 'Grip', ring: ['Shoulder', 'Elbow', 'Wrist'] },
    spine: { scene: 'SPINEARM', tip: 'Grip', ring: ['Shoulder', 'Elbow', 'Wrist'] },
    leg: { scene: 'LEG', tip: 'Heel', ring: ['Hip', 'Knee', 'Ankle'] },
    chain: { scene: 'CHAIN30', tip: null },
}
const degree = Math.PI / 180
const isSwings = (text) => /^\d+(\.\d+)?(,\d+(\.\d+)?){2,63}$/.test(text) && text.split(',').every((swing) => swing > 0 && swing < 180)

/** The limits as the text of a rig file: what is saved, and what the skeleton is made of. */
function rigText(values, starts) {
    const joints = {}
    for (const [name, { key, frame, twist }] of Object.entries(balls)) {
        const swings = values[key].split(',').map(Number)
        joints[name] = {
            kind: 'ball', neutral: frame, bone: frame, star_center: [0, 0], twist: [values[`${key}Low`] ?? twist[0], values[`${key}High`] ?? twist[1]],
            windows: [{ polar: swings.map((swing, i) => [(360 * i) / swings.length, swing]) }],
        }
    }
    const poses = Object.fromEntries(starts.map((start, i) => [`start ${i + 1}`, start]))
    return JSON.stringify({ sinew_rig: 1, unit: 1, joints, ...(starts.length ? { poses } : {}) }, null, 1)
}

/** The body with what a rig says of it. */
function withRig(Rig, skeleton, text, name = 'rig') {
    const rig = Rig.read(text, name, skeleton)
    try {
        return rig.apply(skeleton)
    } finally {
        rig.dispose()
    }
}

class Reach {
    constructor(sinew, values, files) {
        Object.assign(this, { sinew, values })
        this.arm = arms[values.arm]
        this.framingKey = values.arm
        this.starts = []
        this.scene = new sinew.Scene(this.arm.scene)
        this.plain = this.scene.skeleton
        const dropped = files.find(({ name }) => /\.json$/i.test(name))
        if (dropped) this.read(dropped)
        this.time = 0
        this.figures = { error: 0, iterations: 0 }
        this.build()
        const tip = place(this.pose, this.tip), chain = this.arm.tip ? unit([0.15, -0.55, 0.8]) : [0.6, 0.5, 0.2]
        const shoulder = place(this.pose, this.ringJoints?.[0] ?? 0)
        this.middle = values.arm === 'leg' ? add(tip, [0.02, 0.22, 0.16]) : this.arm.tip ? add(shoulder, scale(chain, 0.44)) : [0.12, 0.17, 0.05]
        this.size = values.arm === 'leg' ? 0.14 : this.arm.tip ? 0.17 : 0.07
        this.target = { id: 'target', label: values.thing === 'mug' ? 'mug' : 'cube', position: [...this.middle], rotation: [0, 0, 0, 1], easy: true }
        this.isMoving = values.path
        this.handles = [this.target]
        this.corners()
    }

    build() {
        const before = this.pose
        const { Pose, Rig, Solver } = this.sinew
        const skeleton = this.values.arm === 'windows' ? withRig(Rig, this.plain, rigText(this.values, [])) : this.plain
        const pose = new Pose(skeleton)
        if (before) pose.q.set(before.q)
        this.release()
        Object.assign(this, { skeleton, pose })
        this.names = jointsOf(skeleton).map(({ name }) => name)
        this.tip = this.arm.tip ? skeleton.find(this.arm.tip) : this.names.length - 1
        this.ringJoints = this.arm.ring?.map((name) => skeleton.find(name))
        this.solver = new Solver(skeleton, { max_goals: 1 })
        setSolver(this.solver, this.values)
        this.goal = this.values.ask === 'pose' ? this.solver.pose(this.tip) : this.solver.position(this.tip)
        this.useStarts()
        pose.forward()
    }

    release() {
        this.solver?.dispose()
        this.table?.dispose()
        this.pose?.dispose()
        if (this.skeleton !== this.plain) this.skeleton?.dispose()
        this.table = this.solver = this.pose = null
    }

    read({ name, bytes }) {
        const text = new TextDecoder().decode(bytes), { Pose, Rig } = this.sinew
        const rig = Rig.read(bytes, name, this.plain), pose = new Pose(this.plain)
        try {
            rig.apply(this.plain).dispose()
            this.starts = rig.poses.map((each) => {
                rig.getPose(each, pose)
                return Float64Array.from(pose.q)
            })
        } finally {
            rig.dispose()
            pose.dispose()
        }
        const said = JSON.parse(text).joints ?? {}
        for (const [joint, { key }] of Object.entries(balls)) {
            if (said[joint]?.windows?.[0]?.polar) this.values[key] = said[joint].windows[0].polar.map(([, swing]) => swing).join()
            if (said[joint]?.twist) [this.values[`${key}Low`], this.values[`${key}High`]] = said[joint].twist
        }
    }

    /** Corners of the windows, to be taken hold of. */
    corners() {
        this.handles.length = 1
        if (this.values.arm !== 'windows' || !this.values.edit) return
        for (const [joint, ball] of Object.entries(balls)) {
            const swings = this.values[ball.key].split(',').map(Number), index = this.skeleton.find(joint)
            swings.forEach((swing, i) => {
                const handle = {
                    id: `${joint}:${i}`, label: `${joint} window, ${Math.round(swing)}°`, small: true, joint, index: i,
                    position: add(place(this.pose, index), scale(this.rayWorld(joint, (360 * i) / swings.length, swing), ball.radius)),
                }
                handle.along = (at) => at
                this.handles.push(handle)
            })
        }
    }

    socket(joint) {
        const index = this.skeleton.find(joint), parent = jointsOf(this.skeleton)[index].parent
        return parent < 0 ? [0, 0, 0, 1] : rotation(this.pose, parent)
    }

    rayWorld(joint, azimuth, swing) {
        const a = azimuth * degree, s = swing * degree
        return turn(multiply(this.socket(joint), balls[joint].frame), [Math.cos(s), Math.sin(s) * Math.cos(a), Math.sin(s) * Math.sin(a)])
    }

    /** Swing, azimuth and twist of a ball as it stands, degrees. */
    stand(joint) {
        const { frame } = balls[joint], index = this.skeleton.find(joint)
        const local = multiply(conjugate(this.socket(joint)), rotation(this.pose, index))
        const q = multiply(multiply(conjugate(frame), local), frame)
        const [x, y, z] = turn(q, [1, 0, 0])
        const twist = (2 * Math.atan2(q[0], q[3])) / degree
        return { azimuth: Math.atan2(z, y) / degree, swing: Math.acos(Math.max(-1, Math.min(1, x))) / degree, twist: ((twist + 540) % 360) - 180 }
    }

    tick(dt) {
        this.time += dt
        const { target } = this
        if (this.isMoving) {
            const t = this.time
            target.position = add(this.middle, [this.size * 1.25 * Math.sin(1.1 * t), this.size * 0.9 * Math.sin(1.7 * t + 0.6), this.size * 0.7 * Math.sin(0.9 * t + 1.9)])
            if (this.values.ask === 'pose') target.rotation = multiply(aboutAxis([0, 1, 0], 0.5 * Math.sin(0.8 * t)), aboutAxis([1, 0, 0], 0.4 * Math.sin(1.3 * t)))
        }
        this.solve()
    }

    solve() {
        const { target, pose } = this
        this.goal.set(...target.position)
        if (this.values.ask === 'pose') this.goal.orientation.set(...multiply(target.rotation, this.grip))
        const report = this.solver.solve(pose)
        pose.forward()
        this.report = { outcome: report.outcome, iterations: report.iterations, error: report.position_error, turnError: report.orientation_error, found: report.found_by, restarts: report.restarts, outside: report.limit_violation }
        this.figures = { error: report.position_error, iterations: report.iterations }
        target.unmet = report.outcome !== 'converged'
        target.error = report.position_error
        if (this.values.edit) this.corners()
    }

    /** Rotation of the hand against the thing it holds. */
    get grip() { return this.values.thing === 'mug' ? aboutAxis([1, 0, 0], -Math.PI / 2) : [0, 0, 0, 1] }

    drag(id, at) {
        if (id === 'target') {
            this.isMoving = false
            this.target.position = at
            return
        }
        const handle = this.handles.find((each) => each.id === id)
        if (!handle) return
        const { key, frame } = balls[handle.joint], index = this.skeleton.find(handle.joint)
        const way = turn(conjugate(multiply(this.socket(handle.joint), frame)), unit(sub(at, place(this.pose, index))))
        this.setSwing(handle.joint, handle.index, Math.acos(Math.max(-1, Math.min(1, way[0]))) / degree)
    }

    setSwing(joint, index, swing) {
        const { key } = balls[joint], before = this.values[key], swings = before.split(',')
        swings[index] = String(Math.round(Math.min(178, Math.max(4, swing)) * 10) / 10)
        this.values[key] = swings.join()
        try {
            this.build()
        } catch {
            // a loop that is not seen whole from its middle is no window: the corner stays where it was
            this.values[key] = before
            this.build()
        }
        this.corners()
    }

    turn(id, q) {
        if (id !== 'target') return
        this.isMoving = false
        const size = Math.hypot(...q)
        this.target.rotation = q.map((value) => value / size)
    }

    set(key, value, values) {
        this.values = values
        if (key === 'path') {
            this.isMoving = value
            return true
        }
        if (key === 'edit') {
            this.corners()
            return true
        }
        if (key === 'arm' || key === 'thing') return false
        this.build()
        return true
    }

    act(name) {
        if (name === 'capture') {
            this.starts.push(Float64Array.from(this.pose.q))
            this.useStarts()
        }
    }

    /** The pose as a rig file has it: degrees of hinges, quaternions of balls. */
    poseText(q) {
        const { axes, joints, names } = this.skeleton, text = {}
        let axis = 0
        joints.forEach(({ axis_count, coordinate_start }, i) => {
            const values = []
            for (let at = coordinate_start, end = axis + axis_count; axis < end; axis++) {
                const { kind } = axes[axis]
                if (kind === 'ball') values.push(...q.subarray(at, at += 4))
                else values.push(q[at++] / (kind === 'hinge' ? degree : 1))
            }
            if (values.length) text[names[i]] = values
        })
        return text
    }

    useStarts() {
        const { Pose, StartTable } = this.sinew, pose = new Pose(this.skeleton)
        this.solver.setStarts(null)
        this.table?.dispose()
        this.table = null
        for (const q of this.starts) {
            pose.q.set(q)
            const longer = StartTable.add(this.table, this.solver, pose)
            this.table?.dispose()
            this.table = longer
        }
        pose.dispose()
        this.solver.setStarts(this.table)
    }

    why() { return this.solver.why(this.pose)[0] }
    outcome() { return this.report ? describe(this.target.label, this.report) : '' }
    state() { return [this.pose.q, this.target.position, this.target.rotation] }

    get asks() {
        return { save: (app) => app.save('arm.rig.json', new TextEncoder().encode(rigText(this.values, this.starts.map((q) => this.poseText(q)))), 'application/json'), load: (app) => app.chooseFiles('.json') }
    }

    dispose() {
        this.release()
        this.scene.dispose()
    }
}

register({
    name: 'reach',
    title: 'Reach',
    hint: { title: 'Drag the cube', text: 'The arm follows as far as its limits allow, and says which one stops it.' },
    caption: 'Blow (2002), figures 1 and 2: a three-segment arm with reach windows and twist ranges. Stripes show the twist of each bone.',
    about: 'Show the corners to edit a window here or in the sketch. A captured start is tried first for targets near it, with “from” set to the table.',
    takesFiles: true,
    mergeFiles: (old, dropped) => dropped,
    controls: [
        { key: 'arm', group: 'Arm', label: 'Body', kind: 'choice', initial: 'windows', choices: [['windows', 'arm, windows'], ['hinges', 'arm, hinges'], ['spine', 'spine and arm'], ['leg', 'leg'], ['chain', 'chain of 30']] },
        { key: 'thing', group: 'Arm', label: 'Reach for', kind: 'choice', initial: 'cube', choices: [['cube', 'cube'], ['mug', 'mug']] },
        { key: 'ask', group: 'Arm', label: 'Jacobian', kind: 'choice', initial: 'position', choices: [['position', 'half: place'], ['pose', 'full: and turn']], help: 'Three rows for the place, or six for place and orientation' },
        { key: 'path', group: 'Arm', label: 'Target moves', kind: 'toggle', initial: true },
        ...solverControls(),
        { key: 'show', group: 'Limits', label: 'Show windows', kind: 'toggle', initial: true, look: true, show: (v) => v.arm === 'windows' },
        { key: 'edit', group: 'Limits', label: 'Show corners', kind: 'toggle', initial: false, show: (v) => v.arm === 'windows' },
        { key: 'ring', group: 'Limits', label: 'Ring of elbow or knee', kind: 'toggle', initial: false, look: true, show: (v) => v.arm !== 'chain' },
        { key: 'capture', group: 'Limits', label: 'Capture start', kind: 'action', help: 'Keep this pose as a start for targets near this one' },
        { key: 'save', group: 'Limits', label: 'Save rig', kind: 'action', show: (v) => v.arm === 'windows' },
        { key: 'load', group: 'Limits', label: 'Load rig', kind: 'action', show: (v) => v.arm === 'windows' },
        ...Object.values(balls).map(({ key, swings }) => ({ key, group: 'Limits', label: key, kind: 'text', hidden: true, initial: swings, free: isSwings })),
        {
            key: 'facts', group: 'Reading', kind: 'facts', facts: ({ report, starts }) => !report ? [] : [
                ['Outcome', report.outcome], ['Found by', report.found.replace('_', ' ')], ['Error', `${(report.error * 1e3).toFixed(3)} mm`],
                ['Beyond limits', report.outside.toExponential(0)], ['Starts kept', String(starts.length)]],
        },
    ],
    code: (v) => `
import { load, Pose, Scene, Solver } from 'sinew'

await load()
const body = new Scene('${arms[v.arm].scene}').skeleton
const solver = new Solver(body, { frame_time: 1 / 60 })
${methodText(v)}const grip = solver.${v.ask === 'pose' ? 'pose' : 'position'}(${arms[v.arm].tip ? `'${arms[v.arm].tip}'` : 'body.joint_count - 1'})
const pose = new Pose(body)

function frame() {
  grip.set(cube.x, cube.y, cube.z)
  const report = solver.solve(pose)
  if (report.outcome !== 'converged') console.log(solver.why(pose))
}`,
    model: (sinew, values, files) => new Reach(sinew, values, files),

    view(kit, model) {
        const { palette, group, stage, el } = kit, { values } = model
        const standing = values.arm !== 'chain'
        const joints = jointsOf(model.skeleton)
        const figure = new Figure(palette, joints, { striped: true, thickness: values.arm === 'chain' ? 0.5 : 0.3, tint: palette.left })
        const thing = values.thing === 'mug' ? mug(palette) : letteredCube(values.arm === 'chain' ? 0.03 : 0.085, palette)
        group.add(figure.group, thing)
        const path = new Path(palette.target, 200, { opacity: 0.5 })
        group.add(path.mesh)

        // a body behind the arm says what the arm belongs to
        let ghost = null
        if (values.arm === 'windows' || values.arm === 'hinges' || values.arm === 'spine' || values.arm === 'leg') {
            const scene = new model.sinew.Scene('MAN18'), body = scene.skeleton, pose = new model.sinew.Pose(body)
            const limb = values.arm === 'leg' ? /^Left(UpLeg|Leg|Foot|Toe|Heel)/ : values.arm === 'spine' ? /^Left(Arm|Fore|Hand)|^Spine|^Neck/ : /^Left(Arm|Fore|Hand)/
            const hips = values.arm === 'leg' ? [0.0025, 0.95, 0] : [0, 0.896, 0.015]
            pose.q.set(hips, 0)
            pose.forward()
            ghost = new Figure(palette, jointsOf(body), { tint: palette.clay, skip: (joint) => limb.test(joint.name) })
            ghost.update(transforms(pose))
            group.add(ghost.group)
            pose.dispose()
            scene.dispose()
        }
        if (!standing) group.add(post(palette, [0, 0.0001, 0]))
        if (values.thing === 'mug' && standing) {
            const desk = table(palette, model.middle[1] - 0.05, 0.26)
            desk.position.set(model.middle[0], 0, model.middle[2] + 0.12)
            group.add(desk)
        }

        const windows = Object.keys(balls).map((joint) => {
            const fan = new Fan(72, palette.window, { opacity: 0.14 }), loop = new Curve(72, palette.window, { closed: true })
            const arc = new Curve(40, palette.left), needle = new Curve(2, palette.left)
            group.add(fan.mesh, loop.mesh, arc.mesh, needle.mesh)
            return { joint, fan, loop, arc, needle }
        })
        const corners = Array.from({ length: 24 }, () => {
            const mark = ball(0.0095, palette.window)
            group.add(mark)
            return mark
        })
        const ring = new Curve(73, palette.held, { closed: true })
        group.add(ring.mesh)

        const sketches = values.arm === 'windows' ? Object.keys(balls).map((joint) => new Sketch(el, {
            title: joint,
            onMove: (index, swing) => {
                const count = model.values[balls[joint].key].split(',').length
                const at = add(place(model.pose, model.skeleton.find(joint)), model.rayWorld(joint, (360 * index) / count, swing))
                kit.app.drag({ id: `${joint}:${index}` }, at)
            },
        })) : []
        const inset = el('div', { className: 'inset sketches' }, sketches.map(({ element }) => element))
        if (sketches.length) kit.overlay.append(inset)
        if (standing) stage.setGround({ cell: 0.5, fade: [2, 7] })
        else stage.setGround({ cell: 0.1, fade: [0.5, 1.6] })

        const framings = {
            windows: { center: [0.3, 1.26, 0.16], radius: 0.64, azimuth: 34, height: 9 },
            spine: { center: [0.24, 1.26, 0.14], radius: 0.64, azimuth: 38, height: 9 },
            leg: { center: [0.1, 0.55, 0.1], radius: 0.66, azimuth: 48, height: 8 },
            chain: { center: [0.07, 0.15, 0.02], radius: 0.24, azimuth: 25, height: 16 },
        }
        return {
            framing: framings[values.arm] ?? framings.windows,
            tick() { path.add(model.target.position) },
            update(current) {
                model = current
                const { pose, target } = current
                figure.update(transforms(pose))
                thing.position.set(...target.position)
                thing.quaternion.set(...target.rotation)
                if (values.thing === 'mug') thing.position.y -= 0.05
                const isShown = current.values.arm === 'windows' && kit.app.values.show
                for (const { joint, fan, loop, arc, needle } of windows) {
                    fan.mesh.visible = loop.mesh.visible = arc.mesh.visible = needle.mesh.visible = isShown
                    if (!isShown) continue
                    const { key, radius, twist, frame } = balls[joint], index = current.skeleton.find(joint), center = place(pose, index)
                    const swings = current.values[key].split(',').map(Number)
                    // sides of windows are great circles: each is drawn in short pieces
                    const rays = []
                    swings.forEach((swing, i) => {
                        const a = current.rayWorld(joint, (360 * i) / swings.length, swing)
                        const b = current.rayWorld(joint, (360 * ((i + 1) % swings.length)) / swings.length, swings[(i + 1) % swings.length])
                        for (let k = 0; k < 5; k++) rays.push(add(center, scale(unit(add(scale(a, 1 - k / 5), scale(b, k / 5))), radius)))
                    })
                    fan.set(center, rays)
                    loop.set(rays)
                    // the twist's range, as an arc about the bone
                    const world = multiply(rotation(pose, index), frame), bone = turn(world, [1, 0, 0])
                    const stand = current.stand(joint), middle = add(center, scale(bone, radius * 0.62))
                    const spoke = (angle) => add(middle, scale(turn(multiply(world, aboutAxis([1, 0, 0], (angle - stand.twist) * degree)), [0, 1, 0]), radius * 0.3))
                    arc.set(Array.from({ length: 33 }, (_, i) => spoke(twist[0] + ((twist[1] - twist[0]) * i) / 32)))
                    needle.set([middle, spoke(stand.twist)])
                }
                const edited = current.handles.slice(1)
                corners.forEach((mark, i) => {
                    mark.visible = i < edited.length
                    if (mark.visible) mark.position.set(...edited[i].position)
                })
                sketches.forEach((sketch, i) => {
                    const joint = Object.keys(balls)[i], { key, twist } = balls[joint], swings = current.values[key].split(',').map(Number)
                    sketch.update(swings.map((swing, k) => [(360 * k) / swings.length, swing]), twist, current.stand(joint))
                })
                inset.hidden = !kit.app.values.show
                if (kit.app.values.ring && current.ringJoints) {
                    const [root, middle, tip] = current.ringJoints.map((joint) => place(pose, joint))
                    const axis = unit(sub(tip, root)), way = sub(middle, root), center = add(root, scale(axis, dot(way, axis)))
                    const out = sub(middle, center), side = cross(axis, out)
                    ring.set(Array.from({ length: 72 }, (_, i) => add(center, add(scale(out, Math.cos(i * 5 * degree)), scale(side, Math.sin(i * 5 * degree))))))
                } else {
                    ring.set([])
                }
            },
            dispose() { inset.remove() },
        }
    },
})
