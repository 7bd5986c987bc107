// What goes wrong, as something to throw: a status of the C library with its file and line.

import {enumNames} from './c_api.js';

/** Thrown by everything in the package that can fail; also what `warn` options are given. */
export class LimberError extends Error {
    /**
     * @param {string} message what is wrong, what to do
     * @param {number} status an lb_status: negative, or 0 for a warning
     * @param {string} [file] '' where there is none
     * @param {number} [line] from 1; 0 where there is none
     */
    constructor(message, status, file = '', line = 0) {
        super(message);
        this.name = 'LimberError';
        /** An lb_status. */
        this.status = status;
        /** The status as a word: 'argument', 'memory', 'name', 'figure', 'limit', 'file', 'syntax', ... */
        this.statusName = statusName(status);
        /** The file that it is about, '' where there is none. */
        this.file = file;
        /** The line in it, 0 where there is none. */
        this.line = line;
    }

    /** "file:line: message", as the command line prints it. */
    get text() {
        const place = this.file ? `${this.file}:${this.line ? this.line + ':' : ''} ` : '';
        return place + this.message;
    }
}

/** @param {number} status @returns {string} */
export function statusName(status) {
    return Object.entries(enumNames.lb_status).find(([, value]) => value === status)?.[0] ?? 'unknown';
}
