// Undo and redo, by keys, pointer and touch, in a real browser; frames are stepped.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { serve } from '../serve.js'
import { drag, handle, launch, missing, open, phone, takeArm, tick } from './browser.js'

const why = missing()
let browser, server

const visit = (hash, options) => open(browser, server.url, `${hash}${hash.includes('?') ? '&' : '?'}quality=low`, options)
/** All of a model's state, and what is set. */
const hash = (page) => page.evaluate(() => `${window.studio.session.hash()} ${JSON.stringify(window.studio.session.values)}`)
const now = (page) => page.evaluate(() => window.studio.session.now)
const value = (page, key) => page.evaluate((k) => [window.studio.values[k], window.studio.session.values[k]], key)
const link = (page) => page.evaluate(() => location.hash)
const undo = (page) => page.keyboard.press('Control+z')
const redo = (page) => page.keyboard.press('Control+Shift+Z')
/** The state after so many ticks in which nobody did anything. */
const untouched = async (to, ticks) => {
    const { page, close } = await visit(to)
    await tick(page, ticks)
    const bits = await hash(page)
    await close()
    return bits
}

describe('history', { skip: why ?? false, concurrency: 2 }, () => {
    before(async () => {
        server = await serve()
        browser = await launch()
    })
    after(async () => {
        await browser?.close()
        server?.close()
    })

    const drags = [['reach', 0], ['reach?path=0&edit=1', 9], ['bodies?mass=point', 1], ['hand', 8], ['switch', 1], ['switch?demo=0&arm=1', 0], ['open', 2], ['open?mode=pose', 2], ['lab?renew=0&b=none&c=none&d=none', 0]]
    for (const [to, index] of drags) {
        test(`${to}: a drag is one step; without it all is as if it had not been, with it again as it was`, async () => {
            const { page, problems, close } = await visit(to)
            await tick(page, 30)
            await drag(page, await handle(page, index), -24, -18)
            await tick(page, 20)
            const dragged = await hash(page), at = await now(page)
            await undo(page)
            assert.equal(await now(page), at, 'time is not taken back')
            assert.equal(await hash(page), await untouched(to, at))
            await redo(page)
            assert.equal(await hash(page), dragged)
            await undo(page)
            await page.keyboard.press('Control+y')
            assert.equal(await hash(page), dragged)
            await page.keyboard.press('Meta+z')
            assert.notEqual(await hash(page), dragged)
            await page.keyboard.press('Meta+Shift+Z')
            assert.equal(await hash(page), dragged)
            await page.keyboard.press('Control+y')
            assert.match(await page.locator('.toast').textContent(), /Nothing to redo/)
            assert.deepEqual(problems, [])
            await close()
        })
    }

    for (const name of ['reach', 'bodies', 'hand', 'switch', 'walk', 'open', 'lab']) {
        test(`${name}: every control is taken back, and set again`, async () => {
            const { page, problems, close } = await visit(name)
            await tick(page, 20)
            await page.evaluate(() => { for (const more of document.querySelectorAll('.group details')) more.open = true })
            const controls = await page.evaluate(() => window.studio.controls.filter(({ kind, key }) => ['choice', 'range', 'toggle'].includes(kind) && key !== 'crowd')
                .map(({ key, kind, choices }) => ({ key, kind, options: choices?.map(([each]) => each) })))
            for (const { key, kind, options } of controls) {
                const field = page.locator(`#control-${key}`)
                if (!(await field.isVisible())) continue
                const was = await value(page, key), address = await link(page)
                if (kind === 'choice') await field.selectOption(options.find((option) => option !== was[0]))
                else {
                    await field.focus()
                    await page.keyboard.press(kind === 'toggle' ? 'Space' : was[0] === 0 ? 'End' : 'Home')
                }
                await tick(page, 3)
                const set = await value(page, key), longer = await link(page)
                assert.notDeepEqual(set, was, key)
                await undo(page)
                assert.deepEqual(await value(page, key), was, `${key} taken back`)
                assert.equal(await link(page), address, `the link without ${key}`)
                assert.equal(await page.evaluate((k) => { const it = document.querySelector(`#control-${k}`); return it.type === 'checkbox' ? it.checked : it.value }, key),
                    await page.evaluate((k) => { const { studio } = window, { input, control } = studio.panel.fields.get(k); studio.panel.refresh(studio.session.values); return control.kind === 'toggle' ? input.checked : input.value }, key), `${key} is shown`)
                await redo(page)
                assert.deepEqual(await value(page, key), set, `${key} again`)
                assert.equal(await link(page), longer)
                await undo(page)
                await tick(page, 2)
                assert.deepEqual(await value(page, key), was, `${key} stays taken back`)
            }
            assert.deepEqual(problems, [])
            assert.deepEqual(await page.evaluate(() => window.studio.errors), [])
            await close()
        })
    }

    test('a slider that is dragged is one step; so is a key that is held, and each press of one is its own', async () => {
        const { page, problems, close } = await visit('walk?terrain=flat&figure=stick')
        await tick(page, 10)
        const { x, y, width, height } = await page.locator('#control-speed').boundingBox()
        await page.mouse.move(x + 0.3 * width, y + height / 2)
        await page.mouse.down()
        for (const share of [0.4, 0.5, 0.6, 0.7]) {
            await page.mouse.move(x + share * width, y + height / 2)
            await tick(page, 2)
        }
        await page.mouse.up()
        const [slid] = await value(page, 'speed')
        assert.ok(slid > 1.4)
        await page.locator('#control-speed').focus()
        await page.keyboard.down('ArrowLeft')
        for (let i = 0; i < 4; i++) await page.keyboard.down('ArrowLeft')
        await page.keyboard.up('ArrowLeft')
        await page.keyboard.press('ArrowRight')
        await page.keyboard.press('ArrowRight')
        await tick(page, 1)
        const steps = [slid - 0.2, slid - 0.25, slid, 1.3]
        for (const wanted of steps) {
            await undo(page)
            assert.ok(Math.abs((await value(page, 'speed'))[1] - wanted) < 1e-6, `${await value(page, 'speed')}, want ${wanted}`)
        }
        assert.equal(await page.locator('[aria-label^=Undo]').getAttribute('aria-disabled'), 'true')
        assert.deepEqual(problems, [])
        await close()
    })

    test('walk: settings are taken back, time and the way that was walked are not', async () => {
        const { page, problems, close } = await visit('walk?terrain=flat&figure=stick')
        const way = () => page.evaluate(() => window.studio.session.model.walker.report.distance)
        await tick(page, 120)
        await page.locator('#control-speed').focus()
        await page.keyboard.press('End')
        await tick(page, 120)
        const [far, at] = [await way(), await now(page)]
        await undo(page)
        assert.deepEqual(await value(page, 'speed'), [1.3, 1.3])
        assert.deepEqual([await way(), await now(page)], [far, at])
        await tick(page, 30)
        assert.ok(await way() > far)
        // what was taken back is in the recording, as it happened
        const bits = await hash(page), shared = await page.evaluate(() => window.studio.shareLink())
        await close()
        const again = await visit(shared.slice(1))
        await tick(again.page, at + 30)
        assert.equal(await hash(again.page), bits)
        await again.close()
        assert.deepEqual(problems, [])
    })

    test('switch: a ring, the switch and the handle are taken back one after the other', async () => {
        const { page, problems, close } = await visit('switch?demo=0')
        const states = []
        const state = () => page.evaluate(() => { const { model, values } = window.studio.session; return { q: [...model.pose.q], arm: values.arm } })
        const mark = async () => { await tick(page, 20); states.push(await state()) }
        // a pose that is held by a handle goes on settling by less than can be seen
        const isAs = async ({ q, arm }, what) => {
            const found = await state(), off = Math.max(...found.q.map((value, i) => Math.abs(value - q[i])))
            assert.equal(found.arm, arm, what)
            assert.ok(off < 1e-4, `${what}: ${off} off`)
        }
        await mark()
        await drag(page, await handle(page, 2), 30, -30)
        await mark()
        await page.locator('#control-arm').click()
        await mark()
        await drag(page, await handle(page, 0), 20, -40)
        await mark()
        assert.ok(Math.max(...states[1].q.map((value, i) => Math.abs(value - states[0].q[i]))) > 0.05)
        for (const i of [2, 1, 0]) { await undo(page); await isAs(states[i], `${i} by undo`) }
        for (const i of [1, 2, 3]) { await redo(page); await isAs(states[i], `${i} by redo`) }
        assert.deepEqual(problems, [])
        await close()
    })

    test('while time stands: what was set and set back is in the recording, and in what is run again', async () => {
        const { page, close } = await visit('switch')
        await page.evaluate(() => window.studio.play(false))
        await tick(page, 100)
        for (let i = 0; i < 2; i++) await page.locator('#control-demo').click()
        await page.evaluate(() => window.studio.scrub(100))
        await tick(page, 60)
        const bits = await hash(page)
        await page.evaluate(() => { window.studio.scrub(20); window.studio.scrub(160) })
        assert.equal(await hash(page), bits)
        await undo(page)
        await undo(page)
        assert.equal(await hash(page), await untouched('switch', 160))
        await redo(page)
        await redo(page)
        assert.equal(await hash(page), bits)
        await close()
    })

    test('who does something else after an undo has nothing to redo', async () => {
        const { page, close } = await visit('reach')
        await page.locator('#control-method').selectOption('ccd')
        await tick(page, 2)
        await undo(page)
        await page.locator('#control-limits').evaluate((it) => { it.value = 'none'; it.dispatchEvent(new Event('change', { bubbles: true })) })
        await tick(page, 2)
        await redo(page)
        assert.deepEqual([await value(page, 'method'), await value(page, 'limits')], [['auto', 'auto'], ['none', 'none']])
        await close()
    })

    test('a start again is taken back, with all that it threw away', async () => {
        const { page, close } = await visit('reach?path=0')
        await tick(page, 10)
        await page.locator('[data-key=capture]').click()
        await drag(page, await handle(page), 40, -30)
        await tick(page, 40)
        const bits = await hash(page), at = await now(page)
        await page.keyboard.press('r')
        await tick(page, 5)
        assert.equal(await page.evaluate(() => window.studio.session.model.starts.length), 0)
        await undo(page)
        assert.deepEqual([await hash(page), await now(page)], [bits, at])
        assert.equal(await page.evaluate(() => window.studio.session.model.starts.length), 1)
        await undo(page)
        await undo(page)
        assert.equal(await page.evaluate(() => window.studio.session.model.starts.length), 0, 'an action is a step as well')
        await close()
    })

    test('what was recorded and is overwritten from a moment of the past comes back', async () => {
        const { page, close } = await visit('reach?path=0')
        await drag(page, await handle(page), 40, -30)
        await tick(page, 60)
        const bits = await hash(page), at = await now(page)
        await page.evaluate(() => window.studio.scrub(2))
        await drag(page, await handle(page), -30, -30)
        await undo(page)
        await page.evaluate((end) => window.studio.scrub(end), at)
        assert.equal(await hash(page), bits)
        await close()
    })

    test('open: steering stays when what was set before it is taken back', async () => {
        const { page, close } = await visit('open?mode=walk')
        await tick(page, 10)
        await page.locator('#control-terrain').selectOption('hills:3')
        await tick(page, 2)
        await page.keyboard.down('w')
        await tick(page, 60)
        await page.keyboard.up('w')
        await tick(page, 2)
        await undo(page)
        const { terrain, isSteered } = await page.evaluate(() => ({ terrain: window.studio.session.values.terrain, isSteered: window.studio.session.model.isSteered }))
        assert.deepEqual([terrain, isSteered], ['flat', true])
        await close()
    })

    test('what could not be done is no step', async () => {
        const { page, close } = await visit('open')
        await takeArm(page)
        await page.locator('#control-figure').selectOption('bones')
        await tick(page, 5)
        await page.locator('#control-mode').selectOption('walk')
        await tick(page, 5)
        assert.equal((await value(page, 'mode'))[1], 'play')
        await undo(page)
        assert.equal((await value(page, 'figure'))[1], 'mesh')
        await close()
    })

    test('a drag stays one step when a key is pressed in it, and is not taken back before it ends', async () => {
        const { page, close } = await visit('reach?path=0')
        await tick(page, 10)
        const start = await handle(page)
        await page.mouse.move(start.x, start.y)
        await page.mouse.down()
        for (let i = 1; i < 6; i++) {
            await page.mouse.move(start.x + 8 * i, start.y - 6 * i)
            await tick(page, 1)
            await page.keyboard.press(i === 3 ? 'Control+z' : 'Shift')
        }
        await page.mouse.up()
        await tick(page, 5)
        const moved = await handle(page)
        assert.ok(Math.hypot(...moved.position.map((v, i) => v - start.position[i])) > 0.02)
        await undo(page)
        assert.deepEqual((await handle(page)).position, start.position)
        await close()
    })

    test('a text field has its own undo', async () => {
        const { page, close } = await visit('reach')
        await page.locator('#control-method').selectOption('ccd')
        await tick(page, 2)
        await page.evaluate(() => document.body.append(Object.assign(document.createElement('input'), { id: 'words', style: 'position: fixed; top: 0' })))
        await page.locator('#words').focus()
        await page.keyboard.type('abc')
        await undo(page)
        assert.notEqual(await page.locator('#words').inputValue(), 'abc')
        assert.deepEqual(await value(page, 'method'), ['ccd', 'ccd'])
        await page.locator('#control-method').focus()
        await undo(page)
        assert.deepEqual(await value(page, 'method'), ['auto', 'auto'])
        await close()
    })

    test('phone: the two buttons are there once there is something to take back, and do it by touch', async () => {
        const { page, problems, close } = await visit('reach?path=0', { size: phone })
        await tick(page, 10)
        const buttons = page.locator('.history'), at = (await handle(page)).position
        assert.equal(await buttons.isVisible(), false)
        await drag(page, await handle(page), -14, -12, { touch: true })
        await tick(page, 2)
        const moved = (await handle(page)).position
        const { x, y, width, height } = await buttons.boundingBox()
        assert.ok(x >= 0 && x + width <= phone.width && width >= 80 && height >= 40)
        assert.ok(await page.evaluate(() => document.querySelector('.hint').getBoundingClientRect().right <= document.querySelector('.history').getBoundingClientRect().left))
        await page.locator('[aria-label^=Undo]').tap()
        assert.deepEqual((await handle(page)).position, at)
        await page.locator('[aria-label^=Redo]').tap()
        assert.deepEqual((await handle(page)).position, moved)
        assert.deepEqual(problems, [])
        await close()
    })

    test('a turn by keys is taken back, and what is turned next begins there', async () => {
        const { page, close } = await visit('reach?path=0&ask=pose')
        await tick(page, 5)
        await page.locator('.handle').first().focus()
        await page.keyboard.press('Enter')
        await page.keyboard.press('m')
        const rotation = () => page.evaluate(() => ({ model: [...window.studio.session.model.handles[0].rotation], gizmo: window.studio.handles.place.quaternion.toArray() }))
        const start = await rotation()
        await page.keyboard.press('ArrowRight')
        await tick(page, 2)
        assert.notDeepEqual((await rotation()).model, start.model)
        await undo(page)
        assert.deepEqual(await rotation(), start)
        await close()
    })

    test('by the clock of the screen: a long run is run again without stopping the page, and goes on', async () => {
        const { page, close } = await visit('switch')
        const [before, after, playing] = await page.evaluate(async () => {
            const { studio } = window
            studio.tick(200)
            studio.drag(studio.session.model.handles[0], [0.3, 1.2, 0.3])
            for (let i = 0; i < 4000; i++) studio.tickOnce()
            studio.stepped = false
            studio.playing = true
            studio.run()
            const before = studio.session.now
            studio.undo()
            for (let i = 0; i < 2000 && (studio.sought !== null || studio.session.now <= before); i++) await new Promise(requestAnimationFrame)
            return [before, studio.session.now, studio.playing]
        })
        assert.ok(after > before, `${after}, ${before} before`)
        assert.equal(playing, true)
        assert.deepEqual(await value(page, 'demo'), [true, true])
        await close()
    })
})
