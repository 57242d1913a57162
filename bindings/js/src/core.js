// The loaded module: its functions, memory taken and given back, statuses turned into errors, and the
// lifetime of what C owns.

import { SinewError } from './error.js';
import { attach, encodeText, f64, readText, u32, u8 } from './memory.js';
import { StatusNames } from '../dist/structs.js';

/** @typedef {import('../dist/exports.js').Exports} Exports */
/** @typedef {string | URL | ArrayBuffer | Uint8Array | WebAssembly.Module | Response | Promise<Response>} WasmSource */

/** The functions of the module.
 * @type {Exports} */
export let C = /** @type {any} */ (new Proxy({}, {
    get() { throw new SinewError('invalid_argument', 'sinew is not loaded yet: await load() first'); },
}));

// where C puts one message, and results of a word or two
let message = 0, results = 0;
let warns = false;

const isNode = typeof process !== 'undefined' && process.versions?.node !== undefined;

/** @param {WasmSource} source
 * @returns {Promise<WebAssembly.Module>} */
async function compile(source) {
    if (source instanceof WebAssembly.Module) { return source; }
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
        return WebAssembly.compile(/** @type {BufferSource} */ (source));
    }
    if (typeof source === 'string' || source instanceof URL) {
        const url = String(source);
        if (isNode && !/^(https?|data|blob):/.test(url)) {
            const { readFile } = await import(/* @vite-ignore */ 'node:fs/promises');
            return WebAssembly.compile(await readFile(url.startsWith('file:') ? new URL(url) : url));
        }
        source = fetch(url);
    }
    const response = /** @type {Response} */ (await source);
    if (!response.ok) {
        throw new SinewError('cannot_read', `${response.url}: found status ${response.status}, expected a module`);
    }
    // a host that does not know the type is put up with
    return response.headers.get('Content-Type')?.startsWith('application/wasm')
        ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** @type {Promise<void> | undefined} */
let loading;

/**
 * Load the module; wait for it once, before anything else is used. Later calls wait for the first.
 *
 * @param {object} [options]
 * @param {WasmSource | 'solver'} [options.wasm] where the module is: an address, bytes or a compiled module.
 *     Default: sinew.wasm beside this file. `'solver'`: the small one, of bodies, poses, goals and the
 *     solver alone.
 * @param {boolean} [options.warn] say on the console what was never disposed of. Default false.
 * @returns {Promise<void>}
 */
export function load(options = {}) {
    loading ??= start(options).catch((reason) => {
        loading = undefined;
        throw reason;
    });
    return loading;
}

/** @param {{ wasm?: WasmSource | 'solver', warn?: boolean }} options */
async function start({ wasm, warn = false }) {
    // bundlers find files by this form
    const source = wasm === 'solver' ? new URL('../dist/solver.wasm', import.meta.url)
        : wasm ?? new URL('../dist/sinew.wasm', import.meta.url);
    const { exports } = await WebAssembly.instantiate(await compile(source), {
        sinew: { ground: callGround },
    });
    // what the small module has not got says so
    const absent = new Proxy({}, {
        get(_, name) {
            return () => {
                throw new SinewError('unsupported', `${String(name)} is not in the module that was loaded: load sinew.wasm`);
            };
        },
    });
    C = Object.assign(Object.create(absent), exports);
    attach(C.memory);
    C._initialize();
    warns = warn;
    message = allocate(320);
    results = allocate(64);
}

// ---------------------------------------------------------------------------------------------
// Memory

/** Memory of the module, zeroed. Give it back by `release`.
 * @param {number} size bytes
 * @returns {number} address */
export function allocate(size) {
    const address = C.malloc(Math.max(size, 1));
    if (address === 0) { throw new SinewError('out_of_memory', `no memory for ${size} bytes`); }
    u8().fill(0, address, address + size);
    return address;
}

/** @param {number} address */
export function release(address) { C.free(address); }

/** Call with bytes that lie in the module's memory for as long as the call lasts.
 * @template T
 * @param {Uint8Array} bytes @param {(address: number, size: number) => T} call
 * @returns {T} */
export function withBytes(bytes, call) {
    const address = allocate(bytes.length);
    try {
        u8().set(bytes, address);
        return call(address, bytes.length);
    } finally {
        release(address);
    }
}

