// The same targets on several methods side by side, and what each of them costs.
import { register } from './scene.js'
import { jointsOf, methods, place, setSolver, transforms } from './common.js'
import { Figure } from '../stage/figure.js'
import { Curve, Target } from '../stage/marks.js'
import { add, sub } from '../math3.js'
import { plot, plots } from './plots.js'

const bodies = { ARM: ['Grip'], SPINEARM: ['Grip'], MAN18: ['LeftHandEnd', 'RightHandEnd'], CHAIN30: [null], LEG: ['Heel'] }
// key, heading, what rows are sorted by (NaN: nothing yet), and how that is written
const columns = [
    ['method', 'Method', ({ name }) => name, (name) => name],
    ['success', 'Met', ({ met, count }) => met / Math.max(count, 1), (share) => `${(100 * share).toFixed(1)} %`],
    ['error', 'Mean error', ({ error, count }) => error / Math.max(count, 1), (metres) => (metres < 1e-4 ? `${(metres * 1e6).toFixed(1)} µm` : `${(metres * 1e3).toFixed(2)} mm`)],
    ['iterations', 'Iterations', ({ iterations, count }) => iterations / Math.max(count, 1), (each) => each.toFixed(1)],
    ['micros', 'µs', ({ millis, timed }) => (millis / timed) * 1000, (micros) => micros.toFixed(1)],
    ['violation', 'Beyond limits', ({ violation }) => violation, (radians) => (radians < 1e-9 ? '0' : `${(radians * 180 / Math.PI).toExponential(0)}°`)],
    ['condition', 'Condition', ({ condition, conditioned }) => condition / conditioned, (number) => number.toFixed(1)],
    ['share', 'Largest share', ({ share, shared }) => share / Math.max(shared, 1), (share) => `${Math.round(100 * share)} %`],
]
const cell = ([, , value, text], row) => (Number.isNaN(value(row)) ? '–' : text(value(row)))

/** Rows in the order of a column; those that have nothing in it come last. */
function sortedRows(rows, { column, falls }) {
    const value = columns[column][2]
    const [known, unknown] = [rows.filter((row) => !Number.isNaN(value(row))), rows.filter((row) => Number.isNaN(value(row)))]
    known.sort((a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0))
    return [...falls ? known.reverse() : known, ...unknown]
}

class Lab {
    constructor(sinew, values) {
        Object.assign(this, { sinew, values })
        this.framingKey = values.body
        const { Pose, Scene, Solver } = sinew
        this.scene = new Scene(values.body)
        this.skeleton = this.scene.skeleton
        const names = [values.a, values.b, values.c, values.d].filter((name) => name !== 'none')
        this.joints = bodies[values.body].map((name) => name === null ? this.skeleton.joint_count - 1 : this.skeleton.index(name))
        this.goalPose = new Pose(this.skeleton)
        this.columns = names.map((method, i) => {
            const solver = new Solver(this.skeleton, { max_goals: 4 })
            setSolver(solver, { method, iterations: values.iterations, lambda: 0, start: 'rest', limits: 'active' })
            return {
                method, solver, pose: new Pose(this.skeleton).forward(), goals: this.joints.map((joint) => solver.position(joint)),
                row: { name: methods.find(([key]) => key === method)[1], method, index: i, count: 0, met: 0, error: 0, iterations: 0, millis: 0, timed: 0, violation: 0, condition: 0, conditioned: 0, share: 0, shared: 0 },
            }
        })
        this.rest = new Pose(this.skeleton).forward()
        this.targets = this.joints.map((joint, i) => ({ id: i, label: this.skeleton.names[joint], joint, position: place(this.rest, joint) }))
        this.gap = { ARM: 0.52, SPINEARM: 0.6, MAN18: 0.95, LEG: 0.55, CHAIN30: 0.34 }[values.body]
        // taken hold of at the first copy
        this.handles = this.targets.map(({ id, label, position }) => ({ id, label, position: add(position, this.shift(0)) }))
        this.count = 0
        this.wait = 0
        this.isHeld = false
        this.figures = { error: 0, iterations: 0 }
        this.next()
    }

    /** Where a copy stands. */
    shift(copy) { return [(copy - (this.columns.length - 1) / 2) * this.gap, 0, 0] }

    /** A problem that can be met: where a random pose inside the limits has the tips. */
    next() {
        this.scene.randomPose(1, this.count++, this.goalPose)
        this.goalPose.forward()
        this.targets.forEach((target, i) => {
            target.position = place(this.goalPose, target.joint)
            this.handles[i].position = add(target.position, this.shift(0))
        })
    }

    tick() {
        if (!this.isHeld && this.values.renew && ++this.wait >= this.values.every) {
            this.wait = 0
            this.next()
            this.solve(true)
        } else if (this.isHeld) {
            this.solve(false)
        }
    }

