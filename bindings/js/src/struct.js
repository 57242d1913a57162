// What the classes of structs.js stand on: a struct is an address; its fields are read and written in place.

import { SinewError } from './error.js';
import { f64 } from './memory.js';

/** A struct in the module's memory. Fields are live: nothing is copied. */
export class Struct {
    /** Bytes. */
    static size = 0;
    /** @type {readonly string[]} */
    static fields = [];

    /** @param {number} pointer address of the struct */
    constructor(pointer) {
        /** @readonly */
        this.pointer = pointer;
    }

    /** Set several fields: `options.assign({ method: 'damped', max_iterations: 20 })`.
     * @param {Record<string, any>} values
     * @returns {this} */
    assign(values) {
        const self = /** @type {any} */ (this);
        for (const key of Object.keys(values)) {
            const value = values[key];
            if (value === undefined) { continue; }
            if (!(key in self)) {
                throw new SinewError('invalid_argument',
                    `there is no field '${key}', want one of ${this.fields.join(', ')}`);
            }
            if (self[key] instanceof Struct) {
                self[key].assign(value);
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
}

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

    /** @param {any} values an object with x, y, z, or three numbers */
    assign(values) {
        return Array.isArray(values) ? this.set(values[0], values[1], values[2]) : this.copy(values);
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

    /** @param {any} values an object with x, y, z, w, or four numbers */
    assign(values) {
        return Array.isArray(values) ? this.set(values[0], values[1], values[2], values[3])
            : this.copy(values);
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
