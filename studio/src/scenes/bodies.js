// Several targets at once on bodies of all kinds of joints, with the centre of mass kept over a place.
// Hoang (2014), figures 1 and 3.
import { register } from './scene.js'
import { describe, jointsOf, methodText, place, setSolver, solverControls, transforms, vector } from './common.js'
import { Figure } from '../stage/figure.js'
import { Curve, Fan, Path, Target, ball, disc } from '../stage/marks.js'
import { post } from '../stage/props.js'
import { add, hullFromAbove, scale } from '../math3.js'

// which targets move by themselves, and how far they go as a share of the body's size; feet stay where they are
const bodies = {
    BODY11: { moving: ['LeftHand', 'RightHand'], way: 0.15, stands: false },
    MAN18: { moving: ['LeftHandEnd', 'RightHandEnd'], way: 0.16, stands: true, feet: /Heel|ToeEnd/ },
    FIGURE1: { moving: ['LeftHand', 'RightHand'], way: 0.16, stands: true, feet: /Foot/ },
    QUADRUPED: { moving: ['LeftFrontPaw'], way: 0.1, stands: true, feet: /Paw/ },
    SPIDER: { moving: ['L1Tip', 'R1Tip'], way: 0.12, stands: true, feet: /Tip/ },
}

// the others know one level, and nothing that is held
const knowsLevels = ({ method }) => method === 'auto' || method === 'damped'
/** What the mass is to the targets: a constraint, before them, after them, or one of them. */
const standingOf = (values) => (knowsLevels(values) ? values.first : 'none')

class Bodies {
    constructor(sinew, values) {
        Object.assign(this, { sinew, values })
        this.framingKey = values.body
        const { Pose, Scene, Solver } = sinew
        this.scene = new Scene(values.body)
        this.skeleton = this.scene.skeleton
        this.pose = new Pose(this.skeleton).forward()
        this.solver = new Solver(this.skeleton, { max_goals: 16 })
        this.kind = bodies[values.body]
        this.size = this.skeleton.size
        this.time = 0
        this.report = null
        this.figures = { error: 0, iterations: 0 }
        this.targets = [...this.scene.effectors].map(({ name, joint }) => {
            const rest = place(this.pose, joint)
            return {
                id: name, label: name, position: rest, rest: [...rest], joint, goal: this.solver.position(joint),
                isMoving: this.kind.moving.includes(name), isFoot: Boolean(this.kind.feet?.test(name)) && !this.kind.moving.includes(name),
            }
        })
        const feet = this.targets.filter(({ isFoot }) => isFoot)
        this.hull = feet.length ? hullFromAbove(feet.map(({ rest }) => rest)).map(([x, , z]) => [x, 0, z]) : []
        const middle = this.hull.length ? scale(this.hull.reduce(add), 1 / this.hull.length) : this.massPlace()
        this.center = { id: 'center', label: 'place for the centre of mass', position: [middle[0], 0, middle[2]], along: ([x, , z]) => [x, 0, z] }
        this.setUp()
    }

    setUp() {
        const { values, solver } = this
        setSolver(solver, values)
        solver.options.constraint_damping = values.constraint
        this.massGoal?.remove()
        this.massGoal = null
        const first = standingOf(values), isHeld = first === 'constraint' && values.mass === 'point'
        const options = isHeld ? { constraint: true } : { priority: first === 'targets' ? 1 : 0 }
        // CCD turns joint by joint towards places: it knows no centre of mass
        this.hasMass = values.mass !== 'none' && values.method !== 'ccd'
        if (!this.hasMass) this.massGoal = null
        else if (values.mass === 'point') this.massGoal = solver.centerOfMass([this.center.position[0], 0, this.center.position[2]], options)
        else if (values.mass === 'polygon' && this.hull.length > 2) this.massGoal = solver.support(this.hull, options)
        for (const target of this.targets) {
            target.goal.priority = this.hasMass && (first === 'mass' || (first === 'constraint' && !isHeld)) ? 1 : 0
        }
        this.handles = [...this.targets, ...(values.mass === 'point' ? [this.center] : [])]
    }

