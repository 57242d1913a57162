// The user's own files: seen, posed by their effectors, made to walk, and written back.
import { register } from './scene.js'
import { describe, isBeside, isMotion, jointsOf, place, readMotion, transforms } from './common.js'
import { Figure } from '../stage/figure.js'
import { MovingGround } from '../stage/ground.js'
import { groundCells } from './walk.js'
import { FileMesh, Skin } from '../stage/skin.js'
import { Path, Target } from '../stage/marks.js'
import { add, sub } from '../math3.js'

const isRig = ({ name }) => /\.json$/i.test(name)
const longest = 60 * 120 // frames of what is written back

class Open {
    constructor(sinew, values, files) {
        Object.assign(this, { sinew, values })
        const unknown = files.find((file) => !isMotion(file) && !isRig(file) && !isBeside(file))
        if (unknown) {
            const why = /\.(urdf|xacro)$/i.test(unknown.name) ? 'robots are read by the command and the C library, not in the browser' : 'found another ending'
            throw new Error(`${unknown.name}: ${why}, expected .bvh, .glb, .gltf or .rig.json`)
        }
        this.files = files
        const file = files.findLast((each) => isMotion(each) && !each.asMotion), rig = files.findLast(isRig)
        if (file) this.open(file, rig)
        else this.openOwn(rig)
        const other = files.findLast(({ asMotion }) => asMotion)
        if (other) this.retarget(other)
        const { Pose, Solver } = sinew
        this.framingKey = this.name
        this.pose = new Pose(this.skeleton)
        this.time = 0
        this.recorded = []
        this.figures = { error: 0, iterations: 0 }
        this.sampled = new Pose(this.skeleton)
        this.sample()
        this.floor = Math.min(...jointsOf(this.skeleton).map((_, i) => place(this.pose, i)[1]))
        this.size = Math.max(this.skeleton.size, 1e-3)
        const effectors = [...new Set(this.roles.effectors())].slice(0, 24)
        this.solver = new Solver(this.skeleton, { max_goals: 32, frame_time: 1 / 60 })
        this.solver.options.rest_weight = 1e-6
        this.handles = (effectors.length ? effectors : this.tips()).map((joint) => ({
            id: joint, joint, label: this.skeleton.names[joint], position: place(this.pose, joint), goal: this.solver.position(joint),
        }))
        // hips go along with the rest until they are taken hold of themselves
        this.hips = this.roles.find('hips')
        this.ground = values.terrain === 'flat' ? null : new sinew.Terrain(values.terrain)
        if (values.mode === 'play' && this.ground) this.layFeet()
        if (values.mode === 'walk') this.walk()
        if (values.mode === 'pose') this.hold()
    }

    open(file, rig) {
        const { Rig } = this.sinew, { name } = file
        this.name = name
        this.motion = readMotion(this.sinew, file, this.files)
        const said = rig && Rig.read(rig.bytes, rig.name, this.motion.skeleton)
        const made = this.motion.prepare(said ? { rig: said } : {})
        Object.assign(this, { roles: made.roles, stance: made.stance, rig: made.rig, skeleton: made.skeleton, said })
        this.clip = this.motion.clip
        this.duration = this.values.mode === 'play' && this.clip.frame_count > 1 ? Math.max(1, Math.round(this.clip.duration * 60)) : undefined
        this.facts = [['File', name], ['Format', this.motion.format], ['Joints', String(this.skeleton.joint_count)],
            ['Frames', this.clip.frame_count ? `${this.clip.frame_count} at ${Math.round(1 / this.clip.frame_time)}/s` : '0'],
            ['Unit', `${Number(this.motion.unit.toPrecision(4))} m`], ['Tall', this.motion.stature ? `${this.motion.stature.toFixed(2)} m` : 'not known'],
            ['Roles', `${[...this.roles.joints].filter(({ role }) => role !== 'none').length} of ${this.skeleton.joint_count}`],
            ...[...this.motion.warnings, ...this.roles.warnings].slice(0, 4).map((text) => ['Note', text])]
    }

    /** Before any file is there: a body of our own. */
    openOwn(rig) {
        const { Rig, Roles, Scene } = this.sinew
        this.name = 'MAN18'
        this.scene = new Scene('MAN18')
        this.said = rig && Rig.read(rig.bytes, rig.name, this.scene.skeleton)
        this.skeleton = this.said ? this.said.apply(this.scene.skeleton) : this.scene.skeleton
        this.roles = new Roles(this.skeleton)
        this.facts = [['File', 'none yet'], ['Body', this.scene.title], ['Joints', String(this.skeleton.joint_count)]]
    }

