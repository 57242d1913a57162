// A hand of balls follows twenty targets, one on each joint of its fingers. Hoang (2014), figure 2.
import { register } from './scene.js'
import { describe, isMotion, jointsOf, place, readMotion, transforms } from './common.js'
import { Figure } from '../stage/figure.js'
import { Path, Target } from '../stage/marks.js'
import { add, sub } from '../math3.js'

class Hand {
    constructor(sinew, values, files) {
        Object.assign(this, { sinew, values })
        const { Pose, Scene, Tracker } = sinew
        const file = files.find(isMotion)
        if (file) {
            this.motion = readMotion(sinew, file, files)
            this.skeleton = this.motion.skeleton
            this.duration = Math.max(1, Math.round(this.motion.clip.duration * 60))
            const names = jointsOf(this.skeleton)
            this.effectors = names.map((_, joint) => joint).filter((joint) => joint > 0 && names[joint].parent >= 0)
            this.label = file.name
        } else {
            this.scene = new Scene('HAND')
            this.skeleton = this.scene.skeleton
            this.effectors = [...this.scene.effectors].map(({ joint }) => joint)
            this.label = 'HAND'
        }
        this.framingKey = this.label
        this.effectors = this.effectors.slice(0, 64)
        this.pose = new Pose(this.skeleton)
        this.source = new Pose(this.skeleton)
        this.tracker = new Tracker(this.skeleton, { max_goals: 64 })
        this.time = 0
        this.pull = new Map()
        this.targets = this.effectors.map((joint) => ({ id: joint, joint, label: this.skeleton.names[joint], position: [0, 0, 0], goal: this.tracker.position(joint) }))
        this.handles = this.targets
        this.sample()
        this.pose.copy(this.source).forward()
        this.tracker.setPose(this.pose)
        this.figures = { error: 0, iterations: 0 }
        this.mean = 0
        this.worst = 0
    }

    /** Targets of this moment: on the joints of the motion, and where a person pulled them. */
    sample() {
        const time = this.time * this.values.pace
        if (this.motion) this.motion.clip.sample(time % Math.max(this.motion.clip.duration, 1e-6), this.source)
        else this.scene.poseAt(time % this.scene.period, this.source)
        this.source.forward()
        for (const target of this.targets) {
            const at = place(this.source, target.joint), pull = this.pull.get(target.id)
            target.position = pull ? add(at, pull) : at
        }
    }

    /** The ball that holds all targets: of the whole motion where it stays in its place, of this moment in a file. */
    get extent() {
        const moments = this.motion ? [0] : Array.from({ length: 50 }, (_, i) => (i / 50) * this.scene.period)
        const places = moments.flatMap((time) => {
            if (this.scene) this.scene.poseAt(time, this.source)
            this.source.forward()
            return this.effectors.map((joint) => place(this.source, joint))
        })
        const center = [0, 1, 2].map((k) => {
            const along = places.map((at) => at[k])
            return (Math.min(...along) + Math.max(...along)) / 2
        })
        return { center, radius: Math.max(...places.map((at) => Math.hypot(...sub(at, center)))) }
    }

    tick(dt) {
        this.time += dt
        this.sample()
        for (const { goal, position } of this.targets) goal.set(...position)
        const report = this.tracker.update(this.pose)
        this.pose.forward()
        let sum = 0, worst = 0
        for (const target of this.targets) {
            target.error = target.goal.result.position_error
            target.unmet = target.error > 1e-3
            sum += target.error
            worst = Math.max(worst, target.error)
        }
        this.mean = sum / this.targets.length
        this.worst = Math.max(this.worst * 0.995, worst)
        this.report = { outcome: report.outcome, error: worst }
        this.figures = { error: worst, iterations: report.iterations }
    }

    drag(id, at) {
        const target = this.targets.find((each) => each.id === id)
        if (!target) return
        const before = this.pull.get(id) ?? [0, 0, 0]
        this.pull.set(id, add(before, sub(at, target.position)))
        target.position = at
    }

