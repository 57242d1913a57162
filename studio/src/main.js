// Start: the module, the scenes, the page.
import * as sinew from 'sinew'
import { App } from './page/app.js'
import './scenes/index.js'

const root = document.getElementById('page')
try {
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
