// What can be set: scenes declare controls as data; the panel draws them, the link carries them, and a headless run
// reads them. A control is
//     { key, group, label, kind, initial, help }       kind: choice | range | toggle | action | facts | text
// with choices [[value, text], …], or min, max, step, log, unit and zeroText (what 0 stands for), or facts(model) -> [[name, text], …].
//     more: true      under "more"
//     kind text       is in the link alone; free(text) says whether it may be
//     look: true      what is drawn, not what is computed: left out of recordings
//     show(values)    whether it means anything at the moment

// what a link may say beside controls: the page's theme, how finely it draws, and a recording
const ofPage = ['theme', 'quality', 'run']

/** Values of all controls by key, from text where the link has some; values out of range are told, and keys that
 * nobody knows. */
export function readValues(controls, parameters = new Map()) {
    const values = {}, wrong = []
    for (const control of controls) {
        if (control.kind === 'action' || control.kind === 'facts') continue
        const initial = typeof control.initial === 'function' ? control.initial(values) : control.initial
        values[control.key] = initial
        if (!parameters.has(control.key)) continue
        const parsed = parseValue(control, parameters.get(control.key))
        if (parsed === undefined) wrong.push(`${control.key}=${parameters.get(control.key)}, want ${describeRange(control)}`)
        else values[control.key] = parsed
    }
    const known = controls.filter(({ key }) => key in values).map(({ key }) => key)
    for (const key of parameters.keys()) {
        if (!known.includes(key) && !ofPage.includes(key)) wrong.push(`${key} is nothing that can be set here, want one of ${known.join(', ')}`)
    }
    return { values, wrong }
}

/** A control's value from text; undefined where it is none. */
export function parseValue(control, text) {
    if (control.kind === 'toggle') return { 1: true, 0: false, true: true, false: false }[text]
    if (control.kind === 'text') return control.free(text) ? text : undefined
    if (control.kind === 'choice') return control.free?.(text) || control.choices.some(([value]) => value === text) ? text : undefined
    const number = Number(text)
    if (text === '' || !Number.isFinite(number)) return undefined
    if (isWhole(control) && !Number.isInteger(number)) return undefined
    return number >= control.min && number <= control.max ? number : undefined
}

const isWhole = ({ kind, step }) => kind === 'range' && step === 1

export function formatValue(control, value) {
    return control.kind === 'toggle' ? (value ? '1' : '0') : String(value)
}

function describeRange(control) {
    if (control.kind === 'toggle') return '0 or 1'
    if (control.kind === 'text') return 'text as the page writes it'
    if (control.kind === 'choice') return control.choices.map(([value]) => value).join(', ')
    return `${isWhole(control) ? 'a whole number of ' : ''}${control.min} to ${control.max}`
}

/** The number that a person reads. */
export function showNumber(control, value) {
    if (value === 0 && control.zeroText) return control.zeroText
    const shown = value * (control.scale ?? 1)
    const digits = control.digits ?? (Math.abs(shown) >= 100 || Number.isInteger(control.step ?? 0.5) ? 0 : Math.abs(shown) >= 1 ? 2 : 3)
    const text = control.log && Math.abs(shown) < 1e-3 && shown ? shown.toExponential(0) : shown.toFixed(digits)
    return control.unit ? `${text} ${control.unit}` : text
}