    solve(isCounted) {
        let error = 0, iterations = 0
        const { skeleton } = this
        for (const column of this.columns) {
            const { pose, solver, goals, row } = column
            goals.forEach((goal, i) => goal.set(...this.targets[i].position))
            pose.copy(this.rest)
            const begin = performance.now()
            const report = solver.solve(pose)
            const spent = performance.now() - begin
            pose.forward()
            column.met = report.outcome === 'converged'
            error = Math.max(error, report.position_error)
            iterations = Math.max(iterations, report.iterations)
            if (!isCounted) continue
            row.count++
            row.met += column.met
            row.error += report.position_error
            row.iterations += report.iterations
            row.violation = Math.max(row.violation, report.limit_violation)
            if (row.count > 5) {
                // the first solves of a fresh module are compiled while they run
                row.millis += spent
                row.timed++
            }
            // of J where it came to: by how much easier the tip moves one way than another
            if (column.met) {
                const { smallest_singular, largest_singular } = solver.diagnose(pose)[0]
                if (smallest_singular > 1e-9) {
                    row.condition += largest_singular / smallest_singular
                    row.conditioned++
                }
            }
            // the joint that turned most, as a share of all turning: CCD moves some joints much more than others
            let sum = 0, most = 0
            for (let i = 0; i < skeleton.coordinate_count; i++) {
                const moved = Math.abs(pose.q[i] - this.rest.q[i])
                sum += moved
                most = Math.max(most, moved)
            }
            if (sum > 1e-6) {
                row.share += most / sum
                row.shared++
            }
        }
        this.figures = { error, iterations }
    }

    drag(id, at) {
        this.isHeld = true
        this.handles[id].position = at
        this.targets[id].position = sub(at, this.shift(0))
    }

    act(name) {
        if (name !== 'again') return
        this.isHeld = false
        this.count = 0
        for (const { row } of this.columns) Object.assign(row, { count: 0, met: 0, error: 0, iterations: 0, millis: 0, timed: 0, violation: 0, condition: 0, conditioned: 0, share: 0, shared: 0 })
    }

    get asks() { return { copy: (app) => app.copy(markdown(this)) } }
    set(key, value, values) {
        this.values = values
        return key === 'run' || key === 'every'
    }
    outcome() { return this.columns.map(({ row }) => `${row.name}: ${row.met} of ${row.count}`).join(', ') }
    state() { return this.columns.map(({ pose }) => pose.q) }
    dispose() {
        for (const { solver, pose } of this.columns) {
            solver.dispose()
            pose.dispose()
        }
        for (const thing of [this.goalPose, this.rest, this.scene]) thing.dispose()
    }
}

function markdown({ columns: list, values }) {
    const lines = [`| ${columns.map(([, title]) => title).join(' | ')} |`, `|${columns.map(() => '---').join('|')}|`]
    for (const { row } of list) lines.push(`| ${columns.map((column) => cell(column, row)).join(' | ')} |`)
    return `${values.body}, ${list[0]?.row.count ?? 0} reachable random targets, cold, ${values.iterations || 'default'} iterations\n\n${lines.join('\n')}\n`
}

const choice = (key, label, initial) => ({ key, group: 'Methods', label, kind: 'choice', initial, choices: [...methods, ['none', '–']] })

