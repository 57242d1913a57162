// The pictures of docs/studio.md, in both themes, on a laptop and a phone; needs Chromium and ffmpeg.
// usage: node studio/pictures.js [SCENE]...      (after ./run studio has built the page; default: all scenes)
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serve } from './serve.js'
import { laptop, launch, missing, open, phone, tick } from './test/browser.js'

// scene, ticks before the picture
const scenes = [['reach', 100], ['bodies', 150], ['hand', 100], ['switch', 130], ['walk', 150], ['open', 110], ['lab', 400]]
const output = fileURLToPath(new URL('../docs/pictures/studio/', import.meta.url))
const asked = process.argv.slice(2), unknown = asked.filter((name) => !scenes.some(([scene]) => scene === name))
const why = unknown.length ? `no scene is called ${unknown.join(', ')}` : missing()
if (why) {
    console.error(`pictures: ${why}`)
    process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'sinew-pictures-')), path = join(folder, 'picture.png')
const server = await serve(), browser = await launch()
try {
    for (const [scene, ticks] of scenes.filter(([name]) => !asked.length || asked.includes(name))) {
        for (const [device, size] of [['laptop', laptop], ['phone', phone]]) {
            for (const theme of ['light', 'dark']) {
                const { page, problems, close } = await open(browser, server.url, scene, { size, theme })
                await tick(page, ticks)
                await page.screenshot({ path })
                if (problems.length) throw new Error(problems.join('; '))
                await close()
                execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', path, '-c:v', 'libwebp', '-quality', '82', `${output}${scene}-${device}-${theme}.webp`])
            }
        }
        console.log(scene)
    }
} finally {
    await browser.close()
    server.close()
    rmSync(folder, { recursive: true })
}
