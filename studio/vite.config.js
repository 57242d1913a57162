import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

// the page takes the whole module; the small one, which the npm package has beside it, would lie in dist unused
const withoutSolver = {
    name: 'without-solver',
    generateBundle(_, bundle) {
        for (const name of Object.keys(bundle)) if (/solver-.*\.wasm$/.test(name)) delete bundle[name]
    },
}

// Relative addresses, so that dist/ works in any folder of any host.
export default defineConfig({
    base: './',
    plugins: [withoutSolver],
    resolve: { alias: { sinew: fileURLToPath(new URL('../bindings/js/src/index.js', import.meta.url)) } },
    build: { target: 'esnext', assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 1000 },
})
