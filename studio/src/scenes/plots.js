// The plots of the papers, drawn from what runs: operations of algorithms that do the work while they are counted,
// the heel of a walker, a limit's own answers. Computing knows nothing of pictures; drawing is one SVG each.

/** Numbers whose operations are counted, as the literal code of Meredith and Maddock (2004) does them. */
class Counter {
    count = 0
    add(a, b) { this.count++; return a + b }
    sub(a, b) { this.count++; return a - b }
    mul(a, b) { this.count++; return a * b }
    div(a, b) { this.count++; return a / b }
    /** Sum of products, from zero on. */
    dot(n, a, b) {
        let sum = 0
        for (let k = 0; k < n; k++) sum = this.add(sum, this.mul(a(k), b(k)))
        return sum
    }
}

/** Inverse by LU (Doolittle) and substitution of the columns of identity; appendices A and B. */
function invertByLu(matrix, c) {
    const n = matrix.length, upper = matrix.map(() => []), lower = matrix.map(() => [])
    for (let i = 0; i < n; i++) {
        for (let j = i; j < n; j++) upper[i][j] = i === 0 ? matrix[0][j] : c.sub(matrix[i][j], c.dot(i, (k) => lower[i][k], (k) => upper[k][j]))
        lower[i][i] = 1
        // the first column divides its own pivot as well
        for (let j = i === 0 ? 0 : i + 1; j < n; j++) {
            lower[j][i] = c.div(i === 0 ? matrix[j][0] : c.sub(matrix[j][i], c.dot(i, (k) => lower[j][k], (k) => upper[k][i])), upper[i][i])
        }
    }
    const inverse = matrix.map(() => [])
    for (let column = 0; column < n; column++) {
        const y = [], x = []
        for (let i = 0; i < n; i++) y[i] = c.sub(i === column ? 1 : 0, c.dot(i, (k) => lower[i][k], (k) => y[k]))
        for (let i = n - 1; i >= 0; i--) x[i] = c.div(c.sub(y[i], c.dot(n - 1 - i, (k) => upper[i][i + 1 + k], (k) => x[i + 1 + k])), upper[i][i])
        for (let i = 0; i < n; i++) inverse[i][column] = x[i]
    }
    return inverse
}

const minorOf = (matrix, row, column) => matrix.filter((_, i) => i !== row).map((line) => line.filter((_, j) => j !== column))

function determinant(matrix, c) {
    if (matrix.length === 1) return matrix[0][0]
    let sum = null
    for (let j = 0; j < matrix.length; j++) {
        const term = c.mul(matrix[0][j], determinant(minorOf(matrix, 0, j), c))
        sum = sum === null ? term : j % 2 ? c.sub(sum, term) : c.add(sum, term)
    }
    return sum
}

/** Inverse by cofactors over the determinant, expanded along the first row; appendix C for any size. */
function invertByCofactors(matrix, c) {
    const scale = c.div(1, determinant(matrix, c))
    return matrix.map((_, i) => matrix.map((__, j) => c.mul((i + j) % 2 ? -scale : scale, determinant(minorOf(matrix, j, i), c))))
}

/** Operations of both by size, and how far the product with the inverse is from identity. */
export function countOperations(largest = 7) {
    const rows = []
    for (let n = 2; n <= largest; n++) {
        const matrix = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => (i === j ? n : 0) + Math.sin(3 * i + 5 * j + 1)))
        const row = { n, off: 0 }
        for (const [name, invert] of [['lu', invertByLu], ['cofactors', invertByCofactors]]) {
            const counter = new Counter(), inverse = invert(matrix, counter)
            row[name] = counter.count
            for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) row.off = Math.max(row.off, Math.abs(matrix[i].reduce((sum, v, k) => sum + v * inverse[k][j], 0) - (i === j)))
        }
        rows.push(row)
    }
    return rows
}