    /** The motion of another file on this body. */
    retarget(file) {
        const { Retargeter, Stance } = this.sinew, { name } = file
        const from = readMotion(this.sinew, file, this.files), source = from.prepare()
        this.stance ??= new Stance(this.skeleton, this.roles)
        try {
            const carry = new Retargeter({ skeleton: from.skeleton, roles: source.roles, stance: source.stance }, { skeleton: this.skeleton, roles: this.roles, stance: this.stance })
            this.carried = this.clip = carry.clip(from.clip)
            const { report } = carry
            this.facts.push(['Motion of', name], ['Legs', `${carry.scale.toFixed(2)} ×`], ['Held feet off', `${(report.held_error_max * 1e3).toFixed(2)} mm`], ['Hips lowered', `${(report.hips_lowered_max * 1e3).toFixed(0)} mm`])
            carry.dispose()
        } finally {
            for (const thing of [source.roles, source.stance, source.rig, source.skeleton, from]) thing.dispose()
        }
        if (this.values.mode === 'play') this.duration = Math.max(1, Math.round(this.clip.duration * 60))
    }

    tips() {
        const joints = jointsOf(this.skeleton), parents = new Set(joints.map(({ parent }) => parent))
        return joints.map((_, i) => i).filter((i) => !parents.has(i)).slice(0, 12)
    }

    sample() {
        this.sampleAt(this.time)
        this.pose.copy(this.sampled).forward()
    }

    sampleAt(time) {
        const { clip, sampled } = this
        if (clip?.frame_count) clip.sample(clip.duration > 0 ? time % clip.duration : 0, sampled)
        else if (this.scene) this.scene.poseAt(time % this.scene.period, sampled)
        else sampled.rest()
        return sampled
    }

    /** The ball about the body as it is seen by one who goes along with its root, whatever its motion does. */
    get extent() {
        const joints = jointsOf(this.skeleton), [x, , z] = place(this.pose, 0), places = []
        const gather = (pose) => {
            const root = place(pose, 0)
            joints.forEach((_, i) => places.push(add(place(pose, i), [x - root[0], 0, z - root[2]])))
        }
        gather(this.pose)
        const period = this.clip?.frame_count ? this.clip.duration : this.scene?.period
        if (this.values.mode === 'play') for (let i = 0; i < 48; i++) gather(this.sampleAt((i / 48) * period).forward())
        const middle = [0, 1, 2].map((k) => {
            const [low, high] = places.reduce(([a, b], at) => [Math.min(a, at[k]), Math.max(b, at[k])], [Infinity, -Infinity])
            return (low + high) / 2
        })
        return { middle, radius: places.reduce((far, at) => Math.max(far, Math.hypot(...sub(at, middle))), 0) }
    }

    /** From a motion or a walk to a pose: what it has come to is held. */
    beginPose() {
        this.hold()
        this.duration = undefined
        this.hasStick = false
    }

    /** Keep all effectors where they are from now on. */
    hold() {
        for (const handle of this.handles) handle.position = place(this.pose, handle.joint)
    }

    /** Feet of the motion, which knows a level floor, onto the ground. */
    layFeet() {
        const { Grounder, Stance } = this.sinew
        this.stance ??= new Stance(this.skeleton, this.roles)
        try {
            this.grounder = new Grounder(this, { ground: this.ground, look_ahead: 0.4, floor: this.floor > -0.2 && this.floor < 0.2 ? this.floor : 0 })
        } catch (error) {
            // no person: played as it is, and said so
            this.facts.push(['Ground', error.message])
            return
        }
        this.laid = new this.sinew.Pose(this.skeleton)
        this.laid.copy(this.pose)
    }

    walk() {
        const { Walker } = this.sinew
        this.walker = new Walker(this.skeleton, { ground: this.ground, roles: this.roles, ...(this.stance ? { stance: this.stance } : {}) })
        this.hasStick = true
        this.duration = undefined
    }

    stick(x, y, strafe) {
        this.isSteered = true
        this.walker?.steer(x, y, strafe)
    }

    tick(dt) {
        this.time += dt
        const { mode } = this.values
        if (mode === 'walk' && this.walker) {
            if (!this.isSteered) this.walker.steering.assign({ forward: 0.75 * Math.min(this.walker.leg_length, 1.6) + 0.4, left: 0, turn: 0 })
            const report = this.walker.update(dt, this.pose)
            this.report = { outcome: report.is_met ? 'converged' : 'stalled', error: Math.max(...this.walker.legs.map((leg) => leg.position_error)) }
            this.pose.forward()
        } else if (mode === 'pose') {
            this.solve()
        } else {
            this.sample()
            if (this.grounder) {
                const { clip } = this
                // from its last frame the motion leaps to the first
                if (clip?.frame_count && this.time % clip.duration < dt) this.grounder.reset()
                this.laidReport = this.grounder.update(this.pose, this.laid)
                this.pose.copy(this.laid).forward()
            }
        }
        if (mode !== 'pose') this.hold()
        if ((mode !== 'play' || this.laidReport?.frame >= 0) && this.recorded.length < longest) this.recorded.push(Float64Array.from(this.pose.q))
        this.figures = { error: this.report?.error ?? 0, iterations: this.report?.iterations ?? 0 }
    }

