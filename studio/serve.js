// The built page on a port. usage: node studio/serve.js [--port N] (8088)
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const dist = fileURLToPath(new URL('dist/', import.meta.url))
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' }
// with these a page may read a clock of microseconds; hosts that cannot send them show means instead
const isolation = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }

/** port 0: any that is free. @returns {Promise<{ url: string, close: () => void }>} */
export async function serve(port = 0) {
    const server = createServer(async (request, response) => {
        // an address may be anything at all
        try {
            const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname)).replace(/^(\.\.[/\\])+/, '')
            const file = join(dist, path.endsWith('/') ? `${path}index.html` : path)
            if (!file.startsWith(dist)) throw new Error('outside')
            const body = await readFile(file)
            response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream', 'cache-control': 'no-cache', ...isolation })
            response.end(body)
        } catch {
            response.writeHead(404, { 'content-type': 'text/plain' })
            response.end('not found\n')
        }
    })
    await new Promise((ready, failed) => {
        server.once('error', failed)
        server.listen(port, '127.0.0.1', ready)
    })
    return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const { values } = parseArgs({ options: { port: { type: 'string', default: '8088' } } })
    try {
        const { url } = await serve(Number(values.port))
        console.log(`the studio: ${url}  (Ctrl+C ends it)`)
    } catch (error) {
        console.error(`serve: port ${values.port}: ${error.code === 'EADDRINUSE' ? 'in use, say another by --port' : error.message}`)
        process.exit(1)
    }
}
