// MovingIK: a character walks wherever it is steered, on any ground, without a recording. Meredith and Maddock (2004).
import { register } from './scene.js'
import { jointsOf, transforms } from './common.js'
import { Figure } from '../stage/figure.js'
import { CrowdMesh, Skin } from '../stage/skin.js'
import { Fan, Path, pyramid } from '../stage/marks.js'
import { MovingGround } from '../stage/ground.js'
import { add, scale, turn as rotate, aboutAxis } from '../math3.js'

const bodies = { man: 'MAN18', dog: 'QUADRUPED', spider: 'SPIDER' }
// the style of the paper is one of two legs
const styleOf = ({ body, style }) => (body === 'man' ? style : 'natural')
const terrains = [['flat', 'level'], ['hills:3', 'hills'], ['rough:2', 'rough'], ['stairs:0.17,0.29', 'stairs'], ['ramp:12', 'ramp']]

export const isStepped = (terrain) => /^(stairs|ramp)/.test(terrain)

/** How finely a ground is drawn; stairs as they are, with their edges. */
export function groundCells(terrain, size, quality) {
    if (isStepped(terrain)) return { size, columns: 2, rows: Math.round(size / 0.02), steps: true }
    return { size, columns: quality === 'low' ? 120 : 240 }
}

/** Numbers of a seed, for the paths of a crowd: the same everywhere. */
function randomOf(seed) {
    let state = seed >>> 0 || 1
    return () => {
        state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9 >>> 0
        return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
    }
}

class Walk {
    hasStick = true
    handles = []

    constructor(sinew, values) {
        Object.assign(this, { sinew, values })
        this.framingKey = values.body
        this.scene = new sinew.Scene(bodies[values.body])
        this.skeleton = this.scene.skeleton
        this.terrain = new sinew.Terrain(values.terrain)
        this.auto = values.auto
        this.wanted = [0, 0, 0]
        this.time = 0
        const settings = { ground: this.terrain, style: styleOf(values), rows: values.rows, response: values.response, paper: { stride: values.stride } }
        this.walker = new sinew.Walker(this.skeleton, settings)
        this.pose = new sinew.Pose(this.skeleton)
        this.gatherCrowd(Number(values.crowd) - 1, settings)
        this.figures = { error: 0, iterations: 0 }
        this.step(1e-9)
        this.isMet = true
    }

    /** Others, on paths of their own about the first one. */
    gatherCrowd(count, settings) {
        this.crowd = null
        if (!count) return
        const random = randomOf(7), side = Math.ceil(Math.sqrt(count + 1)), gap = this.values.body === 'spider' ? 1 : 1.9
        const places = []
        for (let i = 0; places.length < count; i++) {
            const column = (i % side) - (side - 1) / 2, row = Math.floor(i / side) - (side - 1) / 2
            const place = { x: (column + 0.3 * random()) * gap, z: (row + 0.3 * random()) * gap, heading: random() * 2 * Math.PI }
            if (Math.hypot(place.x, place.z) > 0.5 * gap || i >= side * side) places.push(place)
        }
        this.crowd = new this.sinew.Crowd(this.skeleton, count, { ...settings, share: this.walker, place: (i) => places[i] })
        for (const steering of this.crowd.steering) steering.assign({ forward: 0.7 + 0.7 * random(), turn: (random() - 0.5) * 0.7 })
    }

    stick(x, y, strafe) {
        this.wanted = [x, y, strafe]
        if (x || y) this.auto = false
    }

    tick(dt) {
        this.time += dt
        this.step(dt)
    }

    step(dt) {
        const { values } = this, own = this.walker.steering
        if (this.auto) {
            own.assign({ forward: values.speed, left: 0, turn: 0.22 * Math.sin(this.time * 0.23) })
        } else {
            const [x, y, strafe] = this.wanted
            own.forward = y >= 0 ? y * values.speed : y * Math.min(values.speed, 0.8)
            own.turn = strafe ? 0 : -x * 1.5
            own.left = strafe ? -x * 0.5 : 0
        }
        let error = 0, iterations = 0
        const report = this.walker.update(dt, this.pose)
        this.crowd?.update(dt)
        for (const leg of this.walker.legs) {
            error = Math.max(error, leg.position_error)
            iterations += leg.iterations
        }
        this.isMet = report.is_met
        this.pose.forward()
        this.figures = { error, iterations }
    }

