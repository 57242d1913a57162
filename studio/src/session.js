// One run of a scene: what was set, what a person did and when, and the model that all of it made.
//
// Time runs in ticks of 1/60 s, whatever the screen does. Everything that changes a model passes through here as an
// event of a tick, so a run can be replayed, scrubbed and sent as a link: the same events give the same bits.
// Events: [tick, 'drag', handle, x, y, z], [tick, 'turn', handle, x, y, z, w], [tick, 'stick', x, y, strafe],
// [tick, 'set', key, value], [tick, 'act', name].

export const tickTime = 1 / 60
const longest = 60 * 60 * 10

const isSame = (a, b) => Object.keys(a).every((key) => a[key] === b[key])

export class Session {
    constructor(sinew, scene, values, { record = null, files = [] } = {}) {
        Object.assign(this, { sinew, scene, files })
        this.initial = { ...values }
        this.events = record?.events ?? []
        this.end = record?.ticks ?? 0
        this.version = 0
        this.starts = 0
        this.build()
    }

    build() {
        const before = this.model
        this.values = { ...this.initial }
        this.take(this.scene.model(this.sinew, this.values, this.files))
        before?.dispose?.()
        this.now = 0
        this.cursor = 0
    }

    /** A new model, whose stick nobody has moved. */
    take(model) {
        this.model = model
        this.heldStick = [0, 0, 0]
        this.version++
    }

    /** Whether what comes next was recorded. */
    get isReplay() { return this.now < this.end }

    /** Something that a person does now; what was recorded after this moment is gone. */
    input(kind, ...rest) {
        if (this.isReplay) {
            this.events.length = this.cursor
            this.end = this.now
        }
        const event = [this.now, kind, ...rest.map((value) => (typeof value === 'number' ? Math.round(value * 1e4) / 1e4 : value))]
        // of several drags of one handle in one tick the last one counts, but what was followed already
        const last = this.cursor < this.events.length && this.events.at(-1)
        if (last && last[0] === this.now && last[1] === kind && (kind === 'stick' || (kind !== 'act' && last[2] === event[2]))) {
            this.events[this.events.length - 1] = event
        } else {
            this.events.push(event)
        }
    }

    /** Do what was done in this tick, without letting time go on: what is dragged is seen while it is paused. */
    settle() {
        while (this.cursor < this.events.length && this.events[this.cursor][0] <= this.now) {
            try {
                this.apply(this.events[this.cursor])
            } catch (error) {
                // what cannot be done was not done: it is in no recording
                this.events.splice(this.cursor, 1)
                throw error
            }
            this.cursor++
        }
    }

    apply([, kind, ...rest]) {
        if (kind === 'set') {
            this.set(...rest)
        } else if (kind === 'drag') {
            this.model.drag?.(rest[0], rest.slice(1))
        } else if (kind === 'turn') {
            this.model.turn?.(rest[0], rest.slice(1))
        } else if (kind === 'stick') {
            this.heldStick = rest
            this.model.stick?.(rest[0], rest[1], Boolean(rest[2]))
        } else if (kind === 'act') {
            this.model.act?.(rest[0])
        }
    }

    /** A control; where its value cannot be had, all of it stays as it was. */
    set(key, value) {
        const before = this.model, was = this.values[key]
        this.values[key] = value
        try {
            if (before.set?.(key, value, this.values)) return
            this.take(this.scene.model(this.sinew, this.values, this.files, before))
        } catch (error) {
            this.values[key] = was
            throw error
        }
        before.dispose?.()
    }

    tick() {
        this.settle()
        this.model.tick(tickTime)
        this.now++
        if (this.now > this.end) this.end = Math.min(this.now, longest)
    }

    /** Go to a moment: backwards by running again from the start, which is why it is exact. Stops on its way where the
     * clock (performance.now) says `until`; whether it got there. */
    seek(tick, until = Infinity) {
        if (tick < this.now) this.build()
        while (this.now < tick) {
            this.tick()
            if (performance.now() >= until && this.now < tick) return false
        }
        this.settle()
        return true
    }

    /** Start again, and forget what was done. */
    reset() {
        this.events = []
        this.end = 0
        this.initial = { ...this.values }
        this.starts++
        this.build()
    }

    /** All that was set and done so far, to come back to. */
    save() {
        const { initial, values, events, end, now, starts } = this
        return { initial: { ...initial }, values: { ...values }, events: [...events], end, now, starts }
    }

    /** Whether nothing was set or done since it was saved. Steering what is live is no setting: it goes on like time. */
    isAs(saved) {
        if (this.scene.isLive) return this.cursor === this.events.length && isSame(saved.values, this.values)
        return this.isRunOf(saved) && isSame(saved.initial, this.initial)
    }

    isRunOf({ events, starts }) {
        return starts === this.starts && events.length === this.events.length && events.every((event, i) => event === this.events[i])
    }

    /**
     * Come back to what was saved. Time is not taken back: what comes is what would be there at this moment, had nothing
     * been done since. So all of it is to be run again, up to the tick that is returned. A scene that is live goes on from
     * where it is, with the settings that were saved.
     */
    restore(saved) {
        if (this.scene.isLive) {
            for (const [key, value] of Object.entries(saved.values)) if (this.values[key] !== value) this.input('set', key, value)
            return this.now
        }
        this.initial = { ...saved.initial }
        if (this.isRunOf(saved)) return this.now
        const hasStarted = saved.starts !== this.starts, known = new Set(saved.events)
        const steered = hasStarted ? [] : this.events.filter((event) => event[1] === 'stick' && !known.has(event))
        const moment = hasStarted ? saved.now : this.now
        this.events = [...saved.events, ...steered].sort(([a], [b]) => a - b)
        this.end = hasStarted ? saved.end : Math.max(saved.end, this.end)
        this.starts = saved.starts
        this.build()
        return moment
    }

    record() {
        return { ticks: this.now, events: this.events.filter(([tick]) => tick <= this.now) }
    }

    /** 64 bits of all numbers of the model's state, FNV-1a, as text. */
    hash() {
        let hash = 0xcbf29ce484222325n
        for (const numbers of this.model.state()) {
            const bytes = new Uint8Array(Float64Array.from(numbers).buffer)
            for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
        }
        return hash.toString(16).padStart(16, '0')
    }

    dispose() { this.model?.dispose?.() }
}
