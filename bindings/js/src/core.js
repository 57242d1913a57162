// The loaded module: its functions, memory taken and given back, statuses turned into errors, and the
// lifetime of what C owns.

/// <reference lib="esnext.disposable" preserve="true" />

import { SinewError } from './error.js';
import { expectNoMore, refuse } from './expect.js';
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
let warns = false; // of what is lost without dispose()

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
            // not a literal, nor followed: bundlers for browsers have no such module
            const files = 'node:fs/promises';
            const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ files);
            const bytes = await readFile(url.startsWith('file:') ? new URL(url) : url).catch((/** @type {{ code: string }} */ reason) => {
                throw new SinewError('cannot_read', `${url}: found no file to read (${reason.code}), expected a module`);
            });
            return WebAssembly.compile(bytes);
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
/** @type {WasmSource | undefined} */
let loaded;

/**
 * Load the module; wait for it once, before anything else is used. Later calls wait for the first; they
 * cannot ask for another module.
 *
 * @param {object} [options]
 * @param {WasmSource | 'solver'} [options.wasm] where the module is: an address, bytes or a compiled module.
 *     Default: sinew.wasm beside this file. `'solver'`: the small one, of bodies, poses, goals and the
 *     solver alone.
 * @param {boolean} [options.warn] say on the console what was never disposed of. Default false.
 * @returns {Promise<void>}
 */
export async function load({ wasm, warn, ...rest } = {}) {
    expectNoMore(rest, 'load', 'wasm, warn');
    if (loading === undefined) {
        loaded = wasm;
        loading = start(wasm).catch((reason) => {
            loading = undefined;
            throw reason;
        });
    } else if (wasm !== undefined && String(wasm) !== String(loaded)) {
        const first = loaded === undefined ? 'sinew.wasm' : String(loaded);
        refuse('load: wasm', wasm, `the module that was loaded before (${first}): there is one in a page`);
    }
    if (warn !== undefined) { warns = warn; }
    return loading;
}

