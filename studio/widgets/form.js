// What forms of goals are made of: a row with a label and an entry that changes one thing of the document's object.

import {field} from './dom.js';
import {entryIn} from '../document/entries.js';
import {choiceEntry, numberEntry, textEntry, vectorEntry} from './entry.js';

/**
 * Puts a value where it belongs.
 * @param {string} key @returns {(object: any, value: unknown) => void} of an object of the document, whichever it is
 */
export const assign = (key) => (object, value) => {
    object[key] = value;
};

/**
 * The same for what has a default: nothing, '' and 0 are not written.
 * @param {string} key @returns {(object: any, value: unknown) => void}
 */
export const assignUnlessEmpty = (key) => (object, value) => {
    if (value) object[key] = value;
    else delete object[key];
};

/** Rows for one entry of the goals panel. `apply(object, value)` changes the entry's object in a draft. */
export class Form {
    /** @param {Entry} entry @param {Store} store */
    constructor(entry, store) {
        this.entry = entry;
        this.store = store;
        this.value = typeof entry.value === 'string' ? {site: entry.value} : entry.value;
    }

    /**
     * Changes the entry's object and solves; changes in a row with the same `merge` are one step to undo.
     * @param {string} what
     * @param {(object: any) => unknown} fn any: the entry's value
     * @param {string | null} [merge]
     */
    edit(what, fn, merge = null) {
        const options = {solve: true, merge: merge && `${this.entry.key} ${merge}`};
        return this.store.edit(`${what} of ${this.entry.name}`, (draft) => fn(entryIn(draft, this.entry)), options);
    }

    /**
     * @param {Row} row @param {string} [merge]
     * @returns {(value: unknown) => Promise<boolean>}
     */
    onset({title, key, apply = assign(key)}, merge) {
        return (value) => this.edit(title, (object) => apply(object, value), merge);
    }

    /** @param {Row} row */
    number({unit = null, ...row}) {
        const {title, label = title, value, key, kind, min, max, step, whole} = row;
        const onset = this.onset(row, key);
        return field(title, numberEntry({value, kind, label, key, onset, min, max, step, whole}), unit);
    }

    /** @param {Row} row */
    vector({unit = null, ...row}) {
        const {title, label = title, value, key, kind, min, names} = row;
        return field(title, vectorEntry({value, kind, label, key, min, names, onset: this.onset(row, key)}), unit);
    }

    /** @param {Row} row */
    text(row) {
        const {title, label = title, value, key, list, placeholder, onset = this.onset(row)} = row;
        return field(title, textEntry({value, label, key, list, placeholder, onset}));
    }

    /** @param {Row} row */
    choice(row) {
        const {title, label = title, value, key, options = []} = row;
        return field(title, choiceEntry({value, label, key, options, onset: this.onset(row)}));
    }

    /**
     * Names with commas.
     * @param {Row} row
     */
    names(row) {
        /** @type {Row['apply']} */
        const apply = (object, text) => assign(row.key)(object, text.split(/[,\s]+/).filter(Boolean));
        return this.text({...row, value: row.value.join(', '), apply});
    }
}
