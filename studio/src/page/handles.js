// What can be taken hold of in the canvas: by mouse, touch or keyboard. A scene says where its handles are; here they
// are found under the pointer, moved in the plane of the screen, and told back as places.
import { TransformControls } from 'three/addons/controls/TransformControls.js'
import { Object3D, Quaternion, Vector3 } from 'three'
import { el } from './dom.js'

const nearMouse = 26, nearTouch = 38

export class Handles {
    constructor(stage, layer, { handles, onDrag, onTurn, onChange }) {
        Object.assign(this, { stage, layer, list: handles, onDrag, onTurn, onChange })
        this.buttons = []
        this.active = null
        this.hovered = null
        this.place = new Object3D()
        stage.scene.add(this.place)
        const { canvas } = stage
        canvas.addEventListener('pointerdown', (event) => this.down(event), { capture: true })
        canvas.addEventListener('pointermove', (event) => this.move(event))
        for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, (event) => this.up(event))
        canvas.addEventListener('pointerleave', () => this.hover(null))
    }

    /** The handle nearest to a pixel, within reach of a finger or a pointer. */
    pick(x, y, near) {
        let best = null, distance = near
        for (const handle of this.list()) {
            const at = this.stage.project(handle.position, scratch)
            if (!at.visible) continue
            const away = Math.hypot(at.x - x, at.y - y) - (handle.easy ? 8 : 0)
            if (away < distance) {
                distance = away
                best = handle
            }
        }
        return best
    }

    down(event) {
        if (event.button !== 0 || this.active || (this.gizmo?.object && this.gizmo.axis)) return
        const { offsetX: x, offsetY: y } = event
        const handle = this.pick(x, y, event.pointerType === 'touch' ? nearTouch : nearMouse)
        if (!handle) {
            // a tap on nothing lets go; a drag looks around, or pulls an arrow that a finger has not hovered over
            this.tap = { x, y }
            return
        }
        event.stopImmediatePropagation()
        event.preventDefault()
        this.stage.canvas.focus({ preventScroll: true })
        this.stage.canvas.setPointerCapture(event.pointerId)
        this.stage.controls.enabled = false
        const at = this.stage.project(handle.position)
        this.active = { id: handle.id, pointer: event.pointerId, dx: at.x - x, dy: at.y - y, depth: at.depth, moved: false, x, y }
        this.onChange?.()
    }

    move(event) {
        const { offsetX: x, offsetY: y } = event
        if (!this.active) {
            if (event.pointerType !== 'touch' && event.buttons === 0) this.hover(this.pick(x, y, nearMouse))
            return
        }
        if (event.pointerId !== this.active.pointer) return
        const { active } = this
        if (!active.moved && Math.hypot(x - active.x, y - active.y) < 3) return
        active.moved = true
        const handle = this.find(active.id)
        if (!handle) return
        const place = this.stage.unproject(x + active.dx, y + active.dy, active.depth)
        this.onDrag(handle, handle.along ? handle.along(place, this.ray(x, y)) : place)
    }

    up(event) {
        if (this.tap && Math.hypot(event.offsetX - this.tap.x, event.offsetY - this.tap.y) < 4) this.select(null)
        this.tap = null
        if (!this.active || event.pointerId !== this.active.pointer) return
        const { id, moved } = this.active
        this.active = null
        this.stage.controls.enabled = true
        if (!moved) this.select(id)
        this.onChange?.()
    }

    ray(x, y) {
        return { from: this.stage.camera.position.toArray(), through: this.stage.unproject(x, y, 0.5) }
    }

    find(id) { return this.list().find((handle) => handle.id === id) }

    hover(handle) {
        if (this.hovered?.id === handle?.id) return
        this.hovered = handle
        this.stage.canvas.style.cursor = handle ? 'grab' : ''
        this.onChange?.()
    }

    /** Arrows and rings at one handle, for moves along one axis and for turns. */
    select(id) {
        this.selected = id
        const handle = id === null ? null : this.find(id)
        if (!handle || handle.along) {
            this.gizmo?.detach()
            return
        }
        if (!this.gizmo) {
            this.gizmo = new TransformControls(this.stage.camera, this.stage.canvas)
            this.gizmo.setSize(0.6)
            this.stage.scene.add(this.gizmo.getHelper())
            this.gizmo.addEventListener('dragging-changed', ({ value }) => { this.stage.controls.enabled = !value })
            this.gizmo.addEventListener('objectChange', () => {
                const chosen = this.find(this.selected)
                if (!chosen) return
                if (this.gizmo.mode === 'rotate') this.onTurn(chosen, this.place.quaternion.toArray())
                else this.onDrag(chosen, this.place.position.toArray())
            })
        }
        this.gizmo.setMode('translate')
        this.place.position.set(...handle.position)
        if (handle.rotation) this.place.quaternion.set(...handle.rotation)
        this.gizmo.attach(this.place)
        this.onChange?.()
    }

    /** Between moving and turning, where a handle can be turned. */
    toggleMode() {
        const handle = this.selected !== undefined && this.find(this.selected)
        if (!handle?.rotation || !this.gizmo?.object) return
        this.gizmo.setMode(this.gizmo.mode === 'translate' ? 'rotate' : 'translate')
    }

    /** A button at each handle: what Tab finds, and what a screen reader says. */
    update() {
        const list = this.list()
        while (this.buttons.length > list.length) this.buttons.pop().remove()
        list.forEach((handle, i) => {
            let button = this.buttons[i]
            if (!button) {
                button = el('button', { type: 'button', className: 'handle', onkeydown: (event) => this.key(event, i) })
                button.addEventListener('click', () => this.select(this.list()[i].id))
                this.layer.append(button)
                this.buttons.push(button)
            }
            const label = `${handle.label}: drag, or move by arrow keys`
            if (button.dataset.label !== label) {
                button.dataset.label = label
                button.setAttribute('aria-label', label)
            }
            const { x, y } = this.stage.project(handle.position, scratch)
            button.style.left = `${x.toFixed(1)}px`
            button.style.top = `${y.toFixed(1)}px`
        })
        if (this.gizmo?.object && !this.gizmo.dragging) {
            const handle = this.find(this.selected)
            if (!handle) {
                this.select(null)
                return
            }
            this.place.position.set(...handle.position)
            if (handle.rotation) this.place.quaternion.set(...handle.rotation)
        }
    }

    /** Arrows move in the plane of the screen, Page up and down to and from it; what is being turned (Enter, M) they turn. Shift
     * for small steps. */
    key(event, index) {
        const way = { ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, 1, 0], ArrowDown: [0, -1, 0], PageUp: [0, 0, -1], PageDown: [0, 0, 1] }[event.key]
        if (!way) return
        event.preventDefault()
        event.stopPropagation()
        const handle = this.list()[index]
        if (this.selected === handle.id && this.gizmo?.object && this.gizmo.mode === 'rotate') {
            this.turnBy(handle, way, event.shiftKey ? 1 : 5)
            return
        }
        const step = this.stage.metresPerPixel(handle.position) * (event.shiftKey ? 2 : 12)
        const { elements } = this.stage.camera.matrixWorld
        const place = handle.position.map((value, i) => value + step * (way[0] * elements[i] + way[1] * elements[4 + i] + way[2] * elements[8 + i]))
        this.onDrag(handle, handle.along ? handle.along(place, null) : place)
    }

    /** Turn by degrees as if the arrow pushed the side that is seen. */
    turnBy(handle, [right, up, near], degrees) {
        const axis = new Vector3(-up, right, near).applyQuaternion(this.stage.camera.quaternion)
        const turn = new Quaternion().setFromAxisAngle(axis, (degrees * Math.PI) / 180)
        this.place.quaternion.fromArray(handle.rotation).premultiply(turn)
        this.onTurn(handle, this.place.quaternion.toArray())
    }

    dispose() {
        for (const button of this.buttons) button.remove()
        this.gizmo?.detach()
        this.gizmo?.dispose()
        this.place.removeFromParent()
    }
}

const scratch = {}
