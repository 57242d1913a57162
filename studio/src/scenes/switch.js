// One chain, two ways to pose it: rings turn joints in FK, a handle and a pole move it in IK, and nothing pops when
// one follows the other. Bhatti et al. (2013), figures 7 and 9.
import { register } from './scene.js'
import { jointsOf, place, rotation, transforms, vector } from './common.js'
import { Figure } from '../stage/figure.js'
import { Curve, Path, Target, TurnRing, ball } from '../stage/marks.js'
import { glass, table } from '../stage/props.js'
import { add, between, cross, dot, mix, scale, sub, unit } from '../math3.js'

const limbs = [['arm', 'left arm', 'LeftHand'], ['rightArm', 'right arm', 'RightHand'], ['leg', 'left leg', 'LeftFoot'], ['rightLeg', 'right leg', 'RightFoot']]
const keys = limbs.map(([key]) => key)
const tableHeight = 0.96
const round = 2.6 // seconds of one way there or back
const ease = (t) => t * t * (3 - 2 * t)

class SwitchScene {
    constructor(sinew, values) {
        Object.assign(this, { sinew, values })
        this.framingKey = values.body
        const { Pose, Roles, Scene, Switch } = sinew
        this.scene = new Scene('MAN18')
        this.skeleton = this.scene.skeleton
        this.roles = new Roles(this.skeleton)
        this.switch = new Switch(this.skeleton, { roles: this.roles })
        this.pose = new Pose(this.skeleton)
        this.rest = new Pose(this.skeleton)
        this.limbs = this.switch.limbs.map(({ root, middle, tip }) => {
            const [key, name] = limbs.find(([, , end]) => end === this.skeleton.names[tip]) ?? ['', this.skeleton.names[tip]]
            return { root, middle, tip, name, key }
        })
        this.arm = this.limbs.findIndex(({ key }) => key === 'arm')
        this.shown = values.body === 'arm' ? [this.arm] : this.limbs.map((_, i) => i)
        this.switch.reset(this.pose)
        this.findGrasp()
        this.time = 0
        this.isDemo = values.demo
        this.figures = { error: 0, iterations: 0 }
        this.pop = 0
        this.limbs.forEach(({ key }, i) => this.switch.enableIk(i, Boolean(values[key]) && this.shown.includes(i)))
        this.refresh()
    }

    /** The pose with the hand at the glass: where the arm goes in FK, joint by joint. */
    findGrasp() {
        const { Pose, Solver } = this.sinew, { root, tip } = this.limbs[this.arm]
        this.glass = [0.26, tableHeight, 0.43]
        this.grasp = new Pose(this.skeleton)
        const solver = new Solver(this.skeleton, { max_goals: 2 })
        solver.position(tip, { chain: root, position: [0.25, tableHeight + 0.08, 0.32] })
        solver.direction(tip, [0, -1, 0], unit([0.05, -0.1, 1]), { chain: root, weight: 0.3 })
        solver.solve(this.grasp)
        solver.dispose()
        this.rest.forward()
        this.grasp.forward()
        this.from = place(this.rest, tip)
        this.to = place(this.grasp, tip)
        this.fromTurn = rotation(this.rest, tip)
        this.toTurn = rotation(this.grasp, tip)
    }

    tick(dt) {
        this.time += dt
        if (this.isDemo) this.demo()
        const before = Float64Array.from(this.pose.q)
        const report = this.switch.update(dt)
        this.refresh()
        // largest change of a coordinate: what would be seen as a pop
        this.pop = 0
        for (let i = 0; i < before.length; i++) this.pop = Math.max(this.pop, Math.abs(this.pose.q[i] - before[i]))
        this.figures = { error: report.position_error, iterations: report.iterations }
        this.report = { outcome: report.outcome, error: report.position_error }
    }

    /** There in FK, an arc; back in IK, a line. */
    demo() {
        const phase = (this.time / round) % 2, isBack = phase >= 1, share = ease(isBack ? 2 - phase : phase)
        if (Boolean(this.values.arm) !== isBack) {
            this.values.arm = isBack
            this.switch.enableIk(this.arm, isBack)
        }
        if (!isBack) {
            const { coordinate_count } = this.skeleton, mixed = this.pose.q
            for (let i = 0; i < coordinate_count; i++) mixed[i] = this.rest.q[i] + (this.grasp.q[i] - this.rest.q[i]) * share
            this.switch.setPose(this.pose)
        } else {
            const wanted = this.switch.handle(this.arm).place
            wanted.position.set(...mix(this.from, this.to, share))
            wanted.rotation.set(...between(this.fromTurn, this.toTurn, share))
            this.switch.setHandle(this.arm)
        }
    }

