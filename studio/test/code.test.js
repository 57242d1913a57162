// What the code tab shows runs as it stands there: each scene's lines, with what a page would give them.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { test } from 'node:test'
import * as sinew from '../../bindings/js/src/index.js'
import { Session } from '../src/session.js'
import { readValues, showNumber } from '../src/page/controls.js'
import { readLink } from '../src/page/link.js'
import { countOperations, heelPath, liftCurve, responses } from '../src/scenes/plots.js'
import { scenes } from '../src/scenes/scene.js'
import '../src/scenes/index.js'

const module = new URL('../../bindings/js/src/index.js', import.meta.url).href

test('the code of every scene runs, with every choice', async () => {
    await sinew.load()
    const walker = new sinew.Scene('MAN18'), pose = new sinew.Pose(walker.skeleton)
    const clip = sinew.Clip.create(walker.skeleton, 30, 1 / 30)
    for (let i = 0; i < 30; i++) clip.frames.set(walker.poseAt(i / 30, pose).q, i * walker.skeleton.coordinate_count)
    const folder = await mkdtemp(join(tmpdir(), 'sinew-code-'))
    const place = { x: 0.25, y: 1.1, z: 0.35 }, said = []
    Object.assign(globalThis, {
        cube: place, glass: place, targets: Array(30).fill(place), stick: { x: 0, y: 1 }, mark: (at) => said.push(at),
        file: { name: 'walk.bvh', arrayBuffer: async () => sinew.writeMotion('walk.bvh', clip).buffer }, save: (bytes) => said.push(bytes),
    })
    const { log } = console
    console.log = (...words) => said.push(words)
    try {
        const cases = scenes.flatMap((scene) => [new Map(), ...scene.controls.filter(({ kind, look }) => kind === 'choice' && !look)
            .flatMap(({ key, choices }) => choices.map(([value]) => new Map([[key, value]])))].map((set) => [scene, set]))
        for (const [scene, set] of cases) {
            const { values } = readValues(scene.controls, set), path = join(folder, `${scene.name}-${[...set].flat().join('-').replace(/\W/g, '_')}.mjs`)
            const code = scene.code(values).replaceAll("'sinew'", `'${module}'`).replace('i < 1000', 'i < 5')
            await writeFile(path, `${code}\nexport const run = typeof frame === 'undefined' ? null : frame\n`)
            const { run } = await import(pathToFileURL(path).href)
            for (let i = 0; i < 3; i++) run?.(scene.name === 'walk' ? globalThis.stick : 1 / 60, 1 / 60)
            assert.ok(run || said.length, `${scene.name} did something`)
        }
    } finally {
        console.log = log
        await rm(folder, { recursive: true })
    }
})

test('any two choices go together', async () => {
    await sinew.load()
    const failed = []
    for (const scene of scenes) {
        const settings = scene.controls.filter(({ kind, look }) => !look && (kind === 'choice' || kind === 'toggle')).map(({ key, kind, choices }) =>
            (kind === 'toggle' ? ['0', '1'] : choices.map(([value]) => value).filter((value) => key !== 'crowd' || value < 50)).map((value) => [key, value]))
        const pairs = settings.flatMap((first, i) => first.flatMap((one) => settings.slice(i + 1).flat().map((other) => [one, other])))
        for (const pair of pairs) {
            const { values } = readValues(scene.controls, new Map(pair))
            try {
                const session = new Session(sinew, scene, values)
                for (let i = 0; i < 2; i++) session.tick()
                session.dispose()
            } catch (error) {
                failed.push(`${scene.name} ${pair.join(' ')}: ${error.message}`)
            }
        }
    }
    assert.deepEqual(failed, [])
})

test('a control that a link sets wrongly is told with what it may be', () => {
    const [scene] = scenes
    const { values, wrong } = readValues(scene.controls, new Map([['arm', 'tail'], ['iterations', '-3'], ['method', 'ccd']]))
    assert.equal(values.method, 'ccd')
    assert.equal(values.arm, 'windows')
    assert.equal(wrong.length, 2)
    assert.match(wrong.join(), /arm=tail, want windows/)
    assert.match(readValues(scene.controls, new Map([['iterations', '2.5']])).wrong.join(), /iterations=2.5, want a whole number of 0 to 100/)
})

test('open: a recording that is full says so', async () => {
    await sinew.load()
    const scene = scenes.find(({ name }) => name === 'open'), { values } = readValues(scene.controls, new Map([['mode', 'walk']]))
    const session = new Session(sinew, scene, values), { facts } = scene.controls.find(({ kind }) => kind === 'facts')
    const notes = () => facts(session.model).filter(([name]) => name === 'Note').join()
    for (let i = 0; i < 7199; i++) session.tick()
    assert.equal(notes(), '')
    session.tick()
    assert.match(notes(), /ends after 120 s/)
    session.dispose()
})

test('a slider at 0 says what 0 stands for where it is no number', () => {
    const sliders = scenes.flatMap(({ controls }) => controls.filter(({ kind, help }) => kind === 'range' && /\b0: /.test(help)))
    assert.ok(sliders.length >= 4)
    for (const control of sliders) assert.doesNotMatch(showNumber(control, 0), /\d/, control.label)
})

test('a link of any kind is read, and what it cannot set is told', () => {
    assert.equal(readLink('#%').scene, '%')
    const { scene, parameters } = readLink('#reach?foo=1&theme=dark&quality=low&run=x&method=ccd')
    assert.equal(scene, 'reach')
    const { wrong } = readValues(scenes[0].controls, parameters)
    assert.equal(wrong.length, 1)
    assert.match(wrong[0], /^foo is nothing that can be set here, want one of arm, /)
})