    act(name) { if (name === 'release') this.pull.clear() }
    set(key, value, values) {
        this.values = values
        return key === 'pace'
    }
    get asks() { return { load: (app) => app.chooseFiles('.bvh,.glb,.gltf') } }
    why(handle) { return `${(handle.error * 1e3).toFixed(1)} mm off: pulled from its bone` }
    outcome() { return this.report ? describe(`${this.targets.length} targets`, this.report) : '' }
    state() { return [this.pose.q] }
    dispose() { for (const thing of [this.tracker, this.pose, this.source, this.scene, this.motion]) thing?.dispose() }
}

register({
    name: 'hand',
    title: 'Hand',
    hint: { title: 'Pull a finger', text: 'Twenty targets lie on the joints of a motion; the hand follows all of them at once.' },
    caption: 'Hoang (2014), figure 2: twenty ball joints and a movable root follow twenty targets of a motion. Drop a recording to follow it.',
    takesFiles: true,
    mergeFiles: (old, dropped) => dropped,
    controls: [
        { key: 'pace', group: 'Motion', label: 'Pace', kind: 'range', initial: 1, min: 0, max: 4, step: 0.1, digits: 1, unit: '×' },
        { key: 'release', group: 'Motion', label: 'Let go', kind: 'action', help: 'Put all targets back on the motion' },
        { key: 'load', group: 'Motion', label: 'Open file', kind: 'action' },
        { key: 'targets', group: 'Look', label: 'Targets', kind: 'toggle', look: true, initial: true },
        { key: 'paths', group: 'Look', label: 'Paths of tips', kind: 'toggle', look: true, initial: true },
        {
            key: 'facts', group: 'Reading', kind: 'facts', facts: ({ targets, mean, worst, label }) => [['Motion', label], ['Targets', String(targets.length)], ['Mean off', `${(mean * 1e3).toFixed(4)} mm`], ['Worst lately', `${(worst * 1e3).toFixed(3)} mm`]],
        },
    ],
    code: () => `
import { load, Pose, Scene, Tracker } from 'sinew'

await load()
const scene = new Scene('HAND'), { skeleton } = scene
const tracker = new Tracker(skeleton, { max_goals: 20 })
const goals = scene.effectors.map(({ joint }) => tracker.position(joint))
const pose = new Pose(skeleton), motion = new Pose(skeleton)

function frame(time) {
  scene.poseAt(time, motion).forward()
  goals.forEach((goal) => goal.copy(motion.world[goal.joint].position))
  tracker.update(pose)
}`,
    model: (sinew, values, files) => new Hand(sinew, values, files),

    view(kit, model) {
        const { palette, group, stage, app } = kit, size = model.skeleton.size
        const figure = new Figure(palette, jointsOf(model.skeleton), { thickness: model.motion ? 0.26 : 0.42, tint: model.motion ? null : palette.skin })
        group.add(figure.group)
        const marks = model.targets.map(() => {
            const mark = new Target(palette, size * (model.motion ? 0.006 : 0.0125))
            group.add(mark.group)
            return mark
        })
        const parents = new Set(jointsOf(model.skeleton).map(({ parent }) => parent))
        const tips = model.targets.filter(({ joint }) => !parents.has(joint)).slice(0, 8)
        const paths = tips.map(() => {
            const path = new Path(palette.path, 140, { opacity: 0.8 })
            group.add(path.mesh)
            return path
        })
        const middle = place(model.pose, 0), { center, radius } = model.extent, shift = sub(center, middle)
        const floor = size > 1 ? 0 : middle[1] - size * 0.75
        stage.setGround(size > 1 ? { cell: 0.5, fade: [2, 7] } : { cell: 0.05, fade: [size * 1.6, size * 5], y: floor })
        return {
            framing: { center, radius: radius * 1.08, azimuth: 24, height: 10 },
            tick(current) { if (app.values.paths) tips.forEach((tip, i) => paths[i].add(tip.position)) },
            look(key, value) { if (key === 'paths' && !value) for (const path of paths) path.clear() },
            update(current) {
                figure.update(transforms(current.pose))
                // a recording may travel
                if (current.motion) stage.follow(...add(place(current.pose, 0), shift))
                current.targets.forEach((target, i) => {
                    marks[i].group.visible = app.values.targets
                    marks[i].update(target.position, stage.camera, target.unmet ? 'unmet' : 'met')
                })
            },
        }
    },
})
