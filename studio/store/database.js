// The browser's database, as one table of values by key: what is too large for texts in storage.js, or comes in bytes.

const NAME = 'limber';
const TABLE = 'kept';

/** @type {Promise<IDBDatabase>|null} */
let opened = null;

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
const promised = (request) => new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
});

function open() {
    opened ??= new Promise((done, fail) => {
        const request = globalThis.indexedDB.open(NAME, 1); // throws where there is none
        request.onupgradeneeded = () => request.result.createObjectStore(TABLE);
        request.onblocked = () => fail(new Error('another page holds the storage'));
        promised(request).then(done, fail);
    });
    opened.catch(() => {
        opened = null;
    });
    return opened;
}

/** Reading and writing it; both are promises, and are rejected where the browser has none or it is full. */
export function database() {
    return {
        /** @param {string} key */
        async get(key) {
            const table = (await open()).transaction(TABLE).objectStore(TABLE);
            return promised(table.get(key));
        },
        /** @param {string} key @param {unknown} value */
        async put(key, value) {
            const transaction = (await open()).transaction(TABLE, 'readwrite');
            transaction.objectStore(TABLE).put(value, key);
            return new Promise((done, fail) => {
                transaction.oncomplete = () => done(undefined);
                transaction.onerror = transaction.onabort = () => fail(transaction.error ?? new Error('it is full'));
            });
        },
    };
}
