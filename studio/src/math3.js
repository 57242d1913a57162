// Vectors [x, y, z] and quaternions [x, y, z, w] of the page. Kinematics is the module's business; this is for
// paths of targets, sketches and cameras.

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s]
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
export const length = (a) => Math.hypot(a[0], a[1], a[2])
export const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
export const mix = (a, b, t) => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t]

/** Of length 1; straight up where there is no direction. */
export function unit(a) {
    const size = length(a)
    return size > 1e-12 ? scale(a, 1 / size) : [0, 1, 0]
}

export function turn(q, v) {
    const [x, y, z, w] = q
    const t = scale(cross([x, y, z], v), 2)
    return add(add(v, scale(t, w)), cross([x, y, z], t))
}

export function multiply([ax, ay, az, aw], [bx, by, bz, bw]) {
    return [
        aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz]
}

export const conjugate = ([x, y, z, w]) => [-x, -y, -z, w]

/** The rotation whose columns are three unit vectors across each other. */
export function fromColumns(x, y, z) {
    const trace = x[0] + y[1] + z[2]
    let q
    if (trace > 0) q = [y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + trace]
    else if (x[0] > y[1] && x[0] > z[2]) q = [1 + x[0] - y[1] - z[2], x[1] + y[0], z[0] + x[2], y[2] - z[1]]
    else if (y[1] > z[2]) q = [x[1] + y[0], 1 - x[0] + y[1] - z[2], y[2] + z[1], z[0] - x[2]]
    else q = [z[0] + x[2], y[2] + z[1], 1 - x[0] - y[1] + z[2], x[1] - y[0]]
    const size = Math.hypot(...q)
    return q.map((value) => value / size)
}

export function aboutAxis(axis, angle) {
    const s = Math.sin(angle / 2)
    return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)]
}

/** A share of the way from one rotation to another. */
export function between(a, b, t) {
    const side = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1
    const q = a.map((value, i) => value * (1 - t) + side * b[i] * t), size = Math.hypot(...q)
    return q.map((value) => value / size)
}

/** Corners of the convex hull of places as seen from above. */
export function hullFromAbove(places) {
    const sorted = [...places].sort((a, b) => a[0] - b[0] || a[2] - b[2])
    const side = (o, a, b) => (a[0] - o[0]) * (b[2] - o[2]) - (a[2] - o[2]) * (b[0] - o[0])
    const half = (list) => {
        const out = []
        for (const place of list) {
            while (out.length > 1 && side(out.at(-2), out.at(-1), place) <= 0) out.pop()
            out.push(place)
        }
        out.pop()
        return out
    }
    return [...half(sorted), ...half(sorted.reverse())]
}
