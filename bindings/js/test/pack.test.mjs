// `npm pack` installs into an empty folder, and runs there in node and in a page without a bundler.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';

const root = new URL('..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'sinew-pack-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const program = `
import { load, Scene, Pose, Walker } from 'sinew';
await load();
const { skeleton } = new Scene('MAN18'), pose = new Pose(skeleton), walker = new Walker(skeleton);
walker.steering.forward = 1.2;
for (let i = 0; i < 120; ++i) { walker.update(1 / 60, pose); }
const result = walker.report.distance + ' ' + pose.q.join(' ');
`;
const small = `
import { load, Skeleton, Pose, Solver, SinewError } from 'sinew';
await load({ wasm: 'solver' });
const body = Skeleton.create([{ name: 'a', axes: ['ball'] }, { name: 'b', parent: 'a', offset: [1, 0, 0] }]);
const solver = new Solver(body), pose = new Pose(body);
solver.position('b').set(0, 1, 0);
console.log(solver.solve(pose).outcome);
`;

before(() => {
    const run = (command, ...args) => execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    const packed = JSON.parse(run('npm', 'pack', root, '--json', '--ignore-scripts'))[0];
    const names = packed.files.map(({ path }) => path);
    for (const name of ['LICENSE', 'README.md', 'dist/sinew.wasm', 'dist/solver.wasm', 'dist/structs.js', 'src/index.js', 'src/three.js']) {
        assert.ok(names.includes(name), `${name} is not packed`);
    }
    assert.ok(!names.some((name) => /^(test|glue|tools|node_modules)/.test(name)));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    run('npm', 'install', '--offline', '--no-audit', '--no-fund', '--no-save', packed.filename);
});

test('in node', () => {
    writeFileSync(join(folder, 'walk.js'), `${program}console.log(result);`);
    writeFileSync(join(folder, 'small.js'), small);
    assert.match(execFileSync('node', ['walk.js'], { cwd: folder, encoding: 'utf8' }), /^[12]\.\d+ /);
    assert.equal(execFileSync('node', ['small.js'], { cwd: folder, encoding: 'utf8' }), 'converged\n');
});

test('nothing for a bundler to look for but the package and three', () => {
    const sources = join(folder, 'node_modules/sinew/src');
    for (const name of readdirSync(sources)) {
        const text = readFileSync(join(sources, name), 'utf8');
        const literals = /^(?:import\b|export [{*][^'"]*from)[^'"]*['"]([^'"]+)['"]|\bimport\(\s*(?:\/\*.*?\*\/\s*)*['"]([^'"]+)['"]/gm;
        for (const [, fixed, asked] of text.matchAll(literals)) {
            const where = fixed ?? asked;
            assert.match(where, /^(\.\.?\/|three$)/, `${name} imports ${where}`);
        }
    }
});

// each line below an expected error is one where the type was any, or not there
const typed = `
import { load, Motion, Scene, Solver, Pose, Walker } from 'sinew';
await load({ warn: true });
{
    using scene = new Scene('MAN18');
    const solver = new Solver(scene.skeleton);
    solver.options.max_iterations = 20;
    // @ts-expect-error
    solver.options.max_iteration = 20;
    // @ts-expect-error
    solver.support([[0, 0, 0]]).nothing;
    const outcome: string = solver.solve(new Pose(scene.skeleton)).outcome;
    console.log(outcome);
}
export function prepared(motion: Motion): Walker {
    const ready = motion.prepare();
    // @ts-expect-error
    ready.roles.nothing;
    console.log(ready.skeleton.joints.map((joint) => joint.name));
    return new Walker(ready.skeleton, ready);
}
`;
const compiler = join(root, 'node_modules/typescript/bin/tsc');
const noTypes = !existsSync(compiler) ? 'no TypeScript' : !existsSync(join(root, 'dist/types')) && 'types are not made';
test('types, as a strict program of a page has them', { skip: noTypes }, () => {
    writeFileSync(join(folder, 'page.ts'), typed);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ files: ['page.ts'], compilerOptions: {
        strict: true, skipLibCheck: false, noEmit: true, types: [], target: 'ES2022', lib: ['ES2022', 'DOM'],
        module: 'ESNext', moduleResolution: 'bundler', exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true,
    } }));
    try {
        execFileSync('node', [compiler, '-p', folder], { encoding: 'utf8' });
    } catch (reason) {
        assert.fail(reason.stdout);
    }
});

const browser = [process.env.SINEW_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
    .find((path) => path && existsSync(path));
test('in a page, with the bits of node', { skip: browser === undefined && 'no Chromium' }, async () => {
    writeFileSync(join(folder, 'index.html'), `<!doctype html><script type="importmap">
        { "imports": { "sinew": "/node_modules/sinew/src/index.js" } }</script><script type="module">
        const say = (body) => fetch('/result', { method: 'POST', body });
        addEventListener('unhandledrejection', ({ reason }) => say('FAILED ' + reason));
        addEventListener('error', ({ message }) => say('FAILED ' + message));
        ${program.replace(/^import/m, '</script><script type="module">import')}
        fetch('/result', { method: 'POST', body: result });</script>`);
    const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
    let child, server;
    const result = await new Promise((resolve, reject) => {
        server = createServer((request, response) => {
            if (request.method === 'POST') {
                let body = '';
                request.on('data', (part) => { body += part; });
                request.on('end', () => { response.end(); resolve(body); });
                return;
            }
            const path = join(folder, request.url === '/' ? 'index.html' : request.url);
            if (!existsSync(path)) { response.writeHead(404).end(); return; }
            response.writeHead(200, { 'Content-Type': types[extname(path)] ?? 'application/octet-stream' });
            response.end(readFileSync(path));
        });
        server.listen(0, '127.0.0.1', () => {
            child = spawn(browser, ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', `--user-data-dir=${folder}/profile`,
                '--disable-background-networking', `http://127.0.0.1:${server.address().port}/`], { stdio: 'ignore' });
            child.on('error', reject);
            child.on('exit', (status) => reject(new Error(`the browser ended with ${status}`)));
        });
        setTimeout(() => reject(new Error('the page said nothing for a minute')), 60000).unref();
    }).finally(async () => {
        child?.removeAllListeners('exit');
        const ended = new Promise((done) => child?.on('exit', done));
        child?.kill();
        await ended;
        server?.closeAllConnections();
        server?.close();
    });
    assert.equal(result, execFileSync('node', ['walk.js'], { cwd: folder, encoding: 'utf8' }).trim());
});
