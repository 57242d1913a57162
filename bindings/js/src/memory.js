// The memory of the module, seen as numbers. Views end when the memory grows: their length is 0 from then
// on, which is how these functions notice.

/** @typedef {import('../dist/exports.js').Exports} Exports */

import { SinewError } from './error.js';
import { refuse } from './expect.js';

/** @type {WebAssembly.Memory | undefined} */
let memory;
let F64 = new Float64Array(0), F32 = new Float32Array(0), I32 = new Int32Array(0);
let U32 = new Uint32Array(0), U8 = new Uint8Array(0), U64 = new BigUint64Array(0);
let growths = 0;

function renew() {
    if (memory === undefined) {
        throw new SinewError('invalid_argument', 'sinew is not loaded yet: await load() first');
    }
    const { buffer } = memory;
    F64 = new Float64Array(buffer);
    F32 = new Float32Array(buffer);
    I32 = new Int32Array(buffer);
    U32 = new Uint32Array(buffer);
    U8 = new Uint8Array(buffer);
    U64 = new BigUint64Array(buffer);
    ++growths;
}

/** Look at this memory from now on.
 * @param {WebAssembly.Memory} of */
export function attach(of) {
    memory = of;
    renew();
}

/** All memory as 64-bit floats; an address >> 3 is an index. */
export function f64() { if (F64.length === 0) { renew(); } return F64; }
/** All memory as 32-bit floats; an address >> 2 is an index. */
export function f32() { if (F32.length === 0) { renew(); } return F32; }
/** All memory as signed 32-bit integers. */
export function i32() { if (I32.length === 0) { renew(); } return I32; }
/** All memory as unsigned 32-bit integers. */
export function u32() { if (U32.length === 0) { renew(); } return U32; }
/** All memory as bytes. */
export function u8() { if (U8.length === 0) { renew(); } return U8; }
/** All memory as unsigned 64-bit integers. */
export function u64() { if (U64.length === 0) { renew(); } return U64; }

/** Rises whenever the memory has grown. Views that others hold (attributes of a graphics library) are to be
 * made again when it has. */
export function memoryVersion() {
    u8();
    return growths;
}

/** Bytes of memory in use by the module. */
export function memoryBytes() { return u8().length; }

/** Make the memory larger: what an allocation may do at any time.
 * @param {number} bytes */
export function growMemory(bytes) {
    const room = 2 ** 32 - u8().length;
    if (!(bytes >= 0 && bytes <= room)) { refuse('growMemory: bytes', bytes, `0..${room}`); }
    try {
        /** @type {WebAssembly.Memory} */ (memory).grow(Math.ceil(bytes / 65536));
    } catch {
        throw new SinewError('out_of_memory', `no memory for ${bytes} bytes`);
    }
}

const decoder = new TextDecoder(), encoder = new TextEncoder();

/** The text that ends with a 0 there; empty for address 0.
 * @param {number} address */
export function readText(address) {
    if (address === 0) { return ''; }
    const bytes = u8();
    let end = address;
    while (bytes[end] !== 0) { ++end; }
    return decoder.decode(bytes.subarray(address, end));
}

/** The bytes of a text, and a 0 behind them.
 * @param {string} text */
export function encodeText(text) {
    const bytes = encoder.encode(text), ended = new Uint8Array(bytes.length + 1);
    ended.set(bytes);
    return ended;
}

/** An array that lies in the module's memory. The same view comes back until the memory grows.
 * @template {Float64Array | Float32Array | Uint32Array | Int32Array | Uint8Array} T */
export class MemoryArray {
    /** @param {(() => T)} all @param {number} address bytes @param {number} length */
    constructor(all, address, length) {
        this.all = all;
        this.address = address;
        this.length = length;
        /** @type {T | undefined} */
        this.view = undefined;
    }

    /** @returns {T} */
    get() {
        let { view } = this;
        if (view === undefined || (view.length === 0 && this.length > 0)) {
            const all = this.all(), start = this.address / all.BYTES_PER_ELEMENT;
            view = /** @type {T} */ (all.subarray(start, start + this.length));
            this.view = view;
        }
        return view;
    }

    /** Its memory is given back: whoever asks for it is told. @param {string} words */
    retire(words) {
        this.view = undefined;
        this.all = () => { throw new SinewError('invalid_argument', words); };
    }
}
