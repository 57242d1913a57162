// Taking back what was done, and doing it again. A session keeps all that a person did (session.js), so there is one way
// for everything: each step keeps the record as it was before, and to take the step back is to run that record.

const most = 100 // steps: each holds a list of events

export class History {
    constructor(session) {
        this.session = session
        this.past = []
        this.future = []
        this.gesture = null
    }

    /** A step begins: what one gesture does, a drag for example. */
    begin(label, gesture) {
        this.gesture = gesture
        this.past.push({ label, saved: this.session.save() })
        if (this.past.length > most) this.past.shift()
        this.future = []
    }

    get canUndo() {
        // what could not be done, or came to nothing, is no step
        while (this.past.length && this.session.isAs(this.past.at(-1).saved)) {
            this.past.pop()
            this.gesture = null
        }
        return this.past.length > 0
    }

    get canRedo() { return this.future.length > 0 }

    /** { label, saved } of the last step, which is now to be done again; null where there is none. */
    undo() { return this.canUndo ? this.move(this.past, this.future) : null }
    redo() { return this.canRedo ? this.move(this.future, this.past) : null }

    move(from, to) {
        this.gesture = null
        const { label, saved } = from.pop()
        to.push({ label, saved: this.session.save() })
        return { label, saved }
    }
}