/** @param {WasmSource | 'solver' | undefined} wasm */
async function start(wasm) {
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

/** Call with zeroed memory that is there for as long as the call lasts.
 * @template T
 * @param {number} size bytes @param {(address: number) => T} call
 * @returns {T} */
export function withRoom(size, call) {
    const address = allocate(size);
    try {
        return call(address);
    } finally {
        release(address);
    }
}

/**
 * Make something of several pieces: what is made of it so far is given back when the rest throws. `keep` takes each
 * piece, and how it is given back; memory is released, what is Owned is disposed of.
 * @type {<T>(make: (keep: <P extends number | Owned>(piece: P, free?: (piece: P) => void) => P) => T) => T}
 */
export const making = (make) => {
    const undo = /** @type {(() => void)[]} */ ([]);
    try {
        return make((piece, free) => {
            undo.push(() => (free !== undefined ? free(piece) : piece instanceof Owned ? piece.dispose() : release(piece)));
            return piece;
        });
    } catch (reason) {
        undo.reverse().forEach((back) => back());
        throw reason;
    }
};

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
 * @param {string | ArrayBuffer | ArrayBufferView} data @param {string} name of the argument
 * @returns {Uint8Array} */
export function bytesOf(data, name) {
    if (typeof data === 'string') { return new TextEncoder().encode(data); }
    if (data instanceof ArrayBuffer) { return new Uint8Array(data); }
    if (!ArrayBuffer.isView(data)) { refuse(name, data, 'a text, an ArrayBuffer or a typed array'); }
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

/** Throw when a call failed, or a ground of JavaScript in it.
 * @param {number} status @param {string} [call] its name, where C has no message for it */
export function check(status, call) {
    if (thrown !== undefined) { throwOfGround(); }
    if (status === 0) { return; }
    const said = readText(message);
    u8()[message] = 0;
    const text = readText(C.sinew_status_text(status));
    throw new SinewError(StatusNames[status], said || (call === undefined ? text : `${call}: ${text}`));
}

/** The result of a create function: the status is checked and the new pointer comes back.
 * @param {number} status @param {string} [call] its name, where C has no message for it */
export function created(status, call) {
    check(status, call);
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
    #uses = [];
    #users = 0;
    #isDisposed = false;
    #pointer;
    /** @type {Owned | undefined} */
    #whole;
    /** @type {Owned[]} */
    #parts = [];
    /** @type {{ retire(words: string): void }[]} */
    #lent = [];

    /** @param {number} pointer what C knows it by
     * @param {() => void} free gives the memory back
     * @param {readonly Owned[]} [uses] what has to stay as long as this */
    constructor(pointer, free, uses = []) {
        this.#pointer = pointer;
        this.#free = free;
        for (const used of uses) { this.uses(used); }
        forgotten?.register(this, new.target.name, this);
    }

    /** Address in the module's memory. @returns {number} */
    get pointer() {
        if (this.#isDisposed) { throw new SinewError('invalid_argument', this.#words()); }
        return this.#pointer;
    }

    get isDisposed() { return this.#isDisposed; }

    /** Give the memory back. Twice is as good as once. */
    dispose() {
        if (this.#isDisposed) { return; }
        this.#isDisposed = true;
        forgotten?.unregister(this);
        for (const lent of this.#lent) { lent.retire(this.#words()); }
        this.#lent = [];
        this.#leave();
    }

    /** `using solver = new Solver(skeleton)`, where the language has it. */
    [Symbol.dispose]() { this.dispose(); }

    /** Keep something alive as long as this one, from now on in place of another.
     * @param {Owned | null} next @param {Owned | null} [last] @protected */
    uses(next, last = null) {
        // what is gone neither keeps nor is kept
        void this.pointer;
        if (next !== null) {
            void next.pointer;
            for (let at = /** @type {Owned | undefined} */ (next); at !== undefined; at = at.#whole) { ++at.#users; }
            this.#uses.push(next);
        }
        if (last !== null) {
            this.#uses.splice(this.#uses.indexOf(last), 1);
            last.#drop();
        }
    }

    /** Take something in as a part, which goes when this one goes; those who use the part keep all of it.
     * @template {Owned} T
     * @param {T} part @returns {T} @protected */
    part(part) {
        part.#whole = this;
        this.#parts.push(part);
        forgotten?.unregister(part);
        return part;
    }

    /** Show memory to others for as long as this one is not disposed of.
     * @template {{ retire(words: string): void } | readonly { retire(words: string): void }[]} T
     * @param {T} shown @returns {T} @protected */
    lend(shown) {
        this.#lent.push(...[shown].flat());
        return shown;
    }

    #words() { return `this ${this.constructor.name} was disposed of`; }

    #drop() {
        /** @type {Owned | undefined} */
        let next;
        for (let at = /** @type {Owned | undefined} */ (this); at !== undefined; at = next) {
            next = at.#whole;
            --at.#users;
            at.#leave();
        }
    }

    #leave() {
        if (!this.#isDisposed || this.#users > 0) { return; }
        for (const part of this.#parts) { part.dispose(); }
        this.#parts = [];
        this.#free?.();
        this.#free = undefined;
        const uses = this.#uses;
        this.#uses = [];
        for (const used of uses) { used.#drop(); }
    }
}

// ---------------------------------------------------------------------------------------------
// Grounds that answer in JavaScript

/** @typedef {(x: number, z: number, normal: { x: number, y: number, z: number }) => number} GroundFunction */

/** @type {({ answer: GroundFunction, normal: { x: number, y: number, z: number } } | undefined)[]} */
const grounds = [];

// What a ground threw: it must not leave through the frames of C, which would never give their part of the stack back.
/** @type {{ reason: unknown } | undefined} */
let thrown;

/** @param {GroundFunction} answer @returns {number} its number */
export function addGround(answer) {
    let id = grounds.indexOf(undefined);
    if (id < 0) { id = grounds.length; }
    grounds[id] = { answer, normal: { x: 0, y: 1, z: 0 } };
    return id;
}

/** @param {number} id */
export function removeGround(id) { grounds[id] = undefined; }

/** @param {number} id @param {number} x @param {number} z @param {number} out */
function callGround(id, x, z, out) {
    const ground = grounds[id];
    if (ground === undefined || thrown !== undefined) { return NaN; }
    const { answer, normal } = ground;
    normal.x = 0;
    normal.y = 1;
    normal.z = 0;
    try {
        const height = answer(x, z, normal);
        const all = f64(), at = out >> 3;
        all[at] = normal.x;
        all[at + 1] = normal.y;
        all[at + 2] = normal.z;
        return height;
    } catch (reason) {
        thrown = { reason };
        return NaN;
    }
}

/** What a ground threw in the call that has come back, to whoever made that call. */
export function throwOfGround() {
    if (thrown === undefined) { return; }
    const { reason } = thrown;
    thrown = undefined;
    u8()[message] = 0;
    throw reason;
}
