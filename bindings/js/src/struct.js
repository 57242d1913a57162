// What the classes of structs.js stand on: a struct is an address; its fields are read and written in place.

import { SinewError } from './error.js';
import { expectWhole, refuse } from './expect.js';
import { f64 } from './memory.js';

/** A struct in the module's memory. Fields are live: nothing is copied. */
export class Struct {
    /** Bytes. */
    static size = 0;
    /** @type {readonly string[]} */
    static fields = [];

    // a field of the class: what is set by assignment is looked for as a field of C
    /** Address of the struct. @type {number} @readonly */
    pointer;

    /** @param {number} pointer address of the struct */
    constructor(pointer) { this.pointer = pointer; }

    /** Set several fields: `options.assign({ method: 'damped', max_iterations: 20 })`.
     * @param {Record<string, any>} values
     * @returns {this} */
    assign(values) {
        const self = /** @type {any} */ (this);
        for (const key of Object.keys(values)) {
            const value = values[key];
            if (value === undefined) { continue; }
            const { set } = accessorOf(this, key), part = self[key];
            if (part instanceof Struct) {
                if (typeof value !== 'object' || value === null) {
                    refuse(key, value, `an object with ${part.fields.join(', ')}`);
                }
                /** @type {any} */ (part).assign(value, key);
            } else if (set === undefined) {
                throw new SinewError('invalid_argument', `${key} is read only`);
            } else {
                self[key] = value;
            }
        }
        return this;
    }

    /** Names of the fields. @returns {readonly string[]} */
    get fields() { return /** @type {typeof Struct} */ (this.constructor).fields; }

    /** A copy as a plain object. @returns {Record<string, any>} */
    toJSON() {
        /** @type {Record<string, any>} */
        const copy = {};
        for (const key of this.fields) {
            const value = /** @type {any} */ (this)[key];
            copy[key] = value instanceof Struct ? value.toJSON()
                : Array.isArray(value) ? value.map((v) => v.toJSON())
                : ArrayBuffer.isView(value) ? Array.from(/** @type {any} */ (value)) : value;
        }
        return copy;
    }

    /** What it shows is gone: from now on whoever reads or writes it is told, and what lies there instead is left
     * alone. @param {string} words */
    retire(words) {
        for (const part of Object.values(this).flat()) { if (part instanceof Struct) { part.retire(words); } }
        Object.defineProperty(this, 'pointer', { get() { throw new SinewError('invalid_argument', words); } });
    }
}

/** @param {Struct} struct @param {string | symbol} key @returns {never} */
function refuseField(struct, key) {
    throw new SinewError('invalid_argument', `there is no field '${String(key)}', want one of ${struct.fields.join(', ')}`);
}

// Names that no field has end here: `options.maxIterations = 20` would be a property that C never sees.
Object.setPrototypeOf(Struct.prototype, new Proxy({}, { set: (_, key, __, struct) => refuseField(struct, key) }));

/** How a field is read and written. @param {Struct} struct @param {string} key */
function accessorOf(struct, key) {
    for (let at = Object.getPrototypeOf(struct); at !== Struct.prototype; at = Object.getPrototypeOf(at)) {
        const found = Object.getOwnPropertyDescriptor(at, key);
        if (found?.get !== undefined) { return found; }
    }
    return refuseField(struct, key);
}

/** What C can hold of a number, for fields.
 * @param {unknown} value @param {string} field */
export function real(value, field) { return typeof value === 'number' ? value : refuse(field, value, 'a number'); }
/** @param {unknown} value @param {string} field */
export function int(value, field) { return expectWhole(value, field, -2147483648, 2147483647); }
/** @param {unknown} value @param {string} field */
export function unsigned(value, field) { return expectWhole(value, field, 0, 4294967295); }
/** @param {unknown} value @param {string} field */
export function byte(value, field) { return expectWhole(value, field, 0, 255); }

/** One number of a vector or quaternion that was given as a list or by names.
 * @param {any} from @param {readonly string[]} names @param {number} i @param {string} [argument] what was given */
function component(from, names, i, argument = names.join(', ')) {
    const isList = Array.isArray(from) || ArrayBuffer.isView(from);
    const value = isList && /** @type {any} */ (from).length === names.length ? /** @type {any} */ (from)[i] : from?.[names[i]];
    return typeof value === 'number' ? value : refuse(argument, from, `${names.length} numbers: a list, or an object with ${names.join(', ')}`);
}

const VECTOR = Object.freeze(['x', 'y', 'z']), QUATERNION = Object.freeze(['x', 'y', 'z', 'w']);

/** @typedef {{ x: number, y: number, z: number }} VectorLike */
/** @typedef {{ x: number, y: number, z: number, w: number }} QuaternionLike */

/** Three numbers in the module's memory. */
export class VectorStruct extends Struct {
    /** @param {number} x @param {number} y @param {number} z */
    set(x, y, z) {
        const at = this.pointer >> 3, all = f64();
        all[at] = x;
        all[at + 1] = y;
        all[at + 2] = z;
        return this;
    }

    /** From anything that has x, y and z. @param {VectorLike} from */
    copy(from) { return this.set(from.x, from.y, from.z); }

    /** @param {any} values an object with x, y, z, or a list of three numbers @param {string} [argument] */
    assign(values, argument) {
        return this.set(component(values, VECTOR, 0, argument), component(values, VECTOR, 1, argument),
            component(values, VECTOR, 2, argument));
    }
}

/** A rotation in the module's memory: x, y, z, w. */
export class QuaternionStruct extends Struct {
    /** @param {number} x @param {number} y @param {number} z @param {number} w */
    set(x, y, z, w) {
        const at = this.pointer >> 3, all = f64();
        all[at] = x;
        all[at + 1] = y;
        all[at + 2] = z;
        all[at + 3] = w;
        return this;
    }

    /** From anything that has x, y, z and w. @param {QuaternionLike} from */
    copy(from) { return this.set(from.x, from.y, from.z, from.w); }

    /** @param {any} values an object with x, y, z, w, or a list of four numbers @param {string} [argument] */
    assign(values, argument) {
        return this.set(component(values, QUATERNION, 0, argument), component(values, QUATERNION, 1, argument),
            component(values, QUATERNION, 2, argument), component(values, QUATERNION, 3, argument));
    }
}

/** The number of a word of an enum.
 * @param {readonly string[]} names @param {string} word @param {string} field */
export function enumValue(names, word, field) {
    const value = names.indexOf(word);
    if (value < 0) {
        throw new SinewError('invalid_argument',
            `${field} is '${word}', want one of ${names.filter((n) => n !== undefined).join(', ')}`);
    }
    return value;
}

/** One view for each struct of an array.
 * @template {Struct} T
 * @param {{ new (pointer: number): T, size: number }} kind @param {number} address @param {number} count
 * @returns {readonly T[]} */
export function views(kind, address, count) {
    return Object.freeze(Array.from({ length: count }, (_, i) => new kind(address + i * kind.size)));
}
