// The studio in a real browser: what a person sees and does. Frames are stepped, so nothing here hangs on time.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serve } from '../serve.js'
import { drag, handle, laptop, launch, luminance, missing, open, phone, picture, takeArm, tick } from './browser.js'

const names = ['reach', 'bodies', 'hand', 'switch', 'walk', 'open', 'lab']
const why = missing()
let browser, server

const visit = (hash, options) => open(browser, server.url, hash + (hash.includes('?') ? '&' : '?') + 'quality=low', options)
/** What lies over something else, or outside of the window. */
const overlaps = (page) => page.evaluate(() => {
    const boxes = ['.top', '.hint', '.caption', '.stick', '.inset', '.table', '.plot', '.panel', '.strip'].flatMap((selector) => [...document.querySelectorAll(selector)].map((it) => [selector, it]))
        .filter(([, it]) => it.checkVisibility()).map(([selector, it]) => [selector, it.getBoundingClientRect()]).filter(([, box]) => box.width && box.height)
    const found = []
    boxes.forEach(([a, p], i) => {
        if (p.left < -0.5 || p.top < -0.5 || p.right > innerWidth + 0.5 || p.bottom > innerHeight + 0.5) found.push(`${a} is outside`)
        boxes.slice(i + 1).forEach(([b, q]) => {
            const w = Math.min(p.right, q.right) - Math.max(p.left, q.left), h = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top)
            if (w > 0.5 && h > 0.5) found.push(`${a} and ${b} by ${w.toFixed(0)} x ${h.toFixed(0)}`)
        })
    })
    return found
})

const hash = (page) => page.evaluate(() => window.studio.session.hash())