register({
    name: 'lab',
    title: 'Lab',
    hint: { title: 'The same targets, side by side', text: 'Each method starts from the same pose at the same random target. Drag a target to try your own.' },
    caption: 'After Meredith and Maddock (2004), table 1.4. Times are this browser’s.',
    controls: [
        choice('a', 'First', 'auto'), choice('b', 'Second', 'damped'), choice('c', 'Third', 'ccd'), choice('d', 'Fourth', 'transpose'),
        { key: 'body', group: 'Problem', label: 'Body', kind: 'choice', initial: 'ARM', choices: [['ARM', 'arm'], ['SPINEARM', 'spine and arm'], ['MAN18', 'human, both hands'], ['LEG', 'leg'], ['CHAIN30', 'chain of 30']] },
        { key: 'iterations', group: 'Problem', label: 'Iterations at most', kind: 'range', initial: 0, min: 0, max: 200, step: 1, zeroText: 'as each has it', help: '0: as each method has it' },
        { key: 'renew', group: 'Problem', label: 'New targets', kind: 'toggle', initial: true },
        { key: 'every', group: 'Problem', label: 'Frames between', kind: 'range', initial: 12, min: 1, max: 60, step: 1 },
        { key: 'show', group: 'Look', label: 'Below', kind: 'choice', look: true, initial: 'table', choices: [['table', 'table of methods'], ...plots.map(([key, label]) => [key, label])], help: 'Plots of the papers, from counted code' },
        { key: 'again', group: 'Problem', label: 'Count again', kind: 'action' },
        { key: 'copy', group: 'Problem', label: 'Copy table', kind: 'action', help: 'As Markdown' },
    ],
    code: (v) => `
import { load, Pose, Scene, Solver } from 'sinew'

await load()
const scene = new Scene('${v.body}'), { skeleton } = scene
const target = new Pose(skeleton), pose = new Pose(skeleton)
for (const method of [${[v.a, v.b, v.c, v.d].filter((name) => name !== 'none').map((name) => `'${name}'`).join(', ')}]) {
  const solver = new Solver(skeleton, { method })
  const goal = solver.position(${bodies[v.body][0] ? `'${bodies[v.body][0]}'` : 'skeleton.joint_count - 1'})
  let met = 0
  for (let i = 0; i < 1000; i++) {
    goal.copy(scene.randomPose(1, i, target).forward().world[goal.joint].position)
    met += solver.solve(pose.rest()).outcome === 'converged'
  }
  console.log(method, met / 10, '%')
}`,
    model: (sinew, values) => new Lab(sinew, values),

    view(kit, model) {
        const { palette, group, stage, el, overlay } = kit, size = model.skeleton.size, joints = jointsOf(model.skeleton)
        const count = model.columns.length, { gap } = model, shift = (i) => model.shift(i)
        const copies = model.columns.map((column, i) => {
            const figure = new Figure(palette, joints, { tint: palette.method[i], thickness: model.values.body === 'CHAIN30' ? 0.5 : 0.3 })
            figure.group.position.set(...shift(i))
            const marks = model.targets.map(() => {
                const mark = new Target(palette, size * 0.022)
                group.add(mark.group)
                return mark
            })
            const miss = new Curve(2, palette.unmet)
            group.add(figure.group, miss.mesh)
            return { figure, marks, miss }
        })
        const body = el('tbody', {})
        let sorted = null
        const table = el('div', { className: 'table', role: 'region', 'aria-label': 'Figures of each method', tabIndex: 0 }, el('table', {},
            el('thead', {}, el('tr', {}, columns.map(([, title], i) => el('th', { scope: 'col' }, el('button', { type: 'button', onclick: () => sort(i) }, title))))), body))
        // a plot of a paper takes the table's place
        const words = el('figcaption', {}), drawn = el('div', {}), sheet = el('figure', { className: 'plot', hidden: true }, drawn, words)
        overlay.append(table, sheet)
        const choose = (key) => {
            const found = plots.find(([name]) => name === key)
            table.hidden = Boolean(found)
            sheet.hidden = !found
            if (!found) return
            drawn.innerHTML = plot(key, model.sinew)
            words.textContent = found[2]
        }
        choose(kit.app.values.show)
        let shown = ''
        // smallest first, with a second click largest first, with a third as they stand
        const sort = (column) => {
            sorted = sorted?.column !== column ? { column, falls: false } : sorted.falls ? null : { column, falls: true }
            table.querySelectorAll('thead th').forEach((head, i) => {
                if (sorted?.column === i) head.setAttribute('aria-sort', sorted.falls ? 'descending' : 'ascending')
                else head.removeAttribute('aria-sort')
            })
            fill(true)
        }
        const fill = (again) => {
            let rows = model.columns.map(({ row }) => row)
            if (sorted !== null) rows = sortedRows(rows, sorted)
            const text = JSON.stringify(rows)
            if (!again && text === shown) return
            shown = text
            body.replaceChildren(...rows.map((row) => el('tr', {}, columns.map((column, i) => {
                if (i > 0) return el('td', {}, cell(column, row))
                const swatch = el('span', { className: 'swatch' })
                swatch.style.background = `#${palette.method[row.index].toString(16).padStart(6, '0')}`
                return el('th', { scope: 'row' }, swatch, cell(column, row))
            }))))
        }
        // the table takes the lower third of the picture: bodies stand above it
        const middle = { ARM: [0.32, 1.08, 0], SPINEARM: [0.2, 1.02, 0], MAN18: [0, 0.55, 0], LEG: [0.1, 0.25, 0], CHAIN30: [0, 0.02, 0] }[model.values.body]
        stage.setGround(size < 0.4 ? { cell: 0.1, fade: [1, 3] } : { cell: 0.5, fade: [2.5, 8] })
        return {
            framing: { center: middle, radius: Math.max(0.54 * gap * count, size * 0.95) * (stage.camera.aspect < 1 ? 1.4 : 1), azimuth: 12, height: 9 },
            update(current) {
                current.columns.forEach(({ pose, met }, i) => {
                    const { figure, marks, miss } = copies[i]
                    figure.update(transforms(pose))
                    current.targets.forEach((target, k) => marks[k].update(add(target.position, shift(i)), stage.camera, met === false ? 'unmet' : 'met'))
                    const [target] = current.targets
                    miss.set([add(target.position, shift(i)), add(place(pose, target.joint), shift(i))])
                })
                fill()
            },
            look(key, value) { if (key === 'show') choose(value) },
            dispose() {
                table.remove()
                sheet.remove()
            },
        }
    },
})
