/** A rule of the interface that was broken: what, and what was expected. Goals that are not met are no
 * errors; the report tells them. */
export class SinewError extends Error {
    /** @param {import('../dist/structs.js').Status} status @param {string} message */
    constructor(status, message) {
        super(message);
        this.name = 'SinewError';
        /** Which kind of rule: `'invalid_argument'`, `'bad_file'`, ... */
        this.status = status;
    }
}
