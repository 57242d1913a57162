// What the code tab shows runs as it stands there: each scene's lines, with what a page would give them.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'node:test'
import * as sinew from '../../bindings/js/src/index.js'
import { readValues } from '../src/page/controls.js'
import { scenes } from '../src/scenes/scene.js'
import '../src/scenes/index.js'

const module = new URL('../../bindings/js/src/index.js', import.meta.url).href

test('the code of every scene runs', async () => {
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
        for (const scene of scenes) {
            const { values } = readValues(scene.controls), path = join(folder, `${scene.name}.mjs`)
            const code = scene.code(values).replaceAll("'sinew'", `'${module}'`).replace('i < 1000', 'i < 20')
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

test('a control that a link sets wrongly is told with what it may be', () => {
    const [scene] = scenes
    const { values, wrong } = readValues(scene.controls, new Map([['arm', 'tail'], ['iterations', '-3'], ['method', 'ccd']]))
    assert.equal(values.method, 'ccd')
    assert.equal(values.arm, 'windows')
    assert.equal(wrong.length, 2)
    assert.match(wrong.join(), /arm=tail, want windows/)
})