    tick(dt) {
        this.time += dt
        const t = this.time, far = this.size * this.kind.way * this.values.far
        if (this.values.path) {
            this.targets.filter(({ isMoving }) => isMoving).forEach((target, i) => {
                const s = i % 2 ? -1 : 1
                target.position = add(target.rest, [far * Math.sin(0.9 * t + i), far * (0.35 + 0.75 * Math.sin(1.3 * t + 2 * i)), far * 0.6 * s * Math.sin(0.7 * t + i)])
            })
        }
        for (const target of this.targets) {
            target.goal.set(...target.position)
            // a head goes along until it is taken hold of
            target.isFree = /^Head/.test(target.label) && !target.isPinned
            target.goal.weight = target.isFree ? 0 : target.isFoot ? 4 : 1
        }
        if (this.massGoal && this.values.mass === 'point') this.massGoal.set(this.center.position[0], 0, this.center.position[2])
        const report = this.solver.solve(this.pose)
        this.pose.forward()
        this.report = { outcome: report.outcome, error: report.position_error, iterations: report.iterations, outside: report.limit_violation }
        this.figures = { error: report.position_error, iterations: report.iterations }
        for (const target of this.targets) {
            if (target.isFree) target.position = place(this.pose, target.joint)
            target.error = target.isFree ? 0 : target.goal.result.position_error
            target.unmet = target.error > 1e-3
        }
        this.center.error = this.massGoal?.result.position_error ?? 0
        this.center.unmet = this.center.error > 5e-3
    }

    drag(id, at) {
        const handle = this.handles.find((each) => each.id === id)
        if (!handle) return
        handle.position = handle === this.center ? [at[0], 0, at[2]] : at
        handle.isMoving = false
        handle.isPinned = true
    }

    set(key, value, values) {
        this.values = values
        if (key === 'body') return false
        this.setUp()
        return true
    }

    massPlace() { return vector(this.pose.centerOfMass()) }
    why(handle) {
        const name = handle === this.center ? 'center_of_mass' : this.skeleton.names[handle.joint]
        const lines = this.solver.why(this.pose)
        return lines.find((line) => line.startsWith(name))?.split('; also')[0] ?? `misses by ${(handle.error * 1e3).toFixed(0)} mm`
    }
    outcome() { return this.report ? describe('all targets', this.report) : '' }
    state() { return [this.pose.q, ...this.targets.map(({ position }) => position)] }

    dispose() {
        for (const thing of [this.solver, this.pose, this.scene]) thing.dispose()
    }
}

