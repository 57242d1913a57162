// The page: it puts a session of a scene, the stage that shows it and the panels about it together. Scenes know
// nothing of it (scenes/scene.js says what they are asked), and it knows nothing of any scene.
import { el, icon, iconButton } from './dom.js'
import { formatValue, readValues } from './controls.js'
import { canPack, packRecord, readLink, unpackRecord, writeLink } from './link.js'
import { Panel } from './panel.js'
import { Strip } from './strip.js'
import { Handles } from './handles.js'
import { Steer } from './steer.js'
import { showHelp } from './help.js'
import { Gestures } from './gesture.js'
import { History } from '../history.js'
import { Session, tickTime } from '../session.js'
import { Stage, discard } from '../stage/stage.js'
import { scenes, findScene } from '../scenes/scene.js'
import { Group } from 'three'

const qualityControl = {
    key: 'quality', group: 'Look', label: 'Quality', kind: 'choice', look: true, initial: 'auto',
    choices: [['auto', 'automatic'], ['high', 'high'], ['low', 'low']], help: 'Shadows, edges and resolution',
}
const slowFrame = 60 // milliseconds: with high quality more than that, and low is taken
const computing = 25 // milliseconds of a frame for ticks; where they take longer time goes slower, not the screen
const runningAgain = 200 // milliseconds at once after undo, before the screen is drawn on the way
const diagnoseEvery = 12 // drawn frames: a diagnosis is some dozens of solves

const textField = 'textarea, [contenteditable], input:not([type=range], [type=checkbox], [type=file])'