    solve() {
        for (const { goal, position, joint, isPinned } of this.handles) {
            goal.set(...position)
            goal.weight = joint === this.hips && !isPinned ? 0 : 1
        }
        const report = this.solver.solve(this.pose)
        this.pose.forward()
        this.report = { outcome: report.outcome, error: report.position_error, iterations: report.iterations }
        for (const handle of this.handles) {
            if (handle.goal.weight === 0) handle.position = place(this.pose, handle.joint)
            handle.error = handle.goal.weight === 0 ? 0 : handle.goal.result.position_error
            handle.unmet = handle.error > 2e-3
        }
    }

    drag(id, at) {
        if (this.values.mode !== 'pose') {
            this.values.mode = 'pose'
            this.beginPose()
        }
        const handle = this.handles.find((each) => each.id === id)
        if (!handle) return
        handle.position = at
        handle.isPinned = true
    }

    set(key, value, values) {
        this.values = values
        if (key === 'next') return true
        if (key !== 'mode' || value !== 'pose') return false
        this.beginPose()
        return true
    }

    /** The motion that is written: what was posed, walked or laid on the ground here, else that of the file. */
    motionOut() {
        if (!this.recorded.length) return this.clip ?? this.sinew.Clip.create(this.skeleton, 1, 1 / 60)
        const clip = this.sinew.Clip.create(this.skeleton, this.recorded.length, 1 / 60)
        const { frames } = clip, count = this.skeleton.coordinate_count
        this.recorded.forEach((q, i) => frames.set(q, i * count))
        return clip
    }

    export(app, ending) {
        const clip = this.motionOut(), name = `${this.name.replace(/\.[^.]*$/, '')}-sinew.${ending}`
        const like = this.motion && (ending === 'bvh') === (this.motion.format === 'bvh') ? { like: this.motion } : {}
        try {
            app.save(name, this.sinew.writeMotion(name, clip, like), ending === 'bvh' ? 'text/plain' : 'model/gltf-binary')
        } finally {
            if (clip !== this.clip) clip.dispose()
        }
    }

    get asks() {
        return { open: (app) => app.chooseFiles('.bvh,.glb,.gltf,.bin,.png,.jpg,.jpeg,.json'), bvh: (app) => this.export(app, 'bvh'), glb: (app) => this.export(app, 'glb') }
    }

    why(handle) { return this.solver.why(this.pose).find((line) => line.startsWith(this.skeleton.names[handle.joint])) ?? `misses by ${(handle.error * 1e3).toFixed(0)} mm` }
    outcome() { return this.report ? describe(this.name, this.report) : this.name }
    state() { return [this.pose.q] }

    dispose() {
        for (const thing of [this.carried, this.grounder, this.laid, this.walker, this.ground, this.solver, this.pose, this.sampled, this.rig, this.said, this.stance, this.roles]) thing?.dispose()
        if (this.motion || this.said) this.skeleton.dispose()
        this.motion?.dispose()
        this.scene?.dispose()
    }
}

