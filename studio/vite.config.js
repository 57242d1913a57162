import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

// Relative addresses, so that dist/ works in any folder of any host.
export default defineConfig({
    base: './',
    resolve: { alias: { sinew: fileURLToPath(new URL(process.env.SINEW_JS ?? '../bindings/js/src/index.js', import.meta.url)) } },
    build: {
        target: 'esnext',
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 1000,
    },
})
