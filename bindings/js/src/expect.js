// What callers gave, looked at before it reaches C: one line of what was found and what is wanted.

import { SinewError } from './error.js';

/** A value in a few words. @param {unknown} value */
function told(value) {
    if (typeof value === 'string') { return `'${value.length > 40 ? `${value.slice(0, 40)}...` : value}'`; }
    if (typeof value === 'function') { return 'a function'; }
    if (Array.isArray(value)) { return value.length < 5 ? `[${value}]` : `a list of ${value.length}`; }
    if (typeof value !== 'object' || value === null) { return String(value); }
    const name = value.constructor?.name ?? 'Object';
    return name === 'Object' ? 'a plain object' : `a ${name}`;
}

/** @param {string} name of the argument @param {unknown} value @param {string} want @returns {never} */
export function refuse(name, value, want) {
    throw new SinewError('invalid_argument', `${name} is ${told(value)}, want ${want}`);
}

/** An object of a class.
 * @template T
 * @param {abstract new (...from: any[]) => T} kind @param {unknown} value @param {string} name of the argument
 * @returns {T} */
export function expectA(kind, value, name) {
    if (!(value instanceof kind)) { refuse(name, value, `a ${kind.name}`); }
    return value;
}

/** The least of what is > 0. */
export const POSITIVE = Number.MIN_VALUE;

/** A number; NaN is none. @param {unknown} value @param {string} name
 * @param {number} [least] @param {number} [most] */
export function expectNumber(value, name, least = -Infinity, most = Infinity) {
    if (typeof value !== 'number' || !(value >= least && value <= most)) {
        refuse(name, value, least === -Infinity ? 'a number' : least === POSITIVE ? 'a number > 0'
            : most === Infinity ? `a number >= ${least}` : `${least}..${most}`);
    }
    return value;
}

/** A whole number. @param {unknown} value @param {string} name @param {number} [least] @param {number} [most] */
export function expectWhole(value, name, least = 0, most = 2147483647) {
    if (!Number.isInteger(value) || /** @type {number} */ (value) < least || /** @type {number} */ (value) > most) {
        refuse(name, value, `a whole number of ${least}..${most}`);
    }
    return /** @type {number} */ (value);
}

/** A text. @param {unknown} value @param {string} name */
export function expectText(value, name) {
    if (typeof value !== 'string') { refuse(name, value, 'a text'); }
    return value;
}

/** A list, of so many numbers where a count is said.
 * @template T
 * @param {readonly T[] | ArrayLike<T>} value @param {string} name @param {number} [count] */
export function expectList(value, name, count) {
    const list = /** @type {any} */ (value);
    if (!Array.isArray(list) && !ArrayBuffer.isView(list)) {
        refuse(name, value, count === undefined ? 'a list' : `${count} numbers`);
    }
    if (count !== undefined && value.length !== count) {
        throw new SinewError('invalid_argument', `${name} has ${value.length} numbers, want ${count}`);
    }
    return /** @type {readonly T[]} */ (value);
}

/** Settings that nobody asks for are typing errors.
 * @param {object} rest what was given beside the known ones @param {string} what @param {string} known */
export function expectNoMore(rest, what, known) {
    for (const [key, value] of Object.entries(rest)) {
        if (value !== undefined) {
            throw new SinewError('invalid_argument', `${what}: there is no setting '${key}', want one of ${known}`);
        }
    }
}