test('headless: what cannot be done is told in one line', () => {
    const run = (...words) => spawnSync('node', [fileURLToPath(new URL('../headless.js', import.meta.url)), ...words], { encoding: 'utf8' })
    for (const [words, said] of [
        [['open', '--file', '/nonexist'], /^headless: \/nonexist cannot be read: ENOENT\n$/], [['reach', '--ticks', '-5'], /^headless: .*ambiguous[^\n]*\n$/],
        [['reach', '--tick', '5'], /^headless: Unknown option '--tick'[^\n]*\n$/], [['reach?foo=1'], /^headless: foo is nothing that can be set here[^\n]*\n$/],
        [['reach?run=x'], /^headless: the recording of this link cannot be read[^\n]*\n$/], [['%'], /^headless: no scene is called '%'[^\n]*\n$/],
    ]) {
        const { status, stderr } = run(...words)
        assert.equal(status, 2, words.join(' '))
        assert.match(stderr, said)
    }
})

test('a .gltf is opened with its .bin, and asks for it', async () => {
    await sinew.load()
    const scene = scenes.find(({ name }) => name === 'open'), hand = scenes.find(({ name }) => name === 'hand')
    const body = new sinew.Scene('MAN18'), clip = sinew.Clip.create(body.skeleton, 2, 1 / 30)
    const pose = new sinew.Pose(body.skeleton)
    for (const at of [0, 1]) clip.frames.set(pose.q, at * body.skeleton.coordinate_count)
    const glb = sinew.writeMotion('man.glb', clip), view = new DataView(glb.buffer, glb.byteOffset), length = view.getUint32(12, true)
    const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)))
    json.buffers[0].uri = 'man.bin'
    const gltf = { name: 'man.gltf', bytes: new TextEncoder().encode(JSON.stringify(json)) }, bin = { name: 'man.bin', bytes: glb.slice(28 + length) }
    for (const { model, controls } of [scene, hand]) {
        const { values } = readValues(controls)
        assert.throws(() => model(sinew, values, [gltf]), /man\.gltf keeps a part of itself in man\.bin: drop the two together/)
        model(sinew, values, [gltf, bin]).dispose()
    }
    assert.throws(() => scene.model(sinew, readValues(scene.controls).values, [{ name: 'panda.urdf', bytes: new Uint8Array() }]), /robots are read by the command and the C library/)
})

test('plots: operations are those of the paper, counted while inverses come out right', () => {
    const rows = countOperations(7)
    assert.deepEqual(rows.map(({ lu }) => lu), [25, 81, 188, 362, 619, 975])
    assert.deepEqual(rows.map(({ cofactors }) => cofactors).slice(0, 5), [8, 51, 304, 1925, 13656])
    for (const { off } of rows) assert.ok(off < 1e-12)
})

test('plots: the heel of the walker rises as eq. 1.15 says, and limits answer each in its way', async () => {
    await sinew.load()
    const points = heelPath(sinew)
    assert.ok(points.length > 40)
    for (const [share, height] of points) assert.ok(Math.abs(height - liftCurve(share)) < 0.06, `${height} at ${share}`)
    const { attempts, closest, intersection } = responses(sinew)
    const far = ([x, y], [u, v]) => Math.hypot(x - u, y - v)
    attempts.forEach((from, i) => {
        // the path from the middle leaves there; nothing on that side is nearer than the closest
        assert.ok(Math.abs(from[0] * intersection[i][1] - from[1] * intersection[i][0]) < 1e-6 * 76 * 76)
        assert.ok(far(from, closest[i]) < far(from, intersection[i]) + 2)
    })
})

// What changes no bit by itself, and why.
const silent = {
    'reach.edit': 'corners to take hold of', 'switch.arm': 'switching moves nothing', 'switch.leg': 'switching moves nothing',
    'open.next': 'what a dropped file does',
}

test('every control of every scene changes what is computed', async () => {
    await sinew.load()
    const bits = (scene, values) => {
        const session = new Session(sinew, scene, values)
        try {
            for (let i = 0; i < 130; i++) session.tick()
            return session.hash()
        } catch (error) {
            // what a method cannot do, the page says
            if (!(error instanceof sinew.SinewError)) throw error
            return error.message
        } finally {
            session.dispose()
        }
    }
    const others = ({ kind, initial, choices, min, max, step }) => kind === 'toggle' ? [!initial] : kind === 'choice' ? choices.map(([value]) => value).filter((value) => value !== initial) : [min, max, ...(step === 1 ? [min + 1, min + 3] : [])].filter((value) => value !== initial)
    const idle = []
    for (const scene of scenes) {
        const { values: plain } = readValues(scene.controls)
        const settable = scene.controls.filter(({ kind, look }) => !look && ['toggle', 'choice', 'range'].includes(kind))
        for (const control of settable) {
            // where it is shown: as things are, or with one other control set otherwise
            const bases = [plain, ...settable.filter(({ key }) => key !== control.key).flatMap((other) => others(other).map((value) => ({ ...plain, [other.key]: value })))].filter((values) => !control.show || control.show(values))
            assert.ok(bases.length, `${scene.name}: ${control.key} is never shown`)
            const changes = bases.slice(0, 12).some((base) => {
                const before = bits(scene, base)
                return others(control).some((value) => bits(scene, { ...base, [control.key]: value }) !== before)
            })
            if (!changes) idle.push(`${scene.name}.${control.key}`)
        }
    }
    assert.deepEqual(idle, Object.keys(silent))
})