/** Call with a text, 0 at its end.
 * @template T
 * @param {string} text @param {(address: number) => T} call
 * @returns {T} */
export function withText(text, call) { return withBytes(encodeText(text), call); }

/** Bytes of a file as they were given: text or binary.
 * @param {string | ArrayBuffer | ArrayBufferView} data
 * @returns {Uint8Array} */
export function bytesOf(data) {
    if (typeof data === 'string') { return new TextEncoder().encode(data); }
    if (data instanceof ArrayBuffer) { return new Uint8Array(data); }
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

// ---------------------------------------------------------------------------------------------
// Calls

/** Where a call may write its message. */
export function messageAddress() { return message; }

/** Address of 64 bytes for a call to write results to. */
export function resultAddress() { return results; }

/** The pointer that a call wrote to the first result. */
export function resultPointer() { return u32()[results >> 2]; }

/** Throw when a call failed.
 * @param {number} status */
export function check(status) {
    if (status === 0) { return; }
    const said = readText(message);
    u8()[message] = 0;
    throw new SinewError(StatusNames[status], said || readText(C.sinew_status_text(status)));
}

/** The result of a create function: the status is checked and the new pointer comes back.
 * @param {number} status */
export function created(status) {
    check(status);
    return resultPointer();
}

// ---------------------------------------------------------------------------------------------
// Lifetime

const forgotten = typeof FinalizationRegistry === 'undefined' ? undefined
    : new FinalizationRegistry((/** @type {string} */ name) => {
        if (warns) { console.warn(`sinew: a ${name} was lost without dispose(); its memory stays taken`); }
    });

/** Something that C holds memory for. `dispose()` gives it back; what was made from it keeps it alive
 * until that is disposed of as well, so the order does not matter. */
export class Owned {
    /** @type {(() => void) | undefined} */
    #free;
    /** @type {Owned[]} */
    #uses;
    #users = 0;
    #isDisposed = false;
    #pointer;

    /** @param {number} pointer what C knows it by
     * @param {() => void} free gives the memory back
     * @param {Owned[]} [uses] what has to stay as long as this */
    constructor(pointer, free, uses = []) {
        this.#pointer = pointer;
        this.#free = free;
        this.#uses = uses;
        for (const used of uses) { ++used.#users; }
        forgotten?.register(this, new.target.name, this);
    }

    /** Address in the module's memory. @returns {number} */
    get pointer() {
        if (this.#isDisposed) {
            throw new SinewError('invalid_argument', `this ${this.constructor.name} was disposed of`);
        }
        return this.#pointer;
    }

    get isDisposed() { return this.#isDisposed; }

    /** Give the memory back. Twice is as good as once. */
    dispose() {
        if (this.#isDisposed) { return; }
        this.#isDisposed = true;
        forgotten?.unregister(this);
        this.#leave();
    }

    #leave() {
        if (!this.#isDisposed || this.#users > 0) { return; }
        this.#free?.();
        this.#free = undefined;
        for (const used of this.#uses) {
            --used.#users;
            used.#leave();
        }
        this.#uses = [];
    }
}
// `using solver = body.solver()` where the language has it
if (Symbol.dispose !== undefined) {
    Object.defineProperty(Owned.prototype, Symbol.dispose, { value: Owned.prototype.dispose });
}

// ---------------------------------------------------------------------------------------------
// Grounds that answer in JavaScript

/** @typedef {(x: number, z: number, normal: { x: number, y: number, z: number }) => number} GroundFunction */

/** @type {(GroundFunction | undefined)[]} */
const grounds = [];
const normal = { x: 0, y: 1, z: 0 };

/** @param {GroundFunction} ground @returns {number} its number */
export function addGround(ground) {
    let id = grounds.indexOf(undefined);
    if (id < 0) { id = grounds.length; }
    grounds[id] = ground;
    return id;
}

/** @param {number} id */
export function removeGround(id) { grounds[id] = undefined; }

/** @param {number} id @param {number} x @param {number} z @param {number} out */
function callGround(id, x, z, out) {
    normal.x = 0;
    normal.y = 1;
    normal.z = 0;
    const height = /** @type {GroundFunction} */ (grounds[id])(x, z, normal);
    const all = f64(), at = out >> 3;
    all[at] = normal.x;
    all[at + 1] = normal.y;
    all[at + 2] = normal.z;
    return height;
}