export class App {
    constructor(root, sinew, { stepped = false } = {}) {
        Object.assign(this, { root, sinew, stepped })
        this.files = []
        this.errors = []
        this.speed = 1
        this.playing = !matchMedia('(prefers-reduced-motion: reduce)').matches
        this.frames = 0
        this.sought = null // the tick that the scrubber or undo goes to, until it is there
        this.gestures = new Gestures()
        this.build()
        addEventListener('hashchange', () => { if (location.hash !== this.written) this.openLink() })
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.setTheme())
        addEventListener('keydown', (event) => this.key(event))
        addEventListener('keyup', (event) => this.steer.lift(event))
        addEventListener('blur', () => this.steer.release())
        this.acceptFiles()
    }

    // -----------------------------------------------------------------------------------------
    // The parts of the page

    build() {
        this.nav = el('nav', { className: 'tabs', 'aria-label': 'Scenes' },
            scenes.map(({ name, title }) => el('a', { href: `#${name}`, 'data-scene': name }, title)))
        this.sceneChoice = el('select', { className: 'scene-choice', 'aria-label': 'Scene', onchange: () => { location.hash = this.sceneChoice.value } },
            scenes.map(({ name, title }) => el('option', { value: name }, title)))
        const top = el('header', { className: 'top' },
            el('a', { className: 'brand', href: '#', 'aria-label': 'sinew studio' }, brandMark(), 'sinew'),
            this.nav, this.sceneChoice,
            el('div', { className: 'history', role: 'group', 'aria-label': 'History' },
                this.undoButton = iconButton('undo', 'Undo (Ctrl+Z)', () => this.undo()),
                this.redoButton = iconButton('redo', 'Redo (Ctrl+Shift+Z)', () => this.redo())),
            iconButton('share', 'Copy a link to this moment', () => this.share()),
            iconButton('picture', 'Save a picture (P)', () => this.savePicture()),
            iconButton('theme', 'Light or dark (T)', () => this.toggleTheme()),
            iconButton('help', 'Keys and help (?)', showHelp))

        this.hint = el('div', { className: 'hint' })
        this.caption = el('p', { className: 'caption' })
        this.toast = el('div', { className: 'toast', role: 'status' })
        this.live = el('div', { className: 'visually-hidden', 'aria-live': 'polite' })
        this.handleLayer = el('div', { className: 'over' })
        this.tagLayer = el('div', { className: 'over', 'aria-hidden': 'true' })
        this.insetLayer = el('div', { className: 'over insets' })
        this.error = el('div', { className: 'error', role: 'alert', hidden: true })
        this.steer = new Steer()
        this.canvasBox = el('main', { className: 'canvas' }, this.tagLayer, this.handleLayer,
            el('div', { className: 'over' }, this.hint, this.caption, this.toast, this.error, el('div', { className: 'drop' }, 'Drop a BVH, glTF or rig file')),
            this.insetLayer, this.live)

        this.panel = new Panel({
            onSet: (control, value) => this.set(control, value),
            onAct: (name) => this.act(name),
            onClose: () => this.openPanel(false),
        })
        this.strip = new Strip({
            onPlay: () => this.play(!this.playing),
            onStep: () => this.step(),
            onReset: () => this.restart(),
            onSpeed: (speed) => { this.speed = speed },
            onScrub: (tick) => this.scrub(tick),
            onPanel: () => this.openPanel(!this.panel.element.classList.contains('is-open')),
            colors: () => this.colors,
        })
        this.root.replaceChildren(top, this.canvasBox, this.panel.element, this.strip.element)
        // who set a control by pointer goes on with the keys of the scene; who came by keyboard stays
        let byPointer = false
        this.root.onpointerdown = () => { byPointer = true }
        this.root.onkeydown = () => { byPointer = false }
        this.root.onchange = ({ target }) => { if (byPointer && target.matches('select, input[type=range]')) target.blur() }
        this.root.removeAttribute('aria-busy')
        this.strip.setPlaying(this.playing)
        this.tags = new Map()
    }

    /** The sheet of phones; who works without a pointer is taken into it, and back. */
    openPanel(open) {
        const { element } = this.panel
        if (open === element.classList.contains('is-open')) return
        element.classList.toggle('is-open', open)
        this.strip.setPanel(open)
        if (open) element.querySelector('[aria-selected=true]').focus()
        else this.strip.panelButton.focus()
    }

    // -----------------------------------------------------------------------------------------
    // Scene, session and stage

    /** Open what the address says. */
    async openLink() {
        const { scene: name, parameters } = readLink(location.hash)
        const scene = findScene(name || scenes[0].name)
        if (!scene) {
            // a page that is there goes on; one that has just begun begins with the first scene
            if (!this.session) this.openScene(scenes[0], new Map())
            this.showError(`no scene is called ${name}`, `There are: ${scenes.map((each) => each.name).join(', ')}.`)
            return
        }
        let record = null
        const text = parameters.get('run')
        try {
            if (text) record = await unpackRecord(text)
        } catch {
            this.showError('the recording of this link cannot be read', canPack ? 'It may have been cut off on its way.' : 'This browser is too old to unpack it.')
        }
        this.theme = parameters.get('theme') ?? this.theme ?? 'auto'
        this.openScene(scene, parameters, record)
    }

    openScene(scene, parameters, record = null) {
        const controls = [...scene.controls, qualityControl]
        const { values, wrong } = readValues(controls, parameters)
        this.session?.dispose()
        this.session = null
        this.sought = null
        this.scene = scene
        this.controls = controls
        this.values = values
        try {
            this.session = new Session(this.sinew, scene, values, { record, files: this.files })
        } catch (error) {
            this.showError(`${scene.title} did not start`, error.message)
            const plain = readValues(controls)
            this.values = plain.values
            this.session = new Session(this.sinew, scene, plain.values, { files: [] })
        }
        this.history = new History(this.session)
        if (wrong.length) this.showError('part of the link was not understood', wrong.join('; '))
        for (const link of this.nav.children) {
            if (link.dataset.scene === scene.name) link.setAttribute('aria-current', 'page')
            else link.removeAttribute('aria-current')
        }
        this.sceneChoice.value = scene.name
        document.title = `${scene.title} · sinew studio`
        this.hint.replaceChildren(el('strong', {}, scene.hint.title), el('span', {}, scene.hint.text))
        this.hint.classList.remove('done')
        this.caption.textContent = scene.caption
        this.panel.show(controls, values, scene.about)
        this.showCode()
        this.strip.clear()
        this.written = null
        this.setTheme(true)
        this.session.settle()
        this.writeLink()
        this.draw()
    }

    /** A new stage: for another theme or quality. */
    buildStage() {
        const theme = this.dark ? 'dark' : 'light'
        const quality = this.values.quality === 'auto' ? (this.isSlow ? 'low' : 'high') : this.values.quality
        if (this.stage && this.stageKey === theme + quality) return
        const framed = this.stage && { position: this.stage.camera.position.clone(), target: this.stage.controls.target.clone(), scene: this.viewScene }
        this.closeView()
        this.handles?.dispose()
        this.stage?.dispose()
        this.stageKey = theme + quality
        this.stage = new Stage(this.canvasBox, { quality, theme })
        this.stage.controls.addEventListener('change', () => { this.stage.stale = true })
        this.handles = new Handles(this.stage, this.handleLayer, {
            handles: () => this.session?.model.handles ?? [],
            onDrag: (handle, place) => this.drag(handle, place),
            onTurn: (handle, rotation) => this.turn(handle, rotation),
            onChange: () => { this.stage.stale = true },
        })
        this.framedBefore = framed
    }

    /** What is seen of the session; again where its model is another one. */
    buildView() {
        const keep = this.viewScene === this.scene && this.viewFraming === this.session.model.framingKey
        this.closeView()
        this.group = new Group()
        this.stage.scene.add(this.group)
        this.stage.replaceGround(null)
        const kit = { stage: this.stage, palette: this.stage.palette, group: this.group, overlay: this.insetLayer, el, values: this.session.values, app: this }
        this.view = this.scene.view(kit, this.session.model)
        this.viewVersion = this.session.version
        if (this.framedBefore?.scene === this.scene) {
            this.stage.frame(this.view.framing)
            this.stage.camera.position.copy(this.framedBefore.position)
            this.stage.controls.target.copy(this.framedBefore.target)
        } else if (!keep) {
            this.stage.frame(this.view.framing)
        }
        this.framedBefore = null
        this.viewScene = this.scene
        this.viewFraming = this.session.model.framingKey
        this.stage.stale = true
    }

    closeView() {
        this.view?.dispose?.()
        this.view = null
        if (!this.group) return
        this.group.removeFromParent()
        discard(this.group)
        this.group = null
    }

    // -----------------------------------------------------------------------------------------
    // What a person does

    /** label: what a person calls it. */
    input(label, kind, ...rest) {
        this.begin(label)
        this.session.input(kind, ...rest)
        this.stage.stale = true
        if (!this.playing) this.session.settle()
    }

    /** Something is about to be done: a step begins, unless it is part of the one before. */
    begin(label) {
        this.arrive()
        if (this.history.gesture === this.gestures.count) return
        this.guard(() => this.session.settle())
        this.history.begin(label, this.gestures.count)
    }

    turn(handle, rotation) { this.input(`${handle.label}, turned`, 'turn', handle.id, ...rotation) }

    drag(handle, place) {
        this.hint.classList.add('done')
        this.input(`${handle.label}, moved`, 'drag', handle.id, ...place)
        if (!this.playing) {
            // what is dragged while time stands is followed all the same
            this.tickOnce()
            this.draw()
        }
    }

    set(control, value) {
        if (control.look) {
            this.begin(control.label)
            this.setLook(control, value)
        } else {
            this.values[control.key] = value
            this.guard(() => {
                this.input(control.label, 'set', control.key, value)
                this.session.settle()
            })
        }
        this.panel.refresh(this.values)
        this.showCode()
        this.writeLink()
        this.stage.stale = true
        if (this.stepped || !this.playing) this.draw()
    }

    setLook(control, value) {
        for (const values of [this.values, this.session.values, this.session.initial]) values[control.key] = value
        if (control === qualityControl) this.setTheme(true)
        else this.view?.look?.(control.key, value)
    }

    act(name) {
        this.arrive()
        const { label } = this.controls.find(({ key }) => key === name)
        const own = this.session.model.asks?.[name]
        if (own) this.guard(() => own(this))
        else this.guard(() => this.input(label, 'act', name))
        this.stage.stale = true
        if (this.stepped || !this.playing) this.draw()
    }

    undo() { this.travel('undo', 'Undone') }
    redo() { this.travel('redo', 'Done again') }

    /** To what was there before a step, or after it. */
    travel(way, done) {
        this.arrive()
        this.guard(() => this.session.settle())
        const step = this.history[way]()
        if (!step) {
            this.say(`Nothing to ${way}`)
            return
        }
        const { label, saved } = step
        for (const control of this.controls) {
            if (control.look && saved.values[control.key] !== this.values[control.key]) this.setLook(control, saved.values[control.key])
        }
        if (this.guard(() => { this.sought = this.session.restore(saved) })) this.seek(this.stepped ? Infinity : performance.now() + runningAgain)
        this.showValues()
        this.say(`${done}: ${label}`)
        this.draw()
    }

    /** A broken rule is told, and what was before goes on. Returns whether there was none. */
    guard(action) {
        try {
            action()
            return true
        } catch (error) {
            console.warn(error)
            this.showError('that did not work', error.message)
            this.showValues()
            return false
        }
    }

    /** Controls, code and link say what the session has, whoever set it. */
    showValues() {
        Object.assign(this.values, this.session.values)
        this.panel.refresh(this.values)
        this.showCode()
        this.writeLink()
    }

    play(playing) {
        if (playing) this.arrive()
        this.playing = playing
        this.strip.setPlaying(playing)
    }

    step() {
        this.play(false)
        this.arrive()
        this.tickOnce()
        this.draw()
    }

    restart() {
        this.history.begin('Start again', this.gestures.count)
        this.sought = null
        this.guard(() => this.session.reset())
        this.strip.clear()
        this.hint.classList.remove('done')
        this.stage.frame(this.stage.framing)
        this.draw()
    }

    scrub(tick) {
        this.play(false)
        this.sought = tick
        if (this.stepped) this.arrive()
        this.draw()
    }

    /** Go on to the moment that is sought, as far as there is time; a crowd takes a while, and the page lives on. */
    seek(until) {
        let isThere = true
        this.guard(() => { isThere = this.session.seek(this.sought, until) })
        if (isThere) this.sought = null
    }

    /** What a person does next is done at the moment that was sought. */
    arrive() { if (this.sought !== null) this.seek(Infinity) }

    key(event) {
        if (document.querySelector('dialog[open]')) return
        if (this.travelKey(event)) return
        const inField = event.target.closest?.('select, input:not([type=checkbox]), textarea, pre')
        if (inField && event.key !== 'Escape') return
        const onHandle = event.target.classList?.contains('handle')
        if (!onHandle && this.session?.model.hasStick && this.steer.press(event)) {
            event.preventDefault()
            this.hint.classList.add('done')
            return
        }
        if (event.ctrlKey || event.metaKey || event.altKey) return
        const onButton = event.target.closest?.('button, a, summary, input[type=checkbox]') && !onHandle
        if ((event.key === ' ' || event.key === 'Enter') && onButton) return
        const actions = {
            ' ': () => this.play(!this.playing), '.': () => this.step(), r: () => this.restart(), '?': showHelp,
            p: () => this.savePicture(), t: () => this.toggleTheme(), g: () => this.strip.choose((this.strip.chosen + 1) % 3),
            m: () => this.handles.toggleMode(), f: () => this.stage.frame(this.view.framing),
            '-': () => { this.speed = this.strip.changeSpeed(-1) }, '+': () => { this.speed = this.strip.changeSpeed(1) },
            Escape: () => {
                this.handles.select(null)
                this.hideError()
                this.openPanel(false)
            },
        }
        const digit = Number(event.key)
        if (digit >= 1 && digit <= scenes.length) location.hash = scenes[digit - 1].name
        else if (Object.hasOwn(actions, event.key)) actions[event.key]()
        else return
        event.preventDefault()
        this.stage.stale = true
    }

    /** Undo and redo as every program has them, but not in a text, which has its own. Returns whether that was meant. */
    travelKey(event) {
        if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.closest?.(textField)) return false
        // keyboards of other scripts have another letter on that key
        const letter = /^[a-z]$/i.test(event.key) ? event.key.toLowerCase() : event.code.replace('Key', '').toLowerCase()
        if (letter !== 'z' && (letter !== 'y' || event.shiftKey)) return false
        event.preventDefault()
        if (this.gestures.isDragging) return true
        if (letter === 'z' && !event.shiftKey) this.undo()
        else this.redo()
        return true
    }

    // -----------------------------------------------------------------------------------------
    // Files

    acceptFiles() {
        const isFile = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files')
        addEventListener('dragover', (event) => {
            if (!isFile(event)) return
            event.preventDefault()
            this.canvasBox.classList.add('dropping')
        })
        addEventListener('dragleave', (event) => { if (!event.relatedTarget) this.canvasBox.classList.remove('dropping') })
        addEventListener('drop', async (event) => {
            if (!isFile(event)) return
            event.preventDefault()
            this.canvasBox.classList.remove('dropping')
            this.takeFiles([...event.dataTransfer.files])
        })
    }

    /** Files of the user's, read here and never sent anywhere. They go to the scene that is open if it takes files. */
    async takeFiles(list) {
        const names = list.map(({ name }) => name).join(', ')
        let files
        try {
            files = await Promise.all(list.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })))
        } catch {
            this.showError(`${names} cannot be read`, 'Found a folder, or a file that is gone by now; expected files.')
            return
        }
        const scene = this.scene.takesFiles ? this.scene : findScene('open')
        const parameters = scene === this.scene ? this.parameters() : new Map()
        const merged = scene.mergeFiles ? scene.mergeFiles(this.files, files, this.values) : files
        try {
            // tried out before what is there is given up
            const { values } = readValues(scene.controls, parameters)
            scene.model(this.sinew, values, merged).dispose()
        } catch (error) {
            this.showError(`${names} cannot be opened`, error.message)
            return
        }
        this.hideError()
        this.files = merged
        this.viewScene = null
        this.openScene(scene, parameters)
    }

    chooseFiles(accept) {
        const input = el('input', { type: 'file', multiple: true, accept, onchange: () => this.takeFiles([...input.files]) })
        input.click()
    }

    save(name, bytes, type) {
        const link = el('a', { href: URL.createObjectURL(new Blob([bytes], { type })), download: name })
        link.click()
        setTimeout(() => URL.revokeObjectURL(link.href), 10000)
        this.saved = { name, bytes, type }
    }

    savePicture() {
        this.draw()
        this.stage.canvas.toBlob((blob) => { if (blob) blob.arrayBuffer().then((bytes) => this.save(`sinew-${this.scene.name}.png`, new Uint8Array(bytes), 'image/png')) })
    }

    // -----------------------------------------------------------------------------------------
    // Link, theme, messages

    /** What the link says: values that are not the default. */
    parameters() {
        const parameters = new Map()
        const { values: defaults } = readValues(this.controls)
        for (const control of this.controls) {
            if (!(control.key in defaults) || this.values[control.key] === defaults[control.key]) continue
            parameters.set(control.key, formatValue(control, this.values[control.key]))
        }
        if (this.theme && this.theme !== 'auto') parameters.set('theme', this.theme)
        return parameters
    }

    writeLink() {
        const link = writeLink(this.scene.name, this.parameters())
        if (link === location.hash) return
        this.written = link
        history.replaceState(null, '', link)
    }

    /** A link with everything that was done: whoever opens it sees the same bits. */
    async shareLink() {
        this.arrive()
        const parameters = this.parameters()
        for (const control of this.controls) {
            // what was set on the way is part of the recording
            if (control.look || !(control.key in this.session.initial)) continue
            const { values: defaults } = readValues(this.controls)
            if (this.session.initial[control.key] === defaults[control.key]) parameters.delete(control.key)
            else parameters.set(control.key, formatValue(control, this.session.initial[control.key]))
        }
        parameters.set('run', await packRecord(this.session.record()))
        return writeLink(this.scene.name, parameters)
    }

    async share() {
        if (!canPack) {
            this.say('This browser is too old to pack a recording: the address is the link, without what you did')
            return
        }
        if (this.scene.takesFiles && this.files.length) {
            this.say('A link carries no files: the address is the link, without them and what you did')
            return
        }
        const link = location.href.split('#')[0] + await this.shareLink()
        try {
            await navigator.clipboard.writeText(link)
            this.say('Link copied: it replays what you did')
        } catch {
            history.replaceState(null, '', link)
            this.say('The link is in the address bar')
        }
    }

    async copy(text) {
        try {
            await navigator.clipboard.writeText(text)
            this.say('Copied')
        } catch {
            this.say('The browser does not allow copying here')
        }
    }

    say(text) {
        this.toast.textContent = text
        this.toast.classList.add('on')
        clearTimeout(this.toastEnd)
        this.toastEnd = setTimeout(() => this.toast.classList.remove('on'), 2500)
    }

    showError(title, text) {
        this.errors.push(`${title}: ${text}`)
        this.error.replaceChildren(el('b', {}, title), text, el('br'), el('button', { type: 'button', className: 'push', onclick: () => this.hideError() }, 'Close'))
        this.error.hidden = false
    }

    hideError() { this.error.hidden = true }

    toggleTheme() {
        this.theme = this.dark ? 'light' : 'dark'
        this.setTheme()
        this.writeLink()
    }

    setTheme(quiet = false) {
        this.dark = this.theme === 'dark' || (this.theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
        document.documentElement.dataset.theme = this.dark ? 'dark' : 'light'
        const style = getComputedStyle(document.documentElement)
        this.colors = { accent: style.getPropertyValue('--accent'), line: style.getPropertyValue('--line') }
        if (!this.session) return
        this.buildStage()
        this.buildView()
        if (!quiet) this.draw()
    }

    showCode() {
        this.panel.showCode(this.scene.code(this.values).trim(), this.scene.caption, (code) => this.copy(code))
    }

    // -----------------------------------------------------------------------------------------
    // Time

    tickOnce() {
        const { session } = this
        if (session.model.hasStick) this.readStick()
        this.guard(() => session.settle())
        const begin = performance.now()
        // what cannot go on is told once, not sixty times a second
        if (!this.guard(() => session.tick())) this.play(false)
        // clocks of browsers are coarse: a mean over many ticks is worth something, one tick is not
        this.spent = (this.spent ?? 0) + performance.now() - begin
        this.spentTicks = (this.spentTicks ?? 0) + 1
        if (this.spentTicks >= 60) {
            this.micros = (this.spent / this.spentTicks) * 1000
            this.spent = this.spentTicks = 0
        }
        this.figures = { ...session.model.figures, micros: session.model.figures.micros ?? this.micros }
        this.strip.add(this.figures)
        if (session.version === this.viewVersion) this.view?.tick?.(session.model)
    }

    /** Tell the stick where it is news; one that moves takes over from what was recorded. */
    readStick() {
        const { session } = this, stick = this.steer.read(), hasMoved = String(stick) !== String(this.lastStick ?? [0, 0, 0])
        this.lastStick = stick
        if (session.isReplay ? hasMoved : String(stick) !== String(session.heldStick)) session.input('stick', ...stick)
    }

    /** The stick on the screen, where there is something to steer. */
    showStick() {
        const { element } = this.steer, isWanted = Boolean(this.session.model.hasStick)
        if (isWanted === element.isConnected) return
        if (isWanted) this.insetLayer.append(element)
        else element.remove()
        this.steer.release()
    }

    /** Steps of a test: no clock takes part. */
    tick(count = 1) {
        for (let i = 0; i < count; i++) this.tickOnce()
        this.draw()
    }

    draw() {
        const { session, stage } = this
        if (!session) return
        if (session.version !== this.viewVersion) this.buildView()
        this.showStick()
        this.view.update(session.model)
        stage.draw()
        this.handles.update()
        this.drawTags()
        if (this.shownValues !== JSON.stringify(session.values)) {
            this.shownValues = JSON.stringify(session.values)
            this.showValues()
        }
        this.undoButton.setAttribute('aria-disabled', String(!this.history.canUndo))
        this.redoButton.setAttribute('aria-disabled', String(!this.history.canRedo))
        this.panel.refreshFacts(session.model)
        this.strip.update({ now: this.sought ?? session.now, end: Math.max(session.end, session.model.duration ?? 0), figures: this.figures ?? session.model.figures })
        this.frames++
    }

    /** What is said beside targets: their names under the pointer, and why they are not met. */
    drawTags() {
        const { model } = this.session, wanted = new Map()
        for (const handle of model.handles) {
            if (handle.unmet) {
                if (this.frames % diagnoseEvery === 0 || !handle.reason) handle.reason = model.why?.(handle) || 'not reached'
                wanted.set(handle.id, { handle, text: handle.reason, className: 'tag unmet' })
            } else {
                handle.reason = null
                if (this.handles.hovered?.id === handle.id && !this.handles.active) wanted.set(handle.id, { handle, text: handle.label, className: 'tag plain' })
            }
        }
        // a crowd of tags tells nothing: the worst three
        const shown = [...wanted].sort(([, a], [, b]) => (b.handle.error ?? 0) - (a.handle.error ?? 0)).slice(0, 3)
        for (const [id, tag] of this.tags) {
            if (!shown.some(([key]) => key === id)) {
                tag.remove()
                this.tags.delete(id)
            }
        }
        for (const [id, { handle, text, className }] of shown) {
            if (!this.tags.has(id)) {
                const tag = el('div', {})
                this.tags.set(id, tag)
                this.tagLayer.append(tag)
            }
            const tag = this.tags.get(id), place = this.stage.project(handle.position)
            tag.className = className
            if (tag.textContent !== text) tag.textContent = text
            const half = 128, { clientWidth: width, clientHeight: height } = this.stage.canvas
            tag.style.left = `${Math.min(Math.max(place.x, half), Math.max(width - half, half)).toFixed(0)}px`
            tag.style.top = `${Math.min(Math.max(place.y, 60), height - 90).toFixed(0)}px`
        }
        if (!this.playing || this.frames % 60 === 0) this.speak(model.outcome?.() ?? '')
    }

    /** To screen readers: what has become of it. Numbers alone, which change all the time, are no news. */
    speak(text) {
        const words = text.replace(/[\d.]+/g, '')
        if (words === this.spoken) return
        this.spoken = words
        this.live.textContent = text
    }

    /** Run by the screen's clock. */
    run() {
        let last = performance.now(), owed = 0, slow = []
        const frame = (now) => {
            requestAnimationFrame(frame)
            const passed = Math.min(now - last, 100)
            last = now
            if (!this.session || document.hidden) return
            if (this.sought !== null) {
                this.seek(performance.now() + computing)
                this.stage.stale = true
            } else if (this.playing) {
                owed += (passed / 1000) * this.speed
                const ticks = Math.min(Math.floor(owed / tickTime), 8), end = performance.now() + computing
                owed = Math.min(owed - ticks * tickTime, tickTime)
                for (let i = 0; i < ticks && (i === 0 || performance.now() < end); i++) this.tickOnce()
                this.stage.stale = true
            } else if (this.session.model.hasStick && (this.steer.read()[0] || this.steer.read()[1])) {
                this.play(true)
            }
            if (this.stage.stale) this.draw()
            if (this.values.quality === 'auto' && !this.isSlow && this.playing) {
                slow.push(passed)
                if (slow.length === 24) {
                    this.isSlow = slow.sort((a, b) => a - b)[12] > slowFrame
                    slow = []
                    if (this.isSlow) this.setTheme()
                }
            }
        }
        requestAnimationFrame(frame)
    }
}

function brandMark() {
    const svg = icon('play')
    svg.setAttribute('viewBox', '0 0 32 32')
    svg.innerHTML = '<path d="M6 26 14 12l12 4" fill="none" stroke="var(--left)" stroke-width="4.5" stroke-linecap="round" stroke-linejoin="round"/><circle cx="26" cy="16" r="4.500" fill="var(--accent)"/>'
    return svg
}
