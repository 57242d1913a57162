// The right panel (a sheet from below on phones): controls in groups of at most six, and the code of the scene.
import { el, iconButton } from './dom.js'
import { showNumber } from './controls.js'

const visibleInGroup = 6

export class Panel {
    constructor({ onSet, onAct, onClose }) {
        Object.assign(this, { onSet, onAct })
        this.tabs = ['Controls', 'Code'].map((name, i) => el('button', {
            type: 'button', role: 'tab', id: `tab-${name}`, 'aria-selected': i === 0 ? 'true' : 'false', 'aria-controls': `pane-${name}`,
            tabIndex: i === 0 ? 0 : -1, onclick: () => this.choose(i), onkeydown: (event) => this.key(event, i),
        }, name))
        this.panes = ['Controls', 'Code'].map((name, i) => el('div', {
            className: 'panel-body', role: 'tabpanel', id: `pane-${name}`, 'aria-labelledby': `tab-${name}`, hidden: i !== 0, tabIndex: 0,
        }))
        this.element = el('aside', { className: 'panel', 'aria-label': 'Controls and code' },
            el('div', { className: 'panel-tabs', role: 'tablist' }, this.tabs),
            iconButton('close', 'Close controls', onClose, { className: 'icon close-panel' }), this.panes)
    }

    choose(index) {
        this.tabs.forEach((tab, i) => {
            tab.setAttribute('aria-selected', String(i === index))
            tab.tabIndex = i === index ? 0 : -1
        })
        this.panes.forEach((pane, i) => { pane.hidden = i !== index })
    }

    /** Arrows go from tab to tab, as in any list of tabs. */
    key(event, index) {
        const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
        if (!way) return
        event.preventDefault()
        event.stopPropagation()
        const next = (index + way + this.tabs.length) % this.tabs.length
        this.choose(next)
        this.tabs[next].focus()
    }

    /** Draw the controls of a scene. */
    show(controls, values, about) {
        const groups = new Map()
        for (const control of controls) {
            if (control.kind === 'text') continue
            if (!groups.has(control.group)) groups.set(control.group, [])
            groups.get(control.group).push(control)
        }
        this.fields = new Map()
        this.facts = []
        const sections = [...groups].map(([name, members]) => {
            const first = members.filter(({ more }) => !more).slice(0, visibleInGroup)
            const rest = members.filter((member) => !first.includes(member))
            return el('section', { className: 'group', 'aria-label': name, 'data-keys': members.map(({ key }) => key).join() }, el('h2', {}, name), this.rows(first, values),
                rest.length ? el('details', {}, el('summary', {}, 'More'), this.rows(rest, values)) : null)
        })
        this.panes[0].replaceChildren(...sections, about ? el('p', { className: 'about' }, about) : '')
        this.refresh(values)
    }

    rows(members, values) {
        const rows = []
        let pushes = null
        for (const control of members) {
            if (control.kind === 'action') {
                if (!pushes) rows.push(pushes = el('div', { className: 'pushes' }))
                const button = el('button', { type: 'button', className: 'push', 'data-key': control.key, title: control.help, onclick: () => this.onAct(control.key) }, control.label)
                pushes.append(button)
                this.fields.set(control.key, { control, row: button })
                continue
            }
            pushes = null
            rows.push(control.kind === 'facts' ? this.factsRow(control) : this.row(control, values))
        }
        return rows
    }

    factsRow(control) {
        const list = el('dl', { className: 'facts', 'data-key': control.key })
        this.facts.push({ control, list })
        return list
    }

    row(control) {
        const id = `control-${control.key}`
        const label = el('label', { htmlFor: id }, control.label)
        let input, output = null, row
        if (control.kind === 'choice') {
            input = el('select', { id, onchange: () => this.onSet(control, input.value) },
                control.choices.map(([value, text]) => el('option', { value }, text)))
            row = el('div', { className: 'control' }, label, input)
        } else if (control.kind === 'toggle') {
            input = el('input', { id, type: 'checkbox', onchange: () => this.onSet(control, input.checked) })
            row = el('div', { className: 'control wide' }, label, el('span', { className: 'toggle' }, input, el('i')))
        } else {
            const { min, max, step } = control
            input = el('input', {
                id, type: 'range', min: control.log ? 0 : min, max: control.log ? 1000 : max, step: control.log ? 1 : step,
                oninput: () => this.onSet(control, control.log ? fromLog(control, input.valueAsNumber) : input.valueAsNumber),
            })
            output = el('output', { htmlFor: id })
            row = el('div', { className: 'control wide' }, label, output, input)
        }
        if (control.help) row.title = control.help
        row.dataset.key = control.key
        this.fields.set(control.key, { control, row, input, output })
        return row
    }

    /** Bring all fields to the values, and hide what means nothing at the moment. */
    refresh(values) {
        for (const { control, row, input, output } of this.fields.values()) {
            row.hidden = control.show ? !control.show(values) : false
            if (row.hidden) row.style.display = 'none'
            else row.style.removeProperty('display')
            if (!input) continue
            const value = values[control.key]
            if (control.kind === 'toggle') input.checked = value
            else if (control.kind === 'choice') input.value = value
            else {
                input.value = control.log ? toLog(control, value) : value
                input.style.setProperty('--share', `${(100 * (input.value - input.min)) / (input.max - input.min)}%`)
                output.value = showNumber(control, value)
                input.setAttribute('aria-valuetext', output.value)
            }
        }
        this.hideEmptyGroups()
    }

    /** A heading above nothing is no heading. */
    hideEmptyGroups() {
        for (const section of this.panes[0].querySelectorAll('.group')) {
            const fields = section.dataset.keys.split(',').map((key) => this.fields.get(key)).filter(Boolean)
            section.hidden = fields.length > 0 && fields.every(({ row }) => row.hidden)
        }
    }

    refreshFacts(model) {
        for (const { control, list } of this.facts) {
            const rows = control.facts(model)
            const text = rows.flat().join('\n')
            if (list.dataset.text === text) continue
            list.dataset.text = text
            list.replaceChildren(...rows.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]))
        }
    }

    showCode(code, caption, onCopy) {
        this.panes[1].replaceChildren(
            el('p', { className: 'about' }, 'What makes this scene, with the npm module:'),
            el('div', { className: 'code' }, el('pre', { tabIndex: 0 }, code)),
            el('button', { type: 'button', className: 'push', onclick: () => onCopy(code) }, 'Copy'),
            el('p', { className: 'about' }, caption))
    }
}

// the lowest setting of a logarithmic slider that may be 0 is 0
const toLog = ({ min, max, zero }, value) => zero && value < min ? 0 : Math.round((1000 * Math.log(Math.max(value, min) / min)) / Math.log(max / min))
function fromLog({ min, max, zero }, place) {
    return zero && place === 0 ? 0 : Number((min * (max / min) ** (place / 1000)).toPrecision(3))
}
