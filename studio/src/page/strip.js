// The bottom strip: time, and what solving costs.
import { el, icon, iconButton } from './dom.js'

const speeds = [['0.1', '0.1×'], ['0.25', '¼×'], ['0.5', '½×'], ['1', '1×'], ['2', '2×'], ['4', '4×']]
const rows = [
    { key: 'error', name: 'error', text: (v) => (v >= 1 ? `${v.toFixed(2)} m` : v >= 1e-3 ? `${(v * 1e3).toFixed(1)} mm` : `${(v * 1e3).toFixed(3)} mm`), log: true, low: 1e-7, high: 1 },
    { key: 'micros', name: 'a frame', text: (v) => (v >= 1000 ? `${(v / 1000).toFixed(1)} ms` : `${v.toFixed(v < 10 ? 1 : 0)} µs`), log: true, low: 1, high: 2e4 },
    { key: 'iterations', name: 'iterations', text: (v) => String(Math.round(v)), log: false, low: 0, high: 20 },
]

export class Strip {
    constructor({ onPlay, onStep, onReset, onSpeed, onScrub, onPanel, colors }) {
        this.colors = colors
        this.playButton = iconButton('play', 'Play (space)', onPlay, { className: 'icon play' })
        this.scrubber = el('input', { type: 'range', min: 0, max: 1, step: 1, value: 0, 'aria-label': 'Time', oninput: () => onScrub(this.scrubber.valueAsNumber) })
        this.clock = el('output')
        this.speed = el('select', { 'aria-label': 'Speed', title: 'Speed (− and +)', onchange: () => onSpeed(Number(this.speed.value)) },
            speeds.map(([value, text]) => el('option', { value, selected: value === '1' }, text)))
        this.picture = el('canvas', { width: 340, height: 76, 'aria-hidden': 'true' })
        this.cells = rows.map(({ name }) => {
            const value = el('b', {}, '–')
            return { value, cell: el('div', {}, value, el('span', {}, name)) }
        })
        this.graph = el('button', { type: 'button', className: 'graph', title: 'Graph: error, time or iterations (G)', onclick: () => this.choose((this.chosen + 1) % rows.length) },
            this.picture, el('span', { className: 'reading' }, this.cells.map(({ cell }) => cell)))
        this.element = el('footer', { className: 'strip', 'aria-label': 'Time and figures' },
            this.playButton, iconButton('step', 'One step (.)', onStep), iconButton('reset', 'Start again (R)', onReset),
            el('div', { className: 'scrub' }, this.scrubber, this.clock), this.speed, this.graph,
            this.panelButton = iconButton('sliders', 'Controls', onPanel, { className: 'icon open-panel', 'aria-expanded': 'false' }))
        this.history = rows.map(() => new Float64Array(180))
        this.at = 0
        this.shown = 0
        this.choose(0)
    }

    choose(index) {
        this.chosen = index
        this.cells.forEach(({ cell }, i) => cell.classList.toggle('chosen', i === index))
        this.drawn = -1
    }

    changeSpeed(by) {
        const index = Math.min(Math.max(this.speed.selectedIndex + by, 0), speeds.length - 1)
        this.speed.selectedIndex = index
        return Number(this.speed.value)
    }

    setPanel(open) { this.panelButton.setAttribute('aria-expanded', String(open)) }

    setPlaying(playing) {
        this.playButton.replaceChildren(icon(playing ? 'pause' : 'play'))
        const label = playing ? 'Pause (space)' : 'Play (space)'
        this.playButton.title = label
        this.playButton.setAttribute('aria-label', label)
    }

    /** Figures of a tick. */
    add(figures) {
        rows.forEach(({ key }, i) => { this.history[i][this.at % 180] = figures[key] ?? 0 })
        this.at++
    }

    clear() {
        this.at = this.shown = 0
        this.drawn = -1
    }

    update({ now, end, figures }) {
        this.scrubber.max = Math.max(end, 1)
        this.scrubber.value = now
        this.scrubber.style.setProperty('--share', `${(100 * now) / Math.max(end, 1)}%`)
        const text = `${(now / 60).toFixed(2)} s`
        if (this.clock.value !== text) this.clock.value = text
        this.scrubber.setAttribute('aria-valuetext', text)
        // figures that change sixty times a second cannot be read
        if (this.at === this.drawn) return
        if (this.drawn < 0 || this.at - this.shown >= 6) {
            this.shown = this.at
            rows.forEach(({ key, text: format }, i) => { this.cells[i].value.textContent = figures[key] === undefined ? '–' : format(figures[key]) })
        }
        this.draw()
    }

    draw() {
        this.drawn = this.at
        const { log, low, high } = rows[this.chosen], history = this.history[this.chosen]
        const context = this.picture.getContext('2d'), { width, height } = this.picture
        const count = Math.min(this.at, 180)
        let top = high
        if (!log) for (let i = 0; i < count; i++) top = Math.max(top, history[i])
        const share = (value) => log ? Math.log(Math.max(value, low) / low) / Math.log(top / low) : (value - low) / (top - low)
        context.clearRect(0, 0, width, height)
        const { accent, line } = this.colors()
        context.strokeStyle = line
        context.lineWidth = 1
        for (const y of [1, height / 2, height - 1]) {
            context.beginPath()
            context.moveTo(0, y)
            context.lineTo(width, y)
            context.stroke()
        }
        context.beginPath()
        for (let i = 0; i < count; i++) {
            const value = history[(this.at - count + i) % 180]
            const x = ((180 - count + i) / 179) * width, y = height - 4 - share(value) * (height - 8)
            if (i) context.lineTo(x, y)
            else context.moveTo(x, y)
        }
        context.strokeStyle = accent
        context.lineWidth = 3
        context.lineJoin = 'round'
        context.stroke()
    }
}