    set(key, value, values) {
        this.values = values
        if (key === 'speed') return true
        if (key === 'auto') {
            this.auto = value
            return true
        }
        if (key === 'rows') {
            for (const walker of [this.walker, ...(this.crowd?.walkers ?? [])]) walker.setRows(value)
            return true
        }
        return false
    }

    outcome() {
        const report = this.walker.report
        return `${report.is_walking ? 'walking' : 'standing'}, ${report.step_count} steps, ${report.distance.toFixed(1)} metres${report.is_met ? '' : ', a foot does not reach'}`
    }

    state() { return this.crowd ? [this.pose.q, this.crowd.poses] : [this.pose.q] }

    dispose() {
        for (const thing of [this.crowd, this.walker, this.pose, this.terrain, this.scene]) thing?.dispose?.()
    }
}

register({
    name: 'walk',
    title: 'Walk',
    isLive: true,
    hint: { title: 'W A S D, gamepad or the stick', text: 'There is no recording: every foothold is found on the ground, every leg solved.' },
    caption: 'Meredith and Maddock (2004), MovingIK. Green pyramids: where a foot will land; red: the toes it leaves from; triangles: planted feet.',
    controls: [
        { key: 'body', group: 'Walker', label: 'Body', kind: 'choice', initial: 'man', choices: [['man', 'human'], ['dog', 'dog'], ['spider', 'spider']] },
        { key: 'terrain', group: 'Walker', label: 'Ground', kind: 'choice', initial: 'hills:3', choices: terrains, free: (text) => /^(flat|hills|rough|stairs|ramp)(:[\d.,-]+)?$/.test(text) },
        { key: 'speed', group: 'Walker', label: 'Speed', kind: 'range', initial: 1.3, min: 0.2, max: 2.2, step: 0.05, unit: 'm/s', digits: 2, help: 'Of full deflection' },
        { key: 'auto', group: 'Walker', label: 'Walks by itself', kind: 'toggle', initial: true },
        { key: 'crowd', group: 'Walker', label: 'Crowd', kind: 'choice', initial: '1', choices: [['1', 'one'], ['20', '20'], ['100', '100'], ['500', '500']] },
        { key: 'style', group: 'Gait', label: 'Style', kind: 'choice', initial: 'natural', choices: [['natural', 'natural'], ['paper', 'of the paper']], show: (v) => v.body === 'man' },
        { key: 'stride', group: 'Gait', label: 'Stride length', kind: 'range', initial: 0, min: 0, max: 1.5, step: 0.05, digits: 2, zeroText: 'by speed', show: (v) => v.body === 'man' && v.style === 'paper', help: 'Of that of the paper, apart from the speed; 0: by speed' },
        { key: 'response', group: 'Gait', label: 'Answers', kind: 'choice', initial: 'calm', choices: [['calm', 'with time'], ['game', 'at once']], show: (v) => v.body === 'man' && v.style === 'natural' },
        { key: 'rows', group: 'Gait', label: 'Jacobian', kind: 'choice', initial: 'auto', choices: [['auto', 'automatic'], ['half', 'half'], ['full', 'full'], ['hybrid', 'hybrid']], show: (v) => v.body === 'man' },
        { key: 'figure', group: 'Look', label: 'Figure', kind: 'choice', look: true, initial: 'skin', choices: [['skin', 'character'], ['stick', 'stick figure']] },
        { key: 'marks', group: 'Look', label: 'Goals and plants', kind: 'toggle', look: true, initial: true },
        { key: 'trail', group: 'Look', label: 'Paths of feet', kind: 'toggle', look: true, initial: false },
        {
            key: 'facts', group: 'Reading', kind: 'facts', facts: ({ walker, crowd }) => {
                const report = walker.report
                return [['Steps', String(report.step_count)], ['Way', `${report.distance.toFixed(2)} m`], ['Speed', `${report.motion.forward.toFixed(2)} m/s`],
                    ['Frames unmet', String(report.unmet_frames)], ['Walkers', String(1 + (crowd?.count ?? 0))]]
            },
        },
    ],
    code: (v) => `
import { load, Pose, Scene, Terrain, Walker } from 'sinew'

await load()
const body = new Scene('${bodies[v.body]}').skeleton
const ground = new Terrain('${v.terrain}')
const walker = new Walker(body, { ground, style: '${styleOf(v)}', rows: '${v.rows}' })
const pose = new Pose(body)

function frame(stick, dt) {
  walker.steer(stick.x, stick.y).update(dt, pose)
  for (const leg of walker.legs) mark(leg.foothold, leg.is_swinging)
}`,
    model: (sinew, values) => new Walk(sinew, values),

    view(kit, model) {
        const { palette, group, stage, app } = kit
        const small = model.values.body === 'spider', size = { man: 1.75, dog: 0.8, spider: 0.35 }[model.values.body]
        const many = Boolean(model.crowd)
        const joints = jointsOf(model.skeleton)
        const stick = new Figure(palette, joints, { thickness: small ? 0.17 : 0.26 })
        const skin = new Skin(model.sinew, model.skeleton, palette)
        group.add(stick.group)
        group.add(skin.mesh)
        const crowd = many ? new CrowdMesh(palette, model.crowd, joints) : null
        if (crowd) group.add(crowd.mesh)

        const isFlat = model.values.terrain === 'flat'
        const ground = isFlat ? null : new MovingGround(palette, (x, z) => model.terrain.sample(x, z).height, groundCells(model.values.terrain, small ? 8 : many ? 64 : 36, stage.quality))
        if (ground) stage.replaceGround(ground.mesh)
        stage.setGround(small ? { cell: 0.25, fade: [1.2, 3.6] } : { cell: 1, fade: many ? [14, 30] : [7, 17] })
        if (ground) stage.groundUniforms.contours.value = small || isStepped(model.values.terrain) ? 0 : 1

        const legs = [...model.walker.legs].length
        const marks = Array.from({ length: legs }, () => {
            const lead = pyramid(size * 0.055, palette.lead), trail = pyramid(size * 0.04, palette.trail), plant = new Fan(1, palette.trail, { opacity: 0.85 })
            const path = new Path(palette.path, 160)
            group.add(lead, trail, plant.mesh, path.mesh)
            return { lead, trail, plant, path }
        })
        const root = model.walker.report.root
        const center = [root.x, root.y + size * 0.5, root.z]
        return {
            framing: { center, radius: many ? 4.6 : size * (small ? 0.95 : 0.78), azimuth: 138, height: many ? 22 : 12 },
            tick(current) {
                current.walker.legs.forEach?.((leg, i) => { if (app.values.trail) marks[i].path.add([leg.ball.x, leg.ball.y + 0.01, leg.ball.z]) })
            },
            look(key, value) { if (key === 'trail' && !value) for (const { path } of marks) path.clear() },
            update(current) {
                const { root } = current.walker.report
                const wantsSkin = app.values.figure === 'skin'
                stick.group.visible = !wantsSkin
                skin.mesh.visible = wantsSkin
                if (wantsSkin) skin.update(current.pose)
                else stick.update(transforms(current.pose))
                crowd?.update()
                ground?.follow(root.x, root.z)
                const hips = current.walker.report.hips
                stage.follow(hips.x, root.y + size * 0.5, hips.z)
                ;[...current.walker.legs].forEach((leg, i) => {
                    const { lead, trail, plant } = marks[i], show = app.values.marks
                    lead.visible = show && leg.is_swinging
                    trail.visible = show && leg.is_swinging
                    plant.mesh.visible = show && !leg.is_swinging
                    const land = [leg.foothold.x, leg.foothold.y, leg.foothold.z]
                    lead.position.set(...land)
                    trail.position.set(leg.toe.x, leg.toe.y + 0.01 * size, leg.toe.z)
                    const foot = [leg.ball.x, leg.ball.y + 0.004 * size, leg.ball.z]
                    const way = (angle) => add(foot, scale(rotate(aboutAxis([0, 1, 0], leg.foot_heading + angle), [0, 0, 1]), size * 0.05))
                    plant.set(way(0), [way(2.4), way(-2.4)], false)
                })
            },
            dispose() { skin.dispose() },
        }
    },
})
