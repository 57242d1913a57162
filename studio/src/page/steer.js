// A stick from whatever there is: gamepad, keys, or the one on the screen.
import { el } from './dom.js'

const keys = { KeyW: 'up', ArrowUp: 'up', KeyS: 'down', ArrowDown: 'down', KeyA: 'left', ArrowLeft: 'left', KeyD: 'right', ArrowRight: 'right' }

export class Steer {
    constructor() {
        this.held = new Set()
        this.strafe = false
        this.thumb = [0, 0]
        this.pointer = null
        this.knob = el('i')
        this.element = el('div', { className: 'stick', role: 'img', 'aria-label': 'Stick: drag to walk. Keys: W A S D or arrows, Shift to step sideways' }, this.knob)
        this.element.addEventListener('pointerdown', (event) => {
            if (this.pointer !== null) return
            this.element.setPointerCapture(event.pointerId)
            this.pointer = event.pointerId
            this.moveThumb(event)
        })
        this.element.addEventListener('pointermove', (event) => { if (event.pointerId === this.pointer) this.moveThumb(event) })
        for (const end of ['pointerup', 'pointercancel']) {
            this.element.addEventListener(end, (event) => { if (event.pointerId === this.pointer) this.letGo() })
        }
    }

    moveThumb(event) {
        const box = this.element.getBoundingClientRect()
        let x = (event.clientX - box.left - box.width / 2) / 40, y = (box.top + box.height / 2 - event.clientY) / 40
        const length = Math.hypot(x, y)
        if (length > 1) {
            x /= length
            y /= length
        }
        this.thumb = [x, y]
    }

    /** Whether a key that went down steers; then it does. */
    press(event) {
        if (event.key === 'Shift') this.strafe = true
        const way = keys[event.code]
        if (!way || event.ctrlKey || event.metaKey || event.altKey) return false
        this.held.add(way)
        return true
    }

    /** A key that went up steers no longer, whatever is held beside it and wherever the focus is by now. */
    lift(event) {
        if (event.key === 'Shift') this.strafe = false
        this.held.delete(keys[event.code])
    }

    /** Let go of everything: what goes up while nobody looks is not told. */
    release() {
        this.held.clear()
        this.strafe = false
        this.letGo()
    }

    letGo() {
        this.pointer = null
        this.thumb = [0, 0]
    }

    /** [x, y, strafe] of the strongest of all inputs, in steps of a hundredth. */
    read() {
        let x = this.held.has('right') - this.held.has('left'), y = this.held.has('up') - this.held.has('down'), strafe = this.strafe
        const consider = (ax, ay) => {
            if (Math.hypot(ax, ay) > Math.hypot(x, y)) {
                x = ax
                y = ay
            }
        }
        consider(...this.thumb)
        for (const pad of navigator.getGamepads?.() ?? []) {
            if (!pad?.connected) continue
            consider(pad.axes[0] ?? 0, -(pad.axes[1] ?? 0))
            if (pad.buttons[4]?.pressed || pad.buttons[5]?.pressed) strafe = true
        }
        const clean = (v) => (Math.abs(v) < 0.08 ? 0 : Math.round(Math.min(1, Math.max(-1, v)) * 100) / 100)
        this.knob.style.transform = `translate(${(x * 32).toFixed(1)}px, ${(-y * 32).toFixed(1)}px)`
        x = clean(x)
        y = clean(y)
        // Shift alone steers nothing: Shift and Tab, or ?, are no steps aside
        return [x, y, strafe && (x || y) ? 1 : 0]
    }
}
