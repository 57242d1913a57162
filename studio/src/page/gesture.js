// Where one thing that a person does ends and the next begins, whatever it is done with: a pointer from its way down to its
// way up, a key for as long as it is held, and whatever sets a control without either.

export class Gestures {
    constructor(target = window) {
        this.count = 0
        this.pointer = this.key = null
        const on = (name, act) => target.addEventListener(name, act, { capture: true })
        on('pointerdown', (event) => {
            // a second finger is part of what the first one does
            if (!event.isPrimary) return
            this.count++
            this.pointer = event.pointerId
            this.key = null
        })
        for (const end of ['pointerup', 'pointercancel']) on(end, (event) => { if (event.pointerId === this.pointer) this.pointer = null })
        // lists and the edge of the window may swallow the way up
        on('pointermove', (event) => { if (event.pointerId === this.pointer && event.buttons === 0) this.pointer = null })
        on('keydown', (event) => {
            if (event.repeat || this.isDragging) return
            this.count++
            this.key = event.code
        })
        // where Cmd is down nobody hears of other keys that go up
        on('keyup', (event) => { if (event.code === this.key || event.key === 'Meta') this.key = null })
        on('blur', (event) => { if (event.target === target) this.pointer = this.key = null })
        // after those who set something by them
        for (const name of ['change', 'click']) target.addEventListener(name, () => { if (!this.isDragging && this.key === null) this.count++ })
    }

    get isDragging() { return this.pointer !== null }
}