register({
    name: 'open',
    title: 'Open',
    hint: { title: 'Drop a BVH, glTF or rig file', text: 'It is read here and goes nowhere. Drag a hand to pose the body, or let it walk.' },
    caption: 'Any character: roles, limits and masses are guessed from names, shape and proportions; a rig file says what the guess got wrong.',
    takesFiles: true,
    // a rig refines the character that is there
    mergeFiles: (old, dropped, { next }) => {
        const kept = old.filter((file) => !isRig(file))
        if (dropped.every(isRig)) return [...kept, ...dropped]
        return next === 'moves' ? [...kept.filter(({ asMotion }) => !asMotion), ...dropped.map((file) => ({ ...file, asMotion: isMotion(file) }))] : dropped
    },
    controls: [
        { key: 'next', group: 'File', label: 'Dropped file', kind: 'choice', initial: 'replaces', choices: [['replaces', 'replaces this'], ['moves', 'moves this body']], help: 'Another character, or a motion for this one: retargeted' },
        { key: 'open', group: 'File', label: 'Open file', kind: 'action' },
        { key: 'bvh', group: 'File', label: 'Save BVH', kind: 'action', help: 'What was posed or walked here, else the motion of the file' },
        { key: 'glb', group: 'File', label: 'Save glTF', kind: 'action' },
        { key: 'mode', group: 'Body', label: 'Do', kind: 'choice', initial: 'play', choices: [['play', 'play its motion'], ['pose', 'pose by dragging'], ['walk', 'walk']] },
        { key: 'terrain', group: 'Body', label: 'Ground', kind: 'choice', initial: 'flat', choices: [['flat', 'level'], ['hills:3', 'hills'], ['stairs:0.17,0.29', 'stairs']], show: (v) => v.mode !== 'pose', help: 'Feet of a motion are laid on it' },
        { key: 'figure', group: 'Look', label: 'Figure', kind: 'choice', look: true, initial: 'mesh', choices: [['mesh', 'its own'], ['bones', 'bones'], ['skin', 'body']], help: 'Its own: the mesh of a glTF file, else bones' },
        { key: 'targets', group: 'Look', label: 'Effectors', kind: 'toggle', look: true, initial: true },
        { key: 'facts', group: 'Reading', kind: 'facts', facts: (model) => [...model.facts, ...(model.recorded.length === longest ? [['Note', `what is saved ends after ${longest / 60} s`]] : []), ...(model.report ? [['Outcome', model.report.outcome.replaceAll('_', ' ')]] : [])] },
    ],
    code: () => `
import { load, Motion, Pose, Solver, Walker } from 'sinew'

await load()
const motion = new Motion(await file.arrayBuffer(), file.name)
const { skeleton, roles, stance } = motion.prepare()
const pose = new Pose(skeleton)

motion.clip.sample(0, pose)                    // play
const solver = new Solver(skeleton)            // pose
const hand = solver.position(roles.find('hand', 'left'))
const walker = new Walker(skeleton, { roles, stance })   // walk
walker.steer(0, 1).update(1 / 60, pose)

save(motion.write('out.bvh'))`,
    model: (sinew, values, files) => new Open(sinew, values, files),

    view(kit, model) {
        const { palette, group, stage, app } = kit, { size } = model
        const figure = new Figure(palette, jointsOf(model.skeleton))
        group.add(figure.group)
        let skin = null
        const own = model.motion?.format === 'gltf' ? new FileMesh(model.sinew, model.motion) : null
        if (own) group.add(own.group)
        const marks = model.handles.map(() => {
            const mark = new Target(palette, size * 0.0105)
            group.add(mark.group)
            return mark
        })
        const path = new Path(palette.path, 300, { opacity: 0.6 })
        group.add(path.mesh)
        const ground = model.ground ? new MovingGround(palette, (x, z) => model.ground.sample(x, z).height, groundCells(model.values.terrain, 30, stage.quality)) : null
        if (ground) stage.replaceGround(ground.mesh)
        stage.setGround({ cell: size > 0.8 ? 0.5 : 0.1, fade: [size * 1.6, size * (ground ? 7 : 5)], y: ground || model.values.mode === 'walk' ? 0 : Math.min(model.floor, 0) })
        const { middle, radius } = model.extent
        let shift = null
        return {
            framing: { center: middle, radius: Math.max(radius * 1.12, size * 0.3), azimuth: 34, height: 10 },
            tick(current) { path.add(place(current.pose, 0)) },
            update(current) {
                const wantsSkin = app.values.figure === 'skin', isOwn = app.values.figure === 'mesh' && own?.isThere
                if (own) own.group.visible = isOwn
                if (wantsSkin && !skin) {
                    skin = new Skin(current.sinew, current.skeleton, palette, current.motion?.clip)
                    group.add(skin.mesh)
                }
                figure.group.visible = !wantsSkin && !isOwn
                if (skin) skin.mesh.visible = wantsSkin
                if (isOwn) own.update(current.pose)
                else if (wantsSkin) skin.update(current.pose)
                else figure.update(transforms(current.pose))
                current.handles.forEach((handle, i) => {
                    marks[i].group.visible = app.values.targets
                    marks[i].update(handle.position, stage.camera, handle.unmet ? 'unmet' : handle.joint === current.hips && !handle.isPinned ? 'dim' : 'met')
                })
                // go along with what travels
                const at = place(current.pose, 0)
                if (current.values.mode !== 'pose') {
                    shift ??= [at[0] - middle[0], at[1] - middle[1], at[2] - middle[2]]
                    stage.follow(at[0] - shift[0], current.values.mode === 'walk' || current.grounder ? at[1] - shift[1] : middle[1], at[2] - shift[2], 1)
                }
                ground?.follow(at[0], at[2])
            },
            dispose() {
                skin?.dispose()
                own?.dispose()
            },
        }
    },
})
