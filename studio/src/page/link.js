// The state of the page as a link: #scene?key=value&…, defaults left out; a recording of what a person did goes in as
// well, so that the same link gives the same bits.

/** { scene, parameters: Map } of a hash such as '#walk?terrain=hills:3'. */
export function readLink(hash) {
    const [scene = '', query = ''] = hash.replace(/^#/, '').split('?')
    const parameters = new Map()
    for (const part of query.split('&')) {
        if (!part) continue
        const [key, ...rest] = part.split('=')
        parameters.set(key, decode(rest.join('=')))
    }
    return { scene: decode(scene), parameters }
}

/** Text of a link; what is no such text stands for itself, and is told as that. */
function decode(text) {
    try {
        return decodeURIComponent(text)
    } catch {
        return text
    }
}

export function writeLink(scene, parameters) {
    const parts = [...parameters].map(([key, value]) => `${key}=${encodeURIComponent(value).replace(/%3A/gi, ':').replace(/%2C/gi, ',').replace(/%2F/gi, '/')}`)
    return `#${scene}${parts.length ? '?' + parts.join('&') : ''}`
}

/** Whether this browser packs and unpacks recordings; those of before 2023 do not. */
export const canPack = typeof CompressionStream !== 'undefined'

/** A recording { ticks, events: [[tick, kind, …], …] } as text for a link; and back. */
export async function packRecord({ ticks, events }) {
    let last = 0
    const rows = events.map(([tick, ...rest]) => {
        const row = [tick - last, ...rest]
        last = tick
        return row
    })
    const bytes = await through(new TextEncoder().encode(JSON.stringify([ticks, rows])), new CompressionStream('deflate-raw'))
    let text = ''
    for (const byte of bytes) text += String.fromCharCode(byte)
    return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}

export async function unpackRecord(text) {
    const bytes = Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0))
    const [ticks, rows] = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw'))))
    if (!Number.isInteger(ticks) || !Array.isArray(rows) || !rows.every(Array.isArray)) throw new Error('no recording')
    let tick = 0
    return { ticks, events: rows.map(([wait, ...rest]) => [tick += wait, ...rest]) }
}

async function through(bytes, transform) {
    const stream = new Blob([bytes]).stream().pipeThrough(transform)
    return new Uint8Array(await new Response(stream).arrayBuffer())
}
