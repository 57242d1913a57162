// Where a bone may point, drawn flat: the distance from the middle is the swing, the direction its azimuth. Corners
// can be dragged here as well as in the canvas.
const NS = 'http://www.w3.org/2000/svg'
const size = 190, reach = 78 // pixels; of a swing of 180 degrees

function node(name, attributes) {
    const it = document.createElementNS(NS, name)
    for (const [key, value] of Object.entries(attributes)) it.setAttribute(key, value)
    return it
}

const place = (azimuth, swing) => {
    const a = (azimuth * Math.PI) / 180, r = (swing / 180) * reach
    return [size / 2 + r * Math.cos(a), size / 2 - r * Math.sin(a)]
}

/** Sketch of one ball: onMove(index, swing in degrees), onTwist(which, degrees). */
export class Sketch {
    constructor(el, { title, onMove }) {
        this.svg = node('svg', { viewBox: `0 0 ${size} ${size}`, width: size, height: size, role: 'img', 'aria-label': `${title}: where its bone may point` })
        for (const swing of [60, 120, 180]) {
            this.svg.append(node('circle', { cx: size / 2, cy: size / 2, r: (swing / 180) * reach, fill: 'none', stroke: 'var(--line)' }))
            if (swing < 180) {
                const label = node('text', { x: size / 2 + 3, y: size / 2 - (swing / 180) * reach - 3, 'font-size': 9, fill: 'var(--quiet)' })
                label.textContent = `${swing}°`
                this.svg.append(label)
            }
        }
        this.loop = node('polygon', { fill: 'var(--accent)', 'fill-opacity': 0.13, stroke: 'var(--accent)', 'stroke-width': 1.5, 'stroke-linejoin': 'round' })
        this.arc = node('path', { fill: 'none', stroke: 'var(--left)', 'stroke-width': 4, 'stroke-linecap': 'round' })
        this.needle = node('circle', { r: 3.5, fill: 'var(--left)', stroke: 'var(--panel)' })
        this.dot = node('circle', { r: 4.5, fill: 'var(--ink)' })
        this.svg.append(this.loop, this.arc, this.needle, this.dot)
        this.corners = []
        this.onMove = onMove
        this.element = el('div', { className: 'sketch' }, el('b', {}, title), this.svg)
    }

    /** windows: [[azimuth, swing], …], twist: [lower, upper], now: { azimuth, swing, twist }, all degrees. */
    update(window, twist, now) {
        this.loop.setAttribute('points', window.map(([a, s]) => place(a, s).map((v) => v.toFixed(1)).join()).join(' '))
        while (this.corners.length < window.length) this.addCorner(this.corners.length)
        window.forEach(([a, s], i) => {
            const [x, y] = place(a, s)
            this.corners[i].setAttribute('cx', x.toFixed(1))
            this.corners[i].setAttribute('cy', y.toFixed(1))
        })
        const [x, y] = place(now.azimuth, now.swing)
        this.dot.setAttribute('cx', x.toFixed(1))
        this.dot.setAttribute('cy', y.toFixed(1))
        const rim = (angle) => {
            const a = ((90 + angle) * Math.PI) / 180
            return [size / 2 + 90 * Math.cos(a), size / 2 - 90 * Math.sin(a)]
        }
        const [x0, y0] = rim(twist[0]), [x1, y1] = rim(twist[1]), [xn, yn] = rim(now.twist)
        this.arc.setAttribute('d', `M${x0.toFixed(1)} ${y0.toFixed(1)}A90 90 0 ${twist[1] - twist[0] > 180 ? 1 : 0} 0 ${x1.toFixed(1)} ${y1.toFixed(1)}`)
        this.needle.setAttribute('cx', xn.toFixed(1))
        this.needle.setAttribute('cy', yn.toFixed(1))
    }

    addCorner(index) {
        const corner = node('circle', { r: 4.5, fill: 'var(--panel)', stroke: 'var(--accent)', 'stroke-width': 2, style: 'cursor: grab; touch-action: none' })
        corner.addEventListener('pointerdown', (event) => {
            corner.setPointerCapture(event.pointerId)
            corner.dataset.held = '1'
        })
        corner.addEventListener('pointermove', (event) => {
            if (!corner.dataset.held) return
            const box = this.svg.getBoundingClientRect()
            const dx = (event.clientX - box.left) * (size / box.width) - size / 2, dy = size / 2 - (event.clientY - box.top) * (size / box.height)
            this.onMove(index, Math.min(179, Math.max(3, (Math.hypot(dx, dy) / reach) * 180)))
        })
        for (const end of ['pointerup', 'pointercancel']) corner.addEventListener(end, () => { delete corner.dataset.held })
        this.corners.push(corner)
        this.svg.append(corner)
    }
}