/** Height of a heel over a swing, shares of its peak, of a walker in the style of the paper: [[share, height], …]. */
export function heelPath(sinew) {
    const scene = new sinew.Scene('MAN18'), pose = new sinew.Pose(scene.skeleton)
    const walker = new sinew.Walker(scene.skeleton, { style: 'paper', paper: { heel_rise: 0 } }) // as published: it lands and leaves flat
    walker.steering.forward = 1
    const points = []
    let steps = 0, was = false
    for (let i = 0; i < 1200 && steps < 4; i++) {
        walker.update(1 / 240, pose)
        const [leg] = walker.legs
        if (was && !leg.is_swinging) steps++
        was = leg.is_swinging
        if (leg.is_swinging && steps === 3) points.push([leg.swing, leg.heel.y])
    }
    for (const thing of [walker, pose, scene]) thing.dispose()
    const ground = Math.min(points[0][1], points.at(-1)[1]), peak = Math.max(...points.map(([, y]) => y)) - ground
    return points.map(([share, y]) => [share, (y - ground) / peak])
}

/** Meredith and Maddock (2004), eq. 1.15, shares of its peak. */
export const liftCurve = (share) => {
    const u = share * 3 * Math.PI
    return (u <= Math.PI ? 1 - Math.cos(u) : 1 - Math.cos((Math.PI + u) / 2)) / 2
}

/** Directions that leave a window, and where two responses put them; all as [right, up], degrees from the middle. */
export function responses(sinew) {
    const corners = [[55, 12], [28, 42], [-24, 38], [-48, -6], [-10, -34], [36, -26]]
    const ray = ([right, up]) => {
        const swing = Math.hypot(right, up) * Math.PI / 180, s = Math.sin(swing) / Math.hypot(right, up)
        return [Math.cos(swing), right * s, up * s]
    }
    const flat = ([x, y, z]) => {
        const away = Math.hypot(y, z), swing = Math.atan2(away, x) * 180 / Math.PI
        return away < 1e-12 ? [0, 0] : [(y / away) * swing, (z / away) * swing]
    }
    const turnTo = ([x, y, z]) => {
        // the shortest turn of +x there
        const w = 1 + x, length = Math.hypot(w, y, z)
        return [0, -z / length, y / length, w / length]
    }
    const attempts = Array.from({ length: 17 }, (_, i) => {
        const angle = (-10 + 12 * i) * Math.PI / 180
        return [76 * Math.cos(angle), 76 * Math.sin(angle)]
    })
    const answers = ['closest', 'intersection'].map((response) => {
        const limit = sinew.BallLimit.create({ windows: [{ rays: corners.map(ray) }], response })
        const ends = attempts.map((attempt) => flat(limit.measure(limit.clamp(turnTo(ray(attempt)))).direction))
        limit.dispose()
        return ends
    })
    return { corners, attempts, closest: answers[0], intersection: answers[1] }
}

// ---------------------------------------------------------------------------------------------
// Drawing

const width = 520, height = 240
const line = (points, color, more = '') => `<polyline points="${points.map((p) => p.map((v) => v.toFixed(1)).join()).join(' ')}" fill="none" stroke="${color}" stroke-width="2" ${more}/>`
const dot = ([x, y], color, r = 3.5) => `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${r}" fill="${color}"/>`
const text = (x, y, words, more = '') => `<text x="${x}" y="${y}" ${more}>${words}</text>`

function frame(xs, ys, map, xTitle, yTitle) {
    const left = 58, bottom = height - 34
    return [
        ...ys.map(([value, label]) => { const [, y] = map(xs[0][0], value); return `<line x1="${left}" x2="${width - 16}" y1="${y}" y2="${y}" stroke="var(--line)"/>${text(left - 8, y + 4, label, 'text-anchor="end"')}` }),
        ...xs.map(([value, label]) => { const [x] = map(value, ys[0][0]); return text(x, bottom + 16, label, 'text-anchor="middle"') }),
        text((left + width) / 2, height - 3, xTitle, 'text-anchor="middle"'), text(left, 12, yTitle),
    ].join('')
}
const box = (x0, x1, y0, y1) => (x, y) => [58 + 12 + ((x - x0) / (x1 - x0)) * (width - 100), height - 34 - ((y - y0) / (y1 - y0)) * (height - 60)]