    /** What can be taken hold of now: other things in FK than in IK. */
    refresh() {
        this.switch.read(this.pose).forward()
        const joints = jointsOf(this.skeleton), old = new Map((this.handles ?? []).map((handle) => [handle.id, handle]))
        this.handles = []
        this.rings = []
        this.poles = []
        for (const control of this.switch.controls()) {
            if (!this.shown.includes(control.limb)) continue
            const center = vector(control.center), limb = this.limbs[control.limb]
            if (control.kind === 'ring') {
                const normal = vector(control.normal), child = joints.findIndex(({ parent }) => parent === control.joint)
                const bone = child < 0 ? [0, -1, 0] : sub(place(this.pose, child), center)
                let way = sub(bone, scale(normal, dot(bone, normal)))
                // a turn about the bone itself: from any direction across, kept with the joint
                if (Math.hypot(...way) < 0.3 * Math.hypot(...bone)) way = cross(normal, [0.3, 0.2, 0.93])
                const radius = control.radius, knob = add(center, scale(unit(way), radius))
                this.rings.push({ center, normal, radius, axis: control.axis })
                this.add(old, { id: `ring ${control.axis}`, label: `${this.skeleton.names[control.joint]}, turn`, position: knob, center, normal, joint: control.joint, axis: control.axis, along: (at) => at })
            } else if (control.kind === 'handle') {
                const wanted = this.switch.handle(control.limb), target = vector(wanted.place.position)
                const error = Math.hypot(...sub(target, place(this.pose, limb.tip)))
                const blend = this.switch.blend(control.limb)
                this.add(old, { id: `handle ${control.limb}`, label: `${limb.name}: handle`, position: target, limb: control.limb, error, unmet: blend === 1 && error > 2e-3, easy: true })
            } else if (control.kind === 'pole') {
                const at = vector(this.switch.handle(control.limb).pole)
                this.poles.push({ from: place(this.pose, limb.middle), at })
                this.add(old, { id: `pole ${control.limb}`, label: `${limb.name}: pole`, position: at, limb: control.limb })
            }
        }
    }

    add(old, handle) {
        const known = old.get(handle.id)
        this.handles.push(known ? Object.assign(known, handle) : handle)
    }

    drag(id, at) {
        this.isDemo = this.values.demo = false
        const handle = this.handles.find((each) => each.id === id)
        if (!handle) return
        if (id.startsWith('ring')) {
            this.turnJoint(handle, at)
            return
        }
        const held = this.switch.handle(handle.limb)
        ;(id.startsWith('pole') ? held.pole : held.place.position).set(...at)
        this.switch.setHandle(handle.limb)
    }

    turnJoint({ center, normal, position, joint, axis }, at) {
        const flat = (p) => { const way = sub(p, center); return unit(sub(way, scale(normal, dot(way, normal)))) }
        const from = flat(position), to = flat(at), angle = Math.atan2(dot(cross(from, to), normal), dot(from, to))
        const { coordinate_start, coordinate_count, axis_start } = this.skeleton.joints[joint]
        const values = Array.from(this.pose.q.subarray(coordinate_start, coordinate_start + coordinate_count))
        values[axis - axis_start] += angle
        this.switch.setJoint(joint, values)
        this.refresh()
    }

    set(key, value, values) {
        this.values = values
        const limb = this.limbs.findIndex((each) => each.key === key)
        if (limb >= 0) {
            this.isDemo = this.values.demo = false
            this.switch.enableIk(limb, value)
            this.refresh()
            return true
        }
        if (key === 'demo') {
            this.isDemo = value
            if (value) {
                this.time = 0
                this.switch.enableIk(-1, false)
                keys.forEach((name) => { this.values[name] = false })
            }
            return true
        }
        return false
    }

    why(handle) { return `${(handle.error * 100).toFixed(0)} cm beyond the ${this.limbs[handle.limb].name}` }
    outcome() { return `${this.limbs[this.arm].name} in ${this.values.arm ? 'IK' : 'FK'}` }
    state() { return [this.pose.q] }
    dispose() { for (const thing of [this.switch, this.roles, this.pose, this.rest, this.grasp, this.scene]) thing.dispose() }
}

