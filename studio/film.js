// The film of README and docs/studio.md, as a person with a browser sees it; needs Chromium and ffmpeg.
// usage: node studio/film.js [FILE.gif]      (after ./run studio has built the page; default: docs/pictures/studio.gif)
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serve } from './serve.js'
import { launch, missing, open, tick } from './test/browser.js'

const output = process.argv[2] ?? fileURLToPath(new URL('../docs/pictures/studio.gif', import.meta.url))
// link, ticks before the first picture, pictures; 6 ticks of 1/60 s from one to the next
const shots = [
    ['reach', 0, 24],
    ['walk?terrain=stairs:0.17,0.29', 60, 26],
    ['switch', 50, 24],
    ['walk?crowd=100', 120, 12],
]
const why = missing()
if (why) {
    console.error(`film: ${why}`)
    process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'sinew-film-'))
const server = await serve(), browser = await launch()
let count = 0
try {
    for (const [link, before, pictures] of shots) {
        const { page, problems, close } = await open(browser, server.url, `${link}${link.includes('?') ? '&' : '?'}quality=high`,
            { size: { width: 1280, height: 784 } })
        if (before) await tick(page, before)
        for (let i = 0; i < pictures; i++) {
            await tick(page, 6)
            await page.screenshot({ path: join(folder, `${String(count++).padStart(4, '0')}.png`) })
        }
        if (problems.length) throw new Error(problems.join('; '))
        await close()
        console.log(`${link}: ${pictures} pictures`)
    }
    const colors = 'scale=600:-2:flags=lanczos,split[a][b];[a]palettegen=max_colors=72:stats_mode=diff[p];[b][p]paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle'
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-framerate', '10', '-i', join(folder, '%04d.png'), '-vf', colors, output])
    console.log(output)
} finally {
    await browser.close()
    server.close()
    rmSync(folder, { recursive: true })
}