const drawings = {
    flops() {
        const rows = countOperations(), map = box(2, 7, 0.8, 5.2), log = Math.log10
        const of = (key) => rows.map((row) => map(row.n, log(row[key])))
        const powers = [1, 2, 3, 4, 5].map((p) => [p, (10 ** p).toLocaleString('en').replace(',', '\u2009')])
        const last = rows.at(-1)
        return [frame(rows.map(({ n }) => [n, n]), powers, map, 'size n of the matrix', 'operations of an inverse'),
            line(of('cofactors'), 'var(--bad)', 'stroke-dasharray="5 4"'), line(of('lu'), 'var(--accent)'), ...of('cofactors').map((p) => dot(p, 'var(--bad)')), ...of('lu').map((p) => dot(p, 'var(--accent)')),
            text(...map(4.6, log(5200)), 'cofactors', 'fill="var(--bad)" text-anchor="end"'), text(...map(5.4, log(160)), 'LU and substitution', 'fill="var(--accent)"')].join('')
            + `<title>Operations of an inverse by size: ${rows.map(({ n, lu, cofactors }) => `${n}: LU ${lu}, cofactors ${cofactors}`).join('; ')}; product with the matrix off by ${last.off.toExponential(0)}</title>`
    },
    lift(sinew) {
        const map = box(0, 1, 0, 1), points = heelPath(sinew)
        const curve = Array.from({ length: 91 }, (_, i) => map(i / 90, liftCurve(i / 90)))
        return [frame([[0, '0'], [1 / 3, 'π'], [2 / 3, '2π'], [1, '3π']], [[0, '0'], [0.5, '½'], [1, '1']], map, 'u, over one swing', 'height of the heel'),
            line(curve, 'var(--accent)'), ...points.filter((_, i) => i % 3 === 0).map(([share, y]) => dot(map(share, y), 'var(--left)', 2.6)),
            text(...map(0.52, 0.93), 'eq. 1.15', 'fill="var(--accent)"'), text(...map(0.72, 0.72), 'heel of the walker', 'fill="var(--left)"')].join('') + '<title>Lift of the heel: eq. 1.15, and the heel of the walker in the style of the paper</title>'
    },
    window(sinew) {
        const { corners, attempts, closest, intersection } = responses(sinew)
        const at = ([x, y]) => [178 + x * 1.75, 160 - y * 1.75]
        const loop = corners.map(at).map((p) => p.map((v) => v.toFixed(1)).join()).join(' ')
        return [`<polygon points="${loop}" fill="var(--accent)" fill-opacity=".1" stroke="var(--quiet)" stroke-width="1.5"/>`, dot(at([0, 0]), 'var(--ink)', 4),
            line(attempts.map(at), 'var(--line)'),
            ...attempts.map((from, i) => `${line([at(from), at(closest[i])], 'var(--accent)', 'stroke-opacity=".35"')}${line([at(from), at(intersection[i])], 'var(--left)', 'stroke-opacity=".35"')}`),
            ...attempts.map((p) => dot(at(p), 'var(--quiet)', 2.2)), ...intersection.map((p) => dot(at(p), 'var(--left)', 3.4)), ...closest.map((p) => dot(at(p), 'var(--accent)', 3.4)),
            text(340, 100, 'closest: lingers in corners', 'fill="var(--accent)"'), text(340, 122, 'intersection: along the wall', 'fill="var(--left)"')].join('')
            + '<title>Where a bone ends that was sent outside its window: closest point of the side, and intersection with it</title>'
    },
}

/** What can be shown below the bodies: [name, label, caption]. */
export const plots = [
    ['flops', 'operations', 'Meredith and Maddock (2004), figure 1.2: operations counted while inverses are computed here.'],
    ['lift', 'lift of the heel', 'Meredith and Maddock (2004), figure 1.4: the curve, and the heel of a walker in that style.'],
    ['window', 'limit responses', 'Blow (2002), figure 2: where a bone ends that was sent outside its window.'],
]

/** One of them as SVG. */
export function plot(name, sinew) {
    return `<svg viewBox="0 0 ${width} ${height}" role="img" font-size="13.5" fill="var(--quiet)" style="width:100%;height:auto;display:block">${drawings[name](sinew)}</svg>`
}