register({
    name: 'bodies',
    title: 'Bodies',
    hint: { title: 'Drag any target', text: 'All are solved together; what cannot be met is shared out by weights and priorities.' },
    caption: 'Hoang (2014), figures 1 and 3: ball, universal and hinge joints, two moving targets, and the centre of mass over the green ball.',
    controls: [
        { key: 'body', group: 'Goals', label: 'Body', kind: 'choice', initial: 'BODY11', choices: [['BODY11', 'eleven freedoms'], ['MAN18', 'human'], ['FIGURE1', 'balls and hinges'], ['QUADRUPED', 'dog'], ['SPIDER', 'spider']] },
        { key: 'path', group: 'Goals', label: 'Targets move', kind: 'toggle', initial: true },
        { key: 'far', group: 'Goals', label: 'How far they go', kind: 'range', initial: 1, min: 0, max: 4, step: 0.05, digits: 2, show: (v) => v.path },
        { key: 'mass', group: 'Goals', label: 'Centre of mass', kind: 'choice', initial: 'point', choices: [['none', 'free'], ['point', 'over a point'], ['polygon', 'over the feet']] },
        { key: 'first', group: 'Goals', label: 'What gives way', kind: 'choice', initial: 'constraint', choices: [['constraint', 'mass is held'], ['mass', 'targets'], ['targets', 'the mass'], ['none', 'all alike']], show: (v) => v.mass !== 'none' && knowsLevels(v), help: 'Automatic and damped know levels; with the other methods all give way alike' },
        ...solverControls(),
        { key: 'constraint', group: 'Solver', label: 'λ of the mass', kind: 'range', initial: 0.01, min: 0.001, max: 1, log: true, zero: true, show: (v) => standingOf(v) === 'constraint' && v.mass !== 'none', help: 'Hoang (2014), eq. 9: how firmly the centre of mass is held' },
        {
            key: 'facts', group: 'Reading', kind: 'facts', facts: ({ report, center, targets, values }) => !report ? [] : [
                ['Outcome', report.outcome.replaceAll('_', ' ')], ['Targets met', `${targets.filter(({ unmet }) => !unmet).length} of ${targets.length}`],
                ...(values.mass === 'none' ? [] : [['Mass off by', values.method === 'ccd' ? 'not with CCD' : `${(center.error * 1e3).toFixed(1)} mm`]]), ['Beyond limits', report.outside.toExponential(0)]],
        },
    ],
    code: (v) => `
import { load, Pose, Scene, Solver } from 'sinew'

await load()
const { skeleton, effectors } = new Scene('${v.body}')
const solver = new Solver(skeleton, { max_goals: 16 })
${methodText(v)}const goals = effectors.map(({ joint }) => solver.position(joint))
${v.mass === 'point' && v.method !== 'ccd' ? `solver.centerOfMass([0, 0, 0]${standingOf(v) === 'constraint' ? ', { constraint: true }' : ''})\n` : ''}const pose = new Pose(skeleton)

function frame() {
  goals.forEach((goal, i) => goal.copy(targets[i]))
  solver.solve(pose)
}`,
    model: (sinew, values) => new Bodies(sinew, values),

    view(kit, model) {
        const { palette, group, stage } = kit, { size } = model
        const figure = new Figure(palette, jointsOf(model.skeleton), { thickness: model.values.body === 'BODY11' ? 0.3 : 0.26 })
        group.add(figure.group)
        const radius = size * 0.017
        const marks = model.targets.map((target) => {
            const mark = new Target(palette, target.isFoot ? radius * 0.8 : radius * 1.15)
            const path = new Path(palette.target, 220, { opacity: 0.45 })
            group.add(mark.group, path.mesh)
            return { mark, path }
        })
        const onFloor = ball(size * 0.026, palette.good), mass = ball(size * 0.02, palette.good, { transparent: true, opacity: 0.9 })
        const plumb = new Curve(2, palette.good), halo = disc(size * 0.05, palette.good, { inner: size * 0.042 })
        const hull = new Fan(16, palette.good, { opacity: 0.16 }), edge = new Curve(17, palette.good, { closed: true })
        group.add(onFloor, mass, plumb.mesh, halo, hull.mesh, edge.mesh)
        if (!model.kind.stands) group.add(post(palette, [0, place(model.pose, 0)[1], 0], size * 0.026))
        stage.setGround({ cell: size > 0.9 ? 0.5 : 0.25, fade: [size * 1.2, size * 3.6] })
        const tall = { BODY11: [0.86, 0.92], MAN18: [0.9, 1.05], FIGURE1: [0.85, 1.0], QUADRUPED: [0.38, 0.75], SPIDER: [0.1, 0.42] }[model.values.body]
        return {
            framing: { center: [0, tall[0], size * 0.06], radius: tall[1], azimuth: model.values.body === 'QUADRUPED' ? 62 : 32, height: 12 },
            tick(current) {
                current.targets.forEach(({ position, isMoving }, i) => { if (isMoving) marks[i].path.add(position) })
            },
            update(current) {
                figure.update(transforms(current.pose))
                current.targets.forEach((target, i) => {
                    marks[i].mark.update(target.position, stage.camera, target.unmet ? 'unmet' : target.isFoot || target.isFree ? 'dim' : 'met')
                })
                const { mass: wanted } = current.values, at = current.massPlace()
                const isShown = wanted !== 'none'
                for (const mesh of [mass, plumb.mesh, halo]) mesh.visible = isShown
                onFloor.visible = wanted === 'point'
                hull.mesh.visible = edge.mesh.visible = wanted === 'polygon'
                mass.position.set(...at)
                plumb.set([at, [at[0], 0.002, at[2]]])
                halo.position.set(at[0], 0.003, at[2])
                onFloor.position.set(current.center.position[0], size * 0.026, current.center.position[2])
                if (wanted === 'polygon' && current.hull.length) {
                    const loop = current.hull.map(([x, , z]) => [x, 0.004, z])
                    hull.set(scale(loop.reduce(add), 1 / loop.length), loop)
                    edge.set(loop)
                }
            },
        }
    },
})