register({
    name: 'switch',
    title: 'Switch',
    hint: { title: 'Turn a ring, then switch to IK', text: 'The handle appears where the hand is. Switch as often as you like: nothing pops.' },
    caption: 'Bhatti et al. (2013), figures 7 and 9: to the glass by turning joints, an arc; back by the handle, a line. One chain does both.',
    controls: [
        { key: 'body', group: 'Body', label: 'Pose', kind: 'choice', initial: 'arm', choices: [['arm', 'left arm'], ['body', 'whole body']] },
        { key: 'demo', group: 'Body', label: 'Moves by itself', kind: 'toggle', initial: true },
        { key: 'arm', group: 'Enable IK', label: 'Left arm', kind: 'toggle', initial: false },
        ...[['rightArm', 'Right arm'], ['leg', 'Left leg'], ['rightLeg', 'Right leg']].map(([key, label]) => (
            { key, group: 'Enable IK', label, kind: 'toggle', initial: false, show: (v) => v.body === 'body' })),
        { key: 'paths', group: 'Look', label: 'Paths in FK and IK', kind: 'toggle', look: true, initial: true },
        { key: 'controls', group: 'Look', label: 'Rings and handles', kind: 'toggle', look: true, initial: true },
        {
            key: 'facts', group: 'Reading', kind: 'facts', facts: (model) => [['Left arm', model.values.arm ? 'IK: handle and pole' : 'FK: rings'],
                ['Handle off by', `${((model.report?.error ?? 0) * 1e3).toFixed(3)} mm`], ['Step this frame', `${(model.pop * 1e3).toFixed(1)} mrad`]],
        },
    ],
    code: () => `
import { load, Pose, Roles, Scene, Switch } from 'sinew'

await load()
const body = new Scene('MAN18').skeleton, pose = new Pose(body)
const limbs = new Switch(body, { roles: new Roles(body) })
const leftArm = 0

limbs.setJoint('LeftArm', [-1.2, 0.1, 0])   // FK: turn the shoulder
limbs.enableIk(leftArm, true)               // nothing moves
limbs.handle(leftArm).place.position.copy(glass)
limbs.setHandle(leftArm)

function frame(dt) {
  limbs.update(dt)
  limbs.read(pose)
}`,
    model: (sinew, values) => new SwitchScene(sinew, values),

    view(kit, model) {
        const { palette, group, stage, app } = kit
        const figure = new Figure(palette, jointsOf(model.skeleton))
        const drink = glass(palette), desk = table(palette, tableHeight, 0.24)
        drink.position.set(...model.glass)
        desk.position.set(model.glass[0], 0, model.glass[2] + 0.08)
        group.add(figure.group, drink, desk)
        const rings = Array.from({ length: 40 }, (_, i) => {
            const ring = new TurnRing([palette.right, palette.good, palette.left][i % 3], 0.03), knob = ball(0.011, palette.target)
            group.add(ring.mesh, knob)
            return { ring, knob }
        })
        const targets = Array.from({ length: 10 }, () => {
            const mark = new Target(palette, 0.02)
            group.add(mark.group)
            return mark
        })
        const lines = Array.from({ length: 5 }, () => {
            const line = new Curve(2, palette.held)
            group.add(line.mesh)
            return line
        })
        const fk = new Path(palette.right, 200, { opacity: 1, dots: 0.0075 }), ik = new Path(palette.held, 200, { opacity: 1, dots: 0.0075 })
        group.add(fk.mesh, ik.mesh)
        let wasIk = false
        stage.setGround({ cell: 0.5, fade: [2, 7] })
        const whole = model.values.body === 'body'
        return {
            framing: whole ? { center: [0.05, 0.9, 0.1], radius: 1.0, azimuth: -32, height: 9 } : { center: [0.14, 1.2, 0.17], radius: 0.7, azimuth: 48, height: 8 },
            tick(current) {
                const { tip } = current.limbs[current.arm], inIk = current.switch.blend(current.arm) === 1
                if (inIk !== wasIk) (inIk ? ik : fk).clear()
                wasIk = inIk
                if (app.values.paths) (inIk ? ik : fk).add(place(current.pose, tip))
            },
            look(key, value) { if (key === 'paths' && !value) [fk, ik].forEach((path) => path.clear()) },
            update(current) {
                figure.update(transforms(current.pose))
                const show = app.values.controls, knobs = current.handles.filter(({ id }) => id.startsWith('ring'))
                rings.forEach(({ ring, knob }, i) => {
                    const it = current.rings[i]
                    ring.mesh.visible = knob.visible = Boolean(it) && show
                    if (!it) return
                    ring.set(it.center, it.normal, it.radius)
                    knob.position.set(...knobs[i].position)
                })
                const others = current.handles.filter(({ id }) => !id.startsWith('ring'))
                targets.forEach((mark, i) => {
                    const it = others[i]
                    mark.group.visible = Boolean(it) && show
                    if (it) mark.update(it.position, stage.camera, it.unmet ? 'unmet' : it.id.startsWith('pole') ? 'dim' : 'met')
                })
                lines.forEach((line, i) => line.set(current.poles[i] && show ? [current.poles[i].from, current.poles[i].at] : []))
            },
        }
    },
})
