// Start: the module, the scenes, the page.
import * as sinew from 'sinew'
import { App } from './page/app.js'
import './scenes/index.js'

const root = document.getElementById('page')

/** What the studio stands on and this browser has not; null where it has all of it. */
function missing() {
    if (typeof WebAssembly === 'undefined') return 'it needs WebAssembly, which this browser has not, or which is switched off in it.'
    if (!document.createElement('canvas').getContext('webgl2')) {
        return 'it draws with WebGL 2, which this browser does not give. Is hardware acceleration switched off in its settings?'
    }
    return null
}

try {
    const why = missing()
    if (why) throw new Error(why)
    await sinew.load()
    // tests stop the clock and step frames themselves
    const stepped = Boolean(window.sinewStepped)
    const app = new App(root, sinew, { stepped })
    window.studio = app
    await app.openLink()
    if (!stepped) app.run()
} catch (error) {
    console.error(error)
    root.replaceChildren(Object.assign(document.createElement('p'), { className: 'loading', textContent: `The studio did not start: ${error.message}` }))
}
