// A real browser for the tests: Debian's Chromium without a window, software GL, frames stepped by hand.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PNG } from 'pngjs'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const candidates = [process.env.SINEW_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const flags = ['--no-sandbox', '--use-gl=angle', '--use-angle=gl-egl', '--ignore-gpu-blocklist', '--disable-quic',
    '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']

/** Why no browser can be started here; null where one can. */
export function missing() {
    if (!existsSync(join(dist, 'index.html'))) return 'studio/dist is not built'
    if (!candidates.some((path) => path && existsSync(path))) return 'no Chromium'
    return null
}

export async function launch() {
    const { chromium } = await import('playwright-core')
    return chromium.launch({ executablePath: candidates.find((path) => path && existsSync(path)), args: flags })
}

export const laptop = { width: 1280, height: 800 }
export const phone = { width: 390, height: 844 }

/** A page with a scene, its clock stopped; problems gathers what went wrong in it. */
export async function open(browser, url, hash, { size = laptop, theme = 'light', touch = size === phone, before } = {}) {
    const context = await browser.newContext({ viewport: size, colorScheme: theme, hasTouch: touch })
    const page = await context.newPage()
    const problems = []
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => { if (message.type() === 'error') problems.push(message.text()) })
    await page.addInitScript(() => { window.sinewStepped = true })
    if (before) await page.addInitScript(before)
    await page.goto(`${url}#${hash}`)
    await page.waitForFunction(() => window.studio?.frames > 0, null, { timeout: 60000 })
    return { page, problems, close: () => context.close() }
}

export const tick = (page, count) => page.evaluate((n) => window.studio.tick(n), count)

/** Give the page a motion of two joints, a body that has no legs. */
export const takeArm = (page) => page.evaluate(async () => {
    const joint = 'OFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n'
    const text = `HIERARCHY\nROOT A\n{\n${joint}JOINT B\n{\n${joint}End Site\n{\nOFFSET 0 1 0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 1\n0 0 0 0 0 0\n0 0 0 90 0 0\n`
    await window.studio.takeFiles([new File([text], 'arm.bvh')])
})

/** Where a handle is on the page, and how it stands. */
export const handle = (page, index = 0) => page.evaluate((i) => {
    const { studio } = window, it = studio.session.model.handles[i], place = studio.stage.project(it.position)
    const box = studio.stage.canvas.getBoundingClientRect()
    return { id: it.id, label: it.label, position: [...it.position], unmet: Boolean(it.unmet), error: it.error, x: box.left + place.x, y: box.top + place.y }
}, index)

/** Drag from a place by pixels, a tick between the moves, as a hand would. */
export async function drag(page, { x, y }, dx, dy, { touch = false, steps = 6 } = {}) {
    if (!touch) {
        await page.mouse.move(x, y)
        await page.mouse.down()
        for (let i = 1; i <= steps; i++) {
            await page.mouse.move(x + (dx * i) / steps, y + (dy * i) / steps)
            await tick(page, 1)
        }
        await page.mouse.up()
        return
    }
    const session = await page.context().newCDPSession(page)
    const send = (type, points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points })
    await send('touchStart', [{ x, y }])
    for (let i = 1; i <= steps; i++) {
        await send('touchMove', [{ x: x + (dx * i) / steps, y: y + (dy * i) / steps }])
        await tick(page, 1)
    }
    await send('touchEnd', [])
    await session.detach()
}

/** The picture of the canvas: { width, height, at(x, y) -> [r, g, b] }, 0 to 255. */
export async function picture(page) {
    const { data, width, height } = PNG.sync.read(await page.locator('canvas').first().screenshot())
    return { width, height, at: (x, y) => data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3) }
}

/** Mean relative luminance of a part of a picture, 0 to 1. */
export function luminance({ width, height, at }, [x0, y0, x1, y1]) {
    const linear = (value) => { const v = value / 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4 }
    let sum = 0, count = 0
    for (let y = Math.round(y0 * height); y < y1 * height; y += 3) {
        for (let x = Math.round(x0 * width); x < x1 * width; x += 3) {
            const [r, g, b] = at(x, y)
            sum += 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
            count++
        }
    }
    return sum / count
}
