// A scene without a page: the same model, the same ticks, the same numbers.
// usage: node studio/headless.js 'walk?terrain=stairs:0.17,0.29' [--ticks N] [--file FILE]... [--motion FILE]
//   --file    what is dropped on the page;  --motion   a motion for the body of scene open
// Takes what stands behind the # of a link, a recording included; prints one object.
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import * as sinew from '../bindings/js/src/index.js'
import { readValues } from './src/page/controls.js'
import { readLink, unpackRecord } from './src/page/link.js'
import { Session } from './src/session.js'
import { findScene, scenes } from './src/scenes/scene.js'
import './src/scenes/index.js'

function refuse(text) {
    console.error(`headless: ${text}`)
    process.exit(2)
}

/** What was asked for, or one line of why not. */
function asked() {
    try {
        return parseArgs({
            allowPositionals: true,
            options: { ticks: { type: 'string' }, file: { type: 'string', multiple: true, default: [] }, motion: { type: 'string' } },
        })
    } catch (error) {
        return refuse(error.message.split('\n')[0])
    }
}

const { values: options, positionals } = asked()
const { scene: name, parameters } = readLink(positionals[0] ?? '')
const scene = findScene(name)
if (!scene) refuse(`no scene is called '${name}', there are: ${scenes.map((each) => each.name).join(', ')}`)
const { values, wrong } = readValues(scene.controls, parameters)
if (wrong.length) refuse(wrong.join('; '))

await sinew.load()
const record = parameters.has('run')
    ? await unpackRecord(parameters.get('run')).catch(() => refuse('the recording of this link cannot be read: it may have been cut off')) : null
const ticks = options.ticks === undefined ? record?.ticks ?? 600 : Number(options.ticks)
if (!Number.isInteger(ticks) || ticks < 0) refuse(`--ticks is ${options.ticks}, want a whole number`)
const read = async (path) => {
    try {
        return { name: basename(path), bytes: new Uint8Array(await readFile(path)) }
    } catch (error) {
        return refuse(`${path} cannot be read: ${error.code}`)
    }
}
const files = await Promise.all(options.file.map(read))
if (options.motion) files.push({ ...await read(options.motion), asMotion: true })

let session
try {
    session = new Session(sinew, scene, values, { record, files })
} catch (error) {
    console.error(`headless: ${error.message}`)
    process.exit(1)
}
let worst = 0, iterations = 0
for (let i = 0; i < ticks; i++) {
    session.tick()
    worst = Math.max(worst, session.model.figures.error)
    iterations += session.model.figures.iterations
}
session.settle()
console.log(JSON.stringify({
    scene: name, ticks, hash: session.hash(), error_m: session.model.figures.error, worst_error_m: worst,
    mean_iterations: ticks ? iterations / ticks : 0, outcome: session.model.outcome?.() ?? '',
}, null, 1))
session.dispose()