describe('studio', { skip: why ?? false, concurrency: 2 }, () => {
    before(async () => {
        server = await serve()
        browser = await launch()
    })
    after(async () => {
        await browser?.close()
        server?.close()
    })

    for (const name of names) {
        test(`${name}: starts by name and runs 600 frames`, async () => {
            const { page, problems, close } = await visit(name)
            assert.equal(await page.evaluate(() => window.studio.scene.name), name)
            const unmet = await page.evaluate(() => {
                const { studio } = window
                let frames = 0
                for (let i = 0; i < 600; i++) {
                    studio.tickOnce()
                    frames += studio.session.model.handles.some((it) => it.unmet) || studio.session.model.walker?.report.is_met === false
                    if (i % 100 === 99) studio.draw()
                }
                return frames
            })
            assert.deepEqual(problems, [])
            assert.deepEqual(await page.evaluate(() => window.studio.errors), [])
            assert.equal(unmet, 0, 'frames with a reachable goal that was not met')
            await close()
        })
    }

    const drags = [['reach', 'reach?path=0', 0], ['bodies', 'bodies?body=MAN18&path=0&mass=none', 1], ['hand', 'hand?pace=0', 8], ['switch in IK', 'switch?demo=0&arm=1', 0], ['open', 'open?mode=pose', 2], ['lab', 'lab?renew=0&b=none&c=none&d=none', 0]]
    for (const [name, link, index] of drags) {
        test(`${name}: a target dragged by mouse is reached`, async () => {
            const { page, problems, close } = await visit(link)
            await tick(page, 30)
            const start = await handle(page, index)
            await drag(page, start, -24, -18)
            await tick(page, 60)
            const end = await handle(page, index)
            assert.ok(Math.hypot(...end.position.map((value, i) => value - start.position[i])) > 0.004, 'it moved')
            const off = await page.evaluate((i) => {
                const { model } = window.studio.session, it = model.handles[i]
                return it.error ?? model.figures.error
            }, index)
            // a finger that is pulled off its hand gives way to nineteen others
            if (name !== 'hand') assert.ok(off < 2e-3, `${off} m`)
            assert.deepEqual(problems, [])
            await close()
        })
    }

    for (const [name, link, index] of drags) {
        test(`${name}: a target dragged by touch is reached`, async () => {
            const { page, problems, close } = await visit(link, { size: phone })
            await tick(page, 30)
            const start = await handle(page, index)
            await drag(page, start, -14, -12, { touch: true })
            await tick(page, 60)
            const end = await handle(page, index)
            assert.ok(Math.hypot(...end.position.map((value, i) => value - start.position[i])) > 0.003, 'it moved')
            const off = await page.evaluate((i) => {
                const { model } = window.studio.session, it = model.handles[i]
                return it.error ?? model.figures.error
            }, index)
            if (name !== 'hand') assert.ok(off < 2e-3, `${off} m`)
            assert.deepEqual(problems, [])
            await close()
        })
    }

    test('every scene: the keyboard alone reaches a target and moves it', async () => {
        const { page, problems, close } = await visit('reach')
        for (const [name, link, index] of drags) {
            await page.evaluate(async (to) => { history.replaceState(null, '', `#${to}${to.includes('?') ? '&' : '?'}quality=low`); await window.studio.openLink(); document.activeElement.blur() }, link)
            await tick(page, 10)
            const { id } = await handle(page, index)
            for (let i = 0; i < 60; i++) {
                await page.keyboard.press('Tab')
                if (await page.evaluate((at) => [...document.querySelectorAll('.handle')].indexOf(document.activeElement) === at, index)) break
            }
            const before = await handle(page, index)
            assert.equal(before.id, id, name)
            for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowUp')
            await tick(page, 20)
            const moved = await handle(page, index)
            assert.ok(moved.position[1] > before.position[1] + 0.001, `${name}: ${moved.position[1] - before.position[1]} m up`)
        }
        assert.deepEqual(problems, [])
        await close()
    })

    test('controls of the look change the picture', async () => {
        const { page, problems, close } = await visit('reach', { size: { width: 480, height: 400 } })
        for (const name of names) {
            const looks = await page.evaluate(async (scene) => {
                const { studio } = window
                history.replaceState(null, '', `#${scene}?quality=low`)
                await studio.openLink()
                studio.tick(100)
                return studio.scene.controls.filter(({ look, key }) => look && key !== 'quality').map(({ key, kind, initial, choices }) => [key, kind === 'toggle' ? [!initial] : choices.map(([value]) => value).filter((value) => value !== initial), initial])
            }, name)
            for (const [key, others, initial] of looks) {
                const plain = (await page.screenshot()).toString('base64')
                let changed = false
                for (const value of others) {
                    await page.evaluate(([k, v]) => { window.studio.set(k, v); window.studio.tick(12); window.studio.scrub(100) }, [key, value])
                    changed ||= (await page.screenshot()).toString('base64') !== plain
                }
                await page.evaluate(([k, v]) => { window.studio.set(k, v); window.studio.scrub(100) }, [key, initial])
                assert.ok(changed, `${name}: ${key}`)
            }
        }
        assert.deepEqual(problems, [])
        await close()
    })

    test('an unmet target says which limit stops it, and the graph shows it', async () => {
        const { page, close } = await visit('reach?path=0&arm=hinges')
        await tick(page, 10)
        const start = await handle(page)
        await drag(page, start, 330, 250)
        await tick(page, 90)
        assert.ok((await handle(page)).unmet)
        assert.match(await page.locator('.tag.unmet').first().textContent(), /misses by .*(reach|limit)/)
        assert.match(await page.locator('.reading b').first().textContent(), /mm|m$/)
        await close()
    })

    test('keyboard alone: tabs, targets, time', async () => {
        const { page, problems, close } = await visit('reach?path=0')
        await page.keyboard.press('Tab')
        for (let i = 0; i < 30; i++) {
            if (await page.evaluate(() => document.activeElement.classList.contains('handle'))) break
            await page.keyboard.press('Tab')
        }
        const before = await handle(page)
        for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowUp')
        await tick(page, 40)
        const moved = await handle(page)
        assert.ok(moved.position[1] > before.position[1] + 0.01, 'arrow keys move the target that has the focus')
        assert.ok(moved.error < 1e-3)
        const playing = () => page.evaluate(() => window.studio.playing)
        const was = await playing()
        await page.keyboard.press('Space')
        assert.notEqual(await playing(), was)
        const now = () => page.evaluate(() => window.studio.session.now)
        const at = await now()
        await page.keyboard.press('.')
        assert.equal(await now(), at + 1)
        await page.keyboard.press('r')
        assert.equal(await now(), 0)
        await page.keyboard.press('?')
        assert.ok(await page.locator('dialog[open]').count())
        await page.keyboard.press('Escape')
        await page.keyboard.press('2')
        await page.waitForFunction(() => window.studio.scene.name === 'bodies')
        assert.deepEqual(problems, [])
        await close()
    })

    test('a target is turned by keys alone', async () => {
        const { page, problems, close } = await visit('reach?path=0&ask=pose')
        await tick(page, 10)
        const at = () => page.evaluate(() => { const { position, rotation } = window.studio.session.model.handles[0]; return { position: [...position], rotation: [...rotation] } })
        await page.locator('.handle').first().focus()
        await page.keyboard.press('Enter')
        await page.keyboard.press('m')
        const before = await at()
        for (let i = 0; i < 4; i++) {
            await page.keyboard.press('ArrowRight')
            await tick(page, 1)
        }
        const turned = await at()
        assert.deepEqual(turned.position, before.position)
        const cosine = Math.abs(turned.rotation.reduce((sum, value, i) => sum + value * before.rotation[i], 0))
        assert.ok(Math.abs(2 * Math.acos(cosine) * 180 / Math.PI - 20) < 0.1, `${2 * Math.acos(cosine) * 180 / Math.PI} degrees by four presses of 5`)
        await page.keyboard.press('m')
        await page.keyboard.press('ArrowUp')
        await tick(page, 2)
        assert.ok((await at()).position[1] > before.position[1])
        assert.deepEqual(problems, [])
        await close()
    })

    test('walk: keys, gamepad and the stick on the screen', async () => {
        const { page, problems, close } = await visit('walk?auto=0&terrain=flat&figure=stick', {
            before: () => {
                const pad = { connected: true, mapping: 'standard', axes: [0, 0, 0, 0], buttons: Array.from({ length: 17 }, () => ({ pressed: false, value: 0 })) }
                window.pad = pad
                navigator.getGamepads = () => [pad, null, null, null]
            },
        })
        const way = () => page.evaluate(() => window.studio.session.model.walker.report.distance)
        await tick(page, 60)
        assert.ok(await way() < 0.05, 'it stands')
        await page.keyboard.down('w')
        await tick(page, 120)
        await page.keyboard.up('w')
        const byKeys = await way()
        assert.ok(byKeys > 1.5, `${byKeys} m by W`)
        await tick(page, 120)
        await page.evaluate(() => { window.pad.axes[1] = -1 })
        const start = await way()
        await tick(page, 120)
        const byPad = await way() - start
        assert.ok(byPad > 1.5, `${byPad} m by gamepad`)
        await page.evaluate(() => { window.pad.axes[1] = 0 })
        await tick(page, 120)
        const box = await page.locator('.stick').boundingBox(), before = await way()
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
        await page.mouse.down()
        await page.mouse.move(box.x + box.width / 2, box.y + 4)
        await tick(page, 120)
        await page.mouse.up()
        const byStick = await way() - before
        assert.ok(byStick > 1.5, `${byStick} m by stick`)
        assert.equal(await page.evaluate(() => window.studio.session.model.walker.report.unmet_frames), 0)
        assert.deepEqual(problems, [])
        await close()
    })

    for (const name of names) {
        test(`${name}: each control sets what it says, and the link says it too`, async () => {
            const { page, problems, close } = await visit(name)
            await tick(page, 2)
            await page.evaluate(() => { for (const more of document.querySelectorAll('.group details')) more.open = true })
            const controls = await page.evaluate(() => window.studio.controls.filter(({ kind }) => ['choice', 'range', 'toggle'].includes(kind))
                .map(({ key, kind, min, max, choices, log }) => ({ key, kind, min, max, log, last: choices?.filter(([value]) => value !== '500').at(-1)[0] })))
            for (const { key, kind, last, log } of controls) {
                const field = page.locator(`#control-${key}`)
                if (key === 'quality' || !(await field.isVisible())) continue
                const was = await page.evaluate((k) => window.studio.values[k], key)
                if (kind === 'choice') {
                    const other = last === was ? await field.locator('option').first().getAttribute('value') : last
                    await field.selectOption(other)
                } else {
                    await field.focus()
                    await page.keyboard.press(kind === 'toggle' ? 'Space' : log || was === 0 ? 'End' : 'Home')
                }
                await tick(page, 1)
                const { value, used, link } = await page.evaluate((k) => ({ value: window.studio.values[k], used: window.studio.session.values[k], link: location.hash }), key)
                assert.notEqual(value, was, `${key} changed`)
                assert.deepEqual(used, value, `${key} arrived at the model`)
                const said = new Map(link.split('?')[1]?.split('&').map((part) => part.split('=')) ?? [])
                const isDefault = await page.evaluate((k) => { const c = window.studio.controls.find((it) => it.key === k); return c.initial === window.studio.values[k] }, key)
                if (!isDefault) assert.ok(said.has(key), `${key} stands in ${link}`)
            }
            assert.deepEqual(problems, [])
            assert.deepEqual(await page.evaluate(() => window.studio.errors), [])
            await close()
        })
    }

    test('a switch answers wherever it is clicked, on its knob as well', async () => {
        const { page, close } = await visit('switch?demo=0')
        const box = await page.locator('#control-arm + i').boundingBox()
        const is = () => page.evaluate(() => window.studio.values.arm)
        // in the middle of the knob, which is on the left while it is off and then on the right
        for (const [share, wanted] of [[0.3, true], [0.7, false], [0.9, true], [0.1, false]]) {
            await page.mouse.click(box.x + share * box.width, box.y + box.height / 2)
            await tick(page, 1)
            assert.equal(await is(), wanted, `at ${share}`)
        }
        await close()
    })

    test('controls change what is computed', async () => {
        // each pair of links has to give other bits; the first is the default
        const pairs = [['reach', 'method=ccd'], ['reach', 'iterations=1&method=transpose'], ['reach', 'ask=pose'], ['reach', 'arm=spine'], ['bodies', 'mass=none'], ['bodies', 'far=3'],
            ['bodies', 'limits=none&far=4'], ['hand', 'pace=2'], ['switch', 'demo=0'], ['walk', 'terrain=stairs:0.17,0.29'], ['walk', 'style=paper'], ['walk', 'speed=0.6'], ['open', 'mode=walk'], ['lab', 'iterations=3']]
        const { page, close } = await visit('reach')
        const results = await page.evaluate(async (list) => {
            const { studio } = window, out = []
            const run = async (link) => {
                history.replaceState(null, '', `#${link}`)
                await studio.openLink()
                for (let i = 0; i < 90; i++) studio.tickOnce()
                return studio.session.hash()
            }
            for (const [scene, change] of list) out.push([await run(`${scene}?quality=low`), await run(`${scene}?quality=low&${change}`)])
            return out
        }, pairs)
        results.forEach(([plain, changed], i) => assert.notEqual(plain, changed, pairs[i].join('?')))
        await close()
    })

    test('a bad file shows the message of its loader, and what was there goes on', async () => {
        const { page, close } = await visit('open')
        const dropFile = (name, text) => page.evaluate(async ([n, t]) => {
            const data = new DataTransfer()
            data.items.add(new File([t], n))
            window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
            await new Promise((done) => setTimeout(done, 50))
        }, [name, text])
        await dropFile('broken.bvh', 'HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 zero\n')
        await page.waitForSelector('.error:not([hidden])')
        const text = await page.locator('.error').textContent()
        assert.match(text, /broken\.bvh/)
        assert.match(text, /line 4|:4/)
        assert.match(text, /zero/)
        await tick(page, 30)
        assert.equal(await page.evaluate(() => window.studio.session.model.name), 'MAN18')
        await page.keyboard.press('Escape')
        await dropFile('notes.txt', 'hello')
        await page.waitForSelector('.error:not([hidden])')
        assert.match(await page.locator('.error').textContent(), /notes\.txt/)
        await close()
    })

    test('open: a file that is written here is read again', async () => {
        const { page, problems, close } = await visit('open?mode=walk')
        await tick(page, 120)
        for (const ending of ['bvh', 'glb']) {
            const shown = await page.evaluate(async (end) => {
                const { studio } = window
                if (studio.session.model.name !== 'MAN18') { history.replaceState(null, '', '#open?mode=walk&quality=low'); studio.files = []; await studio.openLink(); studio.tick(120) }
                studio.act(end)
                const { name, bytes } = studio.saved
                await studio.takeFiles([new File([bytes], name)])
                studio.tick(30)
                return { name: studio.session.model.name, joints: studio.session.model.skeleton.joint_count, frames: studio.session.model.motion?.clip.frame_count }
            }, ending)
            assert.match(shown.name, new RegExp(`\\.${ending}$`))
            assert.ok(shown.joints >= 18)
            assert.equal(shown.frames, 120)
        }
        assert.deepEqual(await page.evaluate(() => window.studio.errors), [])
        assert.deepEqual(problems, [])
        await close()
    })

    test('reach: a limit edited in 3D and in the sketch goes through its file unchanged', async () => {
        const { page, problems, close } = await visit('reach?path=0&edit=1')
        await tick(page, 5)
        const corner = await page.evaluate(() => window.studio.session.model.handles.findIndex(({ id }) => id === 'Shoulder:8'))
        const was = await page.evaluate(() => window.studio.session.model.values.shoulder)
        await drag(page, await handle(page, corner), -14, 12)
        const edited = await page.evaluate(() => window.studio.session.model.values.shoulder)
        assert.notEqual(edited, was)
        const dot = await page.locator('.sketch').nth(1).locator('circle[stroke-width="2"]').nth(2).boundingBox()
        await page.mouse.move(dot.x + dot.width / 2, dot.y + dot.height / 2)
        await page.mouse.down()
        await page.mouse.move(dot.x + dot.width / 2, dot.y + dot.height / 2 + 8)
        await page.mouse.up()
        await tick(page, 2)
        const { shoulder, wrist, again } = await page.evaluate(async () => {
            const { studio } = window
            const { shoulder, wrist } = studio.session.model.values
            studio.act('save')
            const { bytes, name } = studio.saved
            history.replaceState(null, '', '#reach?path=0&quality=low')
            await studio.openLink()
            await studio.takeFiles([new File([bytes], name)])
            return { shoulder, wrist, again: studio.session.model.values }
        })
        assert.notEqual(wrist, '21,40,78,55,33,48,72,38')
        assert.equal(again.shoulder, shoulder)
        assert.equal(again.wrist, wrist)
        assert.deepEqual(problems, [])
        await close()
    })

    test('reach: a captured start is saved, read again and taken for targets near it', async () => {
        const { page, problems, close } = await visit('reach?path=0&method=damped')
        await tick(page, 30)
        const [kept, iterations, plain] = await page.evaluate(async () => {
            const { studio } = window
            const open = async (link) => { history.replaceState(null, '', link); await studio.openLink() }
            studio.act('capture')
            studio.tick(1)
            studio.act('save')
            const { bytes, name } = studio.saved
            // cold from the table is the captured pose itself; cold from the neutral one has a way to go
            await open('#reach?path=0&method=damped&start=rest&quality=low')
            studio.tick(1)
            const { iterations: plain } = studio.session.model.figures
            await open('#reach?path=0&method=damped&start=table&quality=low')
            await studio.takeFiles([new File([bytes], name)])
            studio.tick(1)
            const { starts, figures } = studio.session.model
            return [starts.length, figures.iterations, plain]
        })
        assert.equal(kept, 1)
        assert.ok(iterations <= 1 && plain > 2, `${iterations} iterations from the captured start, ${plain} from the neutral pose`)
        assert.deepEqual(problems, [])
        await close()
    })

    test('open: a motion that is dropped moves the body that is there', async () => {
        const { page, problems, close } = await visit('open?mode=walk')
        await tick(page, 150)
        const { way, frames, duration, errors } = await page.evaluate(async () => {
            const { studio } = window
            studio.act('bvh')
            const { bytes, name } = studio.saved
            history.replaceState(null, '', '#open?next=moves&quality=low')
            await studio.openLink()
            await studio.takeFiles([new File([bytes], name)])
            const { model } = studio.session, start = model.pose.world[0].position.z
            studio.tick(140)
            return { way: model.pose.world[0].position.z - start, frames: model.clip.frame_count, duration: model.duration, errors: studio.errors }
        })
        assert.deepEqual(errors, [])
        assert.equal(frames, 150)
        assert.equal(duration, 149)
        assert.ok(way > 1, `hips went ${way} m`)
        assert.deepEqual(problems, [])
        await close()
    })

    test('a link with what was done gives the same bits, in the page and without one', async () => {
        const { page, close } = await visit('reach?path=0')
        await tick(page, 20)
        await drag(page, await handle(page), 40, -30)
        await tick(page, 40)
        await page.locator('#control-method').selectOption('ccd')
        await tick(page, 20)
        const first = await hash(page), link = await page.evaluate(() => window.studio.shareLink())
        await close()
        const again = await visit(link.slice(1))
        const ticks = await again.page.evaluate(() => { const { studio } = window; while (studio.session.isReplay) studio.tickOnce(); return studio.session.now })
        assert.equal(await hash(again.page), first)
        // back and forth by the scrubber as well
        await again.page.evaluate((end) => { window.studio.scrub(10); window.studio.scrub(end) }, ticks)
        assert.equal(await hash(again.page), first)
        await again.close()
        const script = fileURLToPath(new URL('../headless.js', import.meta.url))
        const { stdout } = await promisify(execFile)(process.execPath, [script, link.slice(1).replace(/[&?]quality=low/, '')])
        assert.equal(JSON.parse(stdout).hash, first)
    })

    test('walk: the same bits whatever the frame rate, and when memory grows', async () => {
        const { page, close } = await visit('walk?figure=stick')
        const [even, odd, grown] = await page.evaluate(async () => {
            const { studio } = window
            const run = async (perFrame, grow) => {
                history.replaceState(null, '', '#walk?quality=low')
                await studio.openLink()
                for (let done = 0; done < 240;) {
                    const ticks = Math.min(perFrame(done), 240 - done)
                    for (let i = 0; i < ticks; i++) studio.tickOnce()
                    done += ticks
                    if (done % 60 < ticks) {
                        if (grow) studio.sinew.growMemory(65536)
                        studio.draw()
                    }
                }
                return studio.session.hash()
            }
            return [await run(() => 1), await run((done) => 1 + (done % 7)), await run(() => 2, true)]
        })
        assert.equal(odd, even)
        assert.equal(grown, even)
        await close()
    })

    for (const [size, sizeName] of [[laptop, 'laptop'], [phone, 'phone']]) {
        for (const theme of ['light', 'dark']) {
            test(`${sizeName}, ${theme}: panels do not overlap, all inside, nothing wrong with access, ground and body seen`, async () => {
                const { page, close } = await visit('reach', { size, theme })
                await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
                for (const name of [...names, 'lab?show=flops', 'lab?show=window']) {
                    await page.evaluate(async (scene) => { history.replaceState(null, '', `#${scene}${scene.includes('?') ? '&' : '?'}quality=low`); await window.studio.openLink(); window.studio.tick(40) }, name)
                    assert.deepEqual(await overlaps(page), [], name)
                    const faults = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ['violations'] })).violations
                        .filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`))
                    assert.deepEqual(faults, [], name)
                    if (['walk', 'open', 'bodies'].includes(name)) {
                        const seen = await picture(page)
                        const ground = luminance(seen, [0.04, 0.72, 0.2, 0.8])
                        const [low, high] = theme === 'light' ? [0.25, 0.92] : [0.015, 0.25]
                        assert.ok(ground > low && ground < high, `${name}: luminance of the ground is ${ground.toFixed(3)}, want ${low} to ${high}`)
                        let coloured = 0
                        for (let y = 0; y < seen.height; y += 2) {
                            for (let x = 0; x < seen.width; x += 2) {
                                const [r, , b] = seen.at(x, y)
                                if (Math.abs(r - b) > 60) coloured++
                            }
                        }
                        const share = coloured / (seen.width * seen.height / 4)
                        assert.ok(share > 0.003 && share < 0.35, `${name}: ${(100 * share).toFixed(2)} % of the picture is body`)
                    }
                }
                await close()
            })
        }
    }

    for (const [size, where] of [[{ width: 844, height: 390 }, 'a phone on its side'], [{ width: 320, height: 568 }, 'a small phone'], [phone, 'a phone'], [{ width: 900, height: 700 }, 'a small window']]) {
        test(`${where}: nothing is cut off or covered`, async () => {
            const { page, close } = await visit('walk', { size })
            for (const name of names) {
                await page.evaluate(async (scene) => { history.replaceState(null, '', `#${scene}?quality=low`); await window.studio.openLink(); window.studio.tick(40) }, name)
                assert.deepEqual(await overlaps(page), [], name)
                const cut = await page.evaluate(() => [...document.querySelectorAll('.top > *, .strip > *, .panel select, .scene-choice')].filter((it) => it.checkVisibility()).filter((it) => {
                    const box = it.getBoundingClientRect(), context = document.createElement('canvas').getContext('2d'), style = getComputedStyle(it)
                    context.font = style.font
                    const words = it.tagName === 'SELECT' ? context.measureText(it.selectedOptions[0].text).width + parseFloat(style.paddingLeft) + parseFloat(style.paddingRight) : 0
                    return box.left < -0.5 || box.right > innerWidth + 0.5 || words > box.width + 1
                }).map((it) => it.id || it.className))
                assert.deepEqual(cut, [], name)
                if (name !== 'lab') continue
                const outside = await page.evaluate(() => {
                    const { stage, session: { model } } = window.studio, { clientWidth } = stage.canvas
                    const far = model.columns.flatMap(({ pose }, i) => [...pose.forward().world].map(({ position: { x, y, z } }) => {
                        const [dx, dy, dz] = model.shift(i)
                        return stage.project([x + dx, y + dy, z + dz]).x
                    }))
                    return far.filter((x) => x < 0 || x > clientWidth).length
                })
                assert.equal(outside, 0, 'joints of the arms that left the picture')
            }
            await close()
        })
    }

    test('links of any kind: what is not understood is said, and the page is there', async () => {
        for (const [link, words] of [['%', /no scene is called %/], ['reach?foo=1', /foo is nothing that can be set here, want one of /], ['lab?renew=0', null]]) {
            const { page, problems, close } = await open(browser, server.url, link)
            assert.match((await page.evaluate(() => window.studio.errors)).join(), words ?? /^$/)
            assert.deepEqual(problems, [])
            await close()
        }
    })

    test('keys that go up anywhere steer no longer, and Shift alone steers nothing', async () => {
        const { page, problems, close } = await visit('walk?auto=0&terrain=flat&figure=stick')
        const stick = () => page.evaluate(() => window.studio.steer.read())
        const ends = [
            ['in a field', async () => { await page.focus('#control-body') }, async () => page.evaluate(() => document.activeElement.blur())],
            ['with Control held', async () => page.keyboard.down('Control'), async () => page.keyboard.up('Control')],
            ['in a dialog', async () => page.keyboard.press('?'), async () => page.keyboard.press('Escape')],
            ['in another scene', async () => { await page.keyboard.press('1'); await page.waitForFunction(() => window.studio.scene.name === 'reach') },
                async () => { await page.keyboard.press('5'); await page.waitForFunction(() => window.studio.scene.name === 'walk') }],
        ]
        for (const [where, leave, back] of ends) {
            await page.keyboard.down('w')
            assert.deepEqual(await stick(), [0, 1, 0], where)
            await leave()
            await page.keyboard.up('w')
            await back()
            assert.deepEqual(await stick(), [0, 0, 0], where)
        }
        await page.keyboard.down('Shift')
        assert.deepEqual(await stick(), [0, 0, 0])
        await page.keyboard.down('d')
        assert.deepEqual(await stick(), [1, 0, 1])
        assert.deepEqual(problems, [])
        await close()
    })

    test('walk: after a control is set by pointer the keys steer; by keyboard the control keeps them', async () => {
        const { page, problems, close } = await visit('walk?auto=0&terrain=flat&figure=stick')
        const steers = async () => {
            await page.keyboard.down('w')
            const [, y] = await page.evaluate(() => window.studio.steer.read())
            await page.keyboard.up('w')
            return y === 1
        }
        const speed = page.locator('#control-speed'), { x, y, width, height } = await speed.boundingBox()
        await page.mouse.click(x + 0.8 * width, y + height / 2)
        assert.ok(await steers(), 'after a slider')
        await page.locator('#control-terrain').click()
        await page.locator('#control-terrain').selectOption('hills:3')
        assert.ok(await steers(), 'after a choice')
        await page.locator('.strip select').click()
        await page.locator('.strip select').selectOption('2')
        assert.ok(await steers(), 'after the speed of time')
        await page.locator('#control-auto').focus()
        await page.keyboard.press('Shift+Tab')
        await page.keyboard.press('ArrowRight')
        assert.equal(await page.evaluate(() => document.activeElement.id), 'control-speed')
        assert.deepEqual(problems, [])
        await close()
    })

    test('walk: who steers takes over from what was recorded, and what was recorded ends with it', async () => {
        const { page, close } = await visit('walk?auto=0&terrain=flat&figure=stick')
        const wanted = () => page.evaluate(() => window.studio.session.model.wanted)
        await page.keyboard.down('w')
        await tick(page, 60)
        await page.keyboard.up('w')
        await tick(page, 60)
        await page.evaluate(() => window.studio.scrub(10))
        await tick(page, 5)
        assert.deepEqual(await wanted(), [0, 1, false], 'what was recorded is seen again')
        await page.keyboard.down('d')
        await tick(page, 5)
        assert.deepEqual(await wanted(), [1, 0, false])
        assert.equal(await page.evaluate(() => window.studio.session.isReplay), false)
        await page.keyboard.up('d')
        const link = await page.evaluate(() => window.studio.shareLink())
        await close()
        const again = await visit(link.slice(1))
        await tick(again.page, 60)
        assert.deepEqual(await again.page.evaluate(() => window.studio.session.model.wanted), [0, 0, false], 'nobody holds a key')
        await again.close()
    })

    test('open: the stick is there while there is something to steer', async () => {
        const { page, close } = await visit('open', { size: phone })
        const seen = () => page.locator('.stick').count()
        for (const [mode, count] of [['walk', 1], ['play', 0], ['walk', 1], ['pose', 0]]) {
            await page.evaluate((m) => { window.studio.set(window.studio.controls.find(({ key }) => key === 'mode'), m); window.studio.tick(2) }, mode)
            assert.equal(await seen(), count, mode)
        }
        await close()
    })

    test('open: what a body cannot do is told, and neither kept nor recorded', async () => {
        const { page, close } = await visit('open')
        await takeArm(page)
        await tick(page, 30)
        await page.locator('#control-mode').selectOption('walk')
        await tick(page, 10)
        assert.match((await page.evaluate(() => window.studio.errors)).join(), /no joint has the role/)
        assert.equal(await page.locator('#control-mode').inputValue(), 'play')
        assert.doesNotMatch(await page.evaluate(() => location.hash), /walk/)
        await page.evaluate(() => { window.studio.scrub(5); window.studio.scrub(38) })
        assert.equal(await page.evaluate(() => window.studio.session.now), 38)
        assert.equal(await page.evaluate(() => window.studio.errors.length), 1)
        await close()
    })

    test('a motion that is paused goes on from there', async () => {
        const { page, close } = await visit('open')
        await page.evaluate(async () => {
            const { studio } = window, clip = studio.sinew.Clip.create(studio.session.model.skeleton, 120, 1 / 60)
            await studio.takeFiles([new File([studio.sinew.writeMotion('still.bvh', clip)], 'still.bvh')])
        })
        await tick(page, 40)
        await page.keyboard.press('Space')
        await page.keyboard.press('Space')
        assert.deepEqual(await page.evaluate(() => [window.studio.playing, window.studio.session.now]), [true, 40])
        await close()
    })

    test('a folder, or a file that cannot be read, is told', async () => {
        const { page, problems, close } = await visit('open')
        await page.evaluate(async () => {
            const file = new File([''], 'folder.bvh')
            file.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'))
            await window.studio.takeFiles([file])
        })
        assert.match((await page.evaluate(() => window.studio.errors)).join(), /folder\.bvh cannot be read: .*expected files/)
        assert.deepEqual(problems, [])
        await close()
    })

    test('a page that is resized keeps the side it is seen from, also after another theme', async () => {
        const { page, problems, close } = await visit('walk?terrain=flat&figure=stick')
        const side = () => page.evaluate(() => {
            const { camera, controls } = window.studio.stage, { x, z } = camera.position.clone().sub(controls.target)
            return Math.atan2(x, z)
        })
        const box = await page.locator('canvas').first().boundingBox()
        await page.mouse.move(box.x + 100, box.y + 200)
        await page.mouse.down()
        await page.mouse.move(box.x + 300, box.y + 200, { steps: 4 })
        await page.mouse.up()
        await tick(page, 1)
        const turned = await side()
        await page.keyboard.press('t')
        await page.setViewportSize({ width: 900, height: 700 })
        await page.waitForFunction(() => Math.abs(window.studio.stage.camera.aspect - (900 - 328) / window.studio.stage.canvas.clientHeight) < 0.01)
        await tick(page, 1)
        assert.ok(Math.abs(await side() - turned) < 1e-3, `${await side()} rad, ${turned} before`)
        assert.deepEqual(problems, [])
        await close()
    })

    test('a long way back through a crowd does not stop the page', async () => {
        const { page, close } = await visit('walk?crowd=100&figure=stick')
        const [calls, longest, hashes] = await page.evaluate(() => {
            const { studio } = window
            studio.tick(240)
            studio.scrub(200)
            const exact = studio.session.hash()
            studio.tick(40)
            // as with the screen's clock
            studio.stepped = false
            studio.scrub(200)
            let calls = 0, longest = 0
            while (studio.sought !== null) {
                const begin = performance.now()
                studio.seek(begin + 10)
                longest = Math.max(longest, performance.now() - begin)
                calls++
            }
            return [calls, longest, [exact, studio.session.hash()]]
        })
        assert.ok(calls > 3, `${calls} slices`)
        assert.ok(longest < 1000, `${longest} ms`)
        assert.equal(hashes[0], hashes[1])
        await close()
    })

    test('where a tick takes long time goes slower, not the screen', async () => {
        const { page, close } = await visit('reach')
        const most = await page.evaluate(async () => {
            const { studio } = window, { model } = studio.session, counts = []
            model.tick = () => { for (const begin = performance.now(); performance.now() < begin + 40;); }
            studio.playing = true
            studio.run()
            for (let i = 0; i < 20; i++) {
                const before = studio.session.now
                await new Promise(requestAnimationFrame)
                counts.push(studio.session.now - before)
            }
            return Math.max(...counts)
        })
        assert.ok(most === 1, `${most} ticks of 40 ms in one frame`)
        await close()
    })

    test('lab: rows are sorted by their numbers, whatever the unit, and the heading says which way', async () => {
        const { page, problems, close } = await visit('lab?body=MAN18&a=transpose&b=auto&c=ccd&d=damped')
        await tick(page, 240)
        const column = (i) => page.evaluate((at) => [...document.querySelectorAll('.table tbody tr')].map((row) => row.children[at].textContent), i)
        const inMetres = (text) => parseFloat(text) * (text.endsWith('µm') ? 1e-6 : 1e-3)
        const head = page.locator('.table thead th').nth(2)
        await head.locator('button').click()
        const rising = (await column(2)).map(inMetres)
        assert.ok(rising.every((value, i) => i === 0 || value >= rising[i - 1]), String(await column(2)))
        assert.equal(await head.getAttribute('aria-sort'), 'ascending')
        await head.locator('button').click()
        assert.deepEqual((await column(2)).map(inMetres), rising.toReversed())
        await page.locator('.table thead button').first().click()
        const words = await column(0)
        assert.deepEqual(words, words.toSorted())
        assert.equal(await head.getAttribute('aria-sort'), null)
        // no method at all is a table without rows
        await page.evaluate(async () => { history.replaceState(null, '', '#lab?a=none&b=none&c=none&d=none&quality=low'); await window.studio.openLink(); window.studio.tick(20); window.studio.act('copy') })
        assert.deepEqual(await page.evaluate(() => window.studio.errors), [])
        assert.deepEqual(problems, [])
        await close()
    })

    test('a drag selects no words, wherever it begins on the stage and ends on the page', async () => {
        const { page, problems, close } = await visit('reach?path=0&edit=1')
        await tick(page, 10)
        const box = async (selector, index = 0) => page.locator(selector).nth(index).boundingBox()
        const canvas = await box('.canvas > canvas'), panel = await box('.panel'), sketch = await box('.sketch circle[stroke-width="2"]', 2)
        const facts = await box('.facts'), target = await handle(page), title = await box('.sketch b'), strip = await box('.strip')
        const ways = [
            ['a look around, onto the panel', [canvas.x + 60, canvas.y + 300], [panel.x + 200, facts.y + 10]],
            ['a look around, over the title', [canvas.x + 300, canvas.y + 500], [canvas.x + 30, canvas.y + 20]],
            ['a target, over the sketches onto the panel', [target.x, target.y], [panel.x + 150, panel.y + 300]],
            ['a target, onto the strip', [target.x, target.y], [strip.x + strip.width - 40, strip.y + 40]],
            ['a corner of a sketch', [sketch.x + 5, sketch.y + 5], [panel.x + 100, panel.y + 200]],
            ['the plate of the sketches', [title.x + 60, title.y + 60], [panel.x + 100, panel.y + 500]],
            ['a title of a sketch', [title.x + 4, title.y + 6], [panel.x + 100, panel.y + 500]],
            ['a label of the panel', [panel.x + 30, panel.y + 110], [panel.x + 60, panel.y + 600]],
        ]
        for (const [what, from, to] of ways) {
            await page.mouse.move(...from)
            await page.mouse.down()
            for (let i = 1; i <= 8; i++) await page.mouse.move(...from.map((start, k) => start + ((to[k] - start) * i) / 8))
            await tick(page, 1)
            const words = await page.evaluate(() => String(getSelection()))
            await page.mouse.up()
            assert.equal(words, '', what)
            await page.evaluate(() => getSelection().removeAllRanges())
        }
        for (const at of [title, await box('.hint strong'), await box('.group h2')]) {
            await page.mouse.dblclick(at.x + 6, at.y + 6)
            assert.equal(await page.evaluate(() => String(getSelection())), '')
        }
        assert.deepEqual(problems, [])
        await close()
    })

    test('what one would copy is selected by a drag: values, code, errors, tables, what is told about a scene', async () => {
        const { page, close } = await visit('lab')
        await tick(page, 60)
        const selected = async (selector, index = 0) => {
            const it = page.locator(selector).nth(index)
            await it.scrollIntoViewIfNeeded()
            const { x, y, width, height } = await it.evaluate((element) => {
                const range = document.createRange()
                range.selectNodeContents(element)
                const { x, y, width, height } = range.getClientRects()[0]
                return { x, y, width, height }
            })
            await page.mouse.move(x + 1, y + height / 2)
            await page.mouse.down()
            await page.mouse.move(x + width - 1, y + height / 2, { steps: 4 })
            await page.mouse.up()
            return page.evaluate(() => String(getSelection()).trim())
        }
        assert.match(await selected('.table td', 2), /\d/)
        assert.match(await selected('.control output'), /\w/)
        await page.evaluate(() => window.studio.showError('that did not work', 'line 4: found zero, expected a number'))
        assert.match(await selected('.error b'), /that did not/)
        await page.keyboard.press('Escape')
        await page.evaluate(async () => { history.replaceState(null, '', '#reach?quality=low'); await window.studio.openLink(); window.studio.tick(10) })
        assert.match(await selected('.facts dd'), /\w/)
        await page.locator('#tab-Code').click()
        assert.match(await selected('.code pre'), /import/)
        await close()
    })

    test('a table that is wider than its place leaves columns out, it is not cut', async () => {
        const { page, close } = await visit('lab', { size: { width: 1024, height: 768 } })
        await tick(page, 120)
        assert.ok(await page.evaluate(() => { const it = document.querySelector('.table'); return it.scrollWidth <= it.clientWidth }))
        await close()
    })

    for (const name of ['hand', 'open']) {
        test(`${name}: the whole motion is in the picture`, async () => {
            for (const size of [{ width: 1024, height: 768 }, phone]) {
                const { page, close } = await visit(name, { size })
                const outside = await page.evaluate(() => {
                    const { studio } = window, { canvas } = studio.stage
                    let count = 0
                    for (let i = 0; i < 80; i++) {
                        studio.tick(10)
                        count += [...studio.session.model.pose.world].some(({ position: { x, y, z } }) => { const at = studio.stage.project([x, y, z]); return at.x < 0 || at.y < 0 || at.x > canvas.clientWidth || at.y > canvas.clientHeight })
                    }
                    return count
                })
                assert.equal(outside, 0, `${size.width}: moments of 80 in which a joint is outside`)
                await close()
            }
        })
    }

    test('what cannot go on is told once and pauses', async () => {
        const { page, close } = await visit('reach')
        await page.evaluate(() => { window.studio.session.model.tick = () => { throw new Error('no further') } })
        await tick(page, 1)
        assert.equal(await page.evaluate(() => window.studio.playing), false)
        assert.match((await page.evaluate(() => window.studio.errors)).join(), /no further/)
        await close()
    })

    test('screen readers hear what has become of it, not every number; arrows go through tabs; the sheet of a phone says that it is open', async () => {
        const { page, close } = await visit('walk?figure=stick', { size: phone })
        await page.evaluate(() => {
            window.said = []
            new MutationObserver(() => window.said.push(document.querySelector('[aria-live=polite]').textContent)).observe(document.querySelector('[aria-live=polite]'), { childList: true, subtree: true })
            for (let i = 0; i < 300; i++) window.studio.tick(1)
        })
        const said = await page.evaluate(() => window.said)
        assert.ok(said.length <= 2, `${said.length} announcements in 5 s of walking`)
        const open = page.locator('.open-panel')
        assert.equal(await open.getAttribute('aria-expanded'), 'false')
        await open.click()
        assert.equal(await open.getAttribute('aria-expanded'), 'true')
        assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-Controls')
        await page.keyboard.press('ArrowRight')
        assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-Code')
        assert.ok(await page.locator('#pane-Code').isVisible())
        await page.keyboard.press('Escape')
        assert.ok(await page.evaluate(() => document.activeElement.classList.contains('open-panel')), 'the focus is back')
        await close()
    })

    test('phones and small windows: the time line is long enough for a finger', async () => {
        for (const size of [phone, { width: 640, height: 400 }, { width: 320, height: 568 }]) {
            const { page, close } = await visit('walk', { size })
            const { width } = await page.locator('.scrub input').boundingBox()
            assert.ok(width >= 90, `${size.width}: ${width} pixels`)
            await close()
        }
    })

    test('a browser without WebGL, WebAssembly or CompressionStream says what is missing', async () => {
        const without = async (remove, words) => {
            const context = await browser.newContext(), page = await context.newPage()
            await page.addInitScript(remove)
            await page.goto(server.url)
            await page.waitForFunction((it) => new RegExp(it).test(document.body.innerText), words)
            await context.close()
        }
        await without(() => { HTMLCanvasElement.prototype.getContext = () => null }, 'it draws with WebGL 2')
        await without(() => { delete window.WebAssembly }, 'it needs WebAssembly')
        const { page, problems, close } = await visit('reach', { before: () => { delete window.CompressionStream; delete window.DecompressionStream } })
        await page.locator('[aria-label^="Copy a link"]').click()
        await page.waitForFunction(() => /too old/.test(document.querySelector('.toast').textContent))
        assert.deepEqual(problems, [])
        await close()
    })

    test('a server that is asked for nonsense goes on', async () => {
        for (const path of ['%', '%00', '..%2f..%2fpackage.json', '%c0%af']) assert.equal((await fetch(server.url + path)).status, 404, path)
        assert.equal((await fetch(server.url)).status, 200)
    })

    test('views that are made anew leave nothing on the graphics card', async () => {
        const { page, close } = await visit('reach')
        for (const link of ['reach', 'walk?terrain=hills:3', 'walk?crowd=20', 'open?mode=walk&terrain=hills:3&figure=skin']) {
            const [before, after] = await page.evaluate(async (to) => {
                const { studio } = window
                const held = () => { const { geometries, textures } = studio.stage.renderer.info.memory; return { geometries, textures } }
                const again = async (count) => { for (let i = 0; i < count; i++) { history.replaceState(null, '', `#${to}${to.includes('?') ? '&' : '?'}quality=low`); await studio.openLink(); studio.tick(2); studio.scrub(1) } }
                await again(2)
                const before = held()
                await again(3)
                return [before, held()]
            }, link)
            assert.deepEqual(after, before, link)
        }
        await close()
    })

    test('ten thousand frames leave no garbage behind', async () => {
        const { page, close } = await visit('walk?figure=stick')
        const session = await page.context().newCDPSession(page)
        const used = async () => {
            await session.send('HeapProfiler.collectGarbage')
            return page.evaluate(() => performance.memory.usedJSHeapSize)
        }
        const run = (count) => page.evaluate((n) => { for (let i = 0; i < n; i++) window.studio.tickOnce() }, count)
        await run(1000)
        const before = await used()
        await run(10000)
        const grown = await used() - before
        assert.ok(grown < 1e6, `${grown} bytes`)
        await close()
    })
})
