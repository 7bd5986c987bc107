// The page's side of working without a network: registers the service worker, and says when a new version is ready.
//
// Not on 127.0.0.1 and localhost, where `limber studio` serves: a service worker would answer for that port from then
// on, whatever program has it next. Nor where a page has no right to one: it needs https.

const LOCAL = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/;
const SCRIPT = 'offline.js';

/** Whether a page at this place may have a service worker. @param {{hostname: string, protocol: string}} place */
export function mayKeep({hostname, protocol}) {
    return /^https?:$/.test(protocol) && !LOCAL.test(hostname);
}

/**
 * @param {{message: Function}} store
 * @returns {Promise<ServiceWorkerRegistration|null>} null where there is none; rejects never: the page works without
 */
export async function keepOffline(store) {
    const {serviceWorker} = navigator;
    if (!serviceWorker || !isSecureContext || !mayKeep(location)) return null;
    try {
        const wasControlled = Boolean(serviceWorker.controller);
        const registration = await serviceWorker.register(SCRIPT, {updateViaCache: 'none'});
        watch(registration, store);
        serviceWorker.controller?.postMessage('opened');
        followOthers(serviceWorker, wasControlled, store);
        return registration;
    } catch {
        return null; // a host without the script, or with a policy against it
    }
}

/** Says when a version has arrived whole while another one is in use. */
function watch(/** @type {ServiceWorkerRegistration} */ registration, /** @type {{message: Function}} */ store) {
    const offer = () => store.message('info', 'A new version of the Studio is ready. Your work is kept.', {action: {
        text: 'Load it', run: () => takeOver(registration)}});
    const heed = (/** @type {ServiceWorker|null} */ arriving) => arriving?.addEventListener('statechange', () => {
        if (arriving.state === 'installed' && navigator.serviceWorker.controller) offer();
    });
    if (registration.waiting && navigator.serviceWorker.controller) offer();
    heed(registration.installing);
    registration.addEventListener('updatefound', () => heed(registration.installing));
}

let isOurDoing = false; // this page asked for the new version

/** The new version answers from now on, and this page is loaded anew from it. */
function takeOver(/** @type {ServiceWorkerRegistration} */ registration) {
    isOurDoing = true;
    if (registration.waiting) registration.waiting.postMessage('take over');
    else location.reload();
}

/** Another page took the new version: this one is of the old. */
function followOthers(/** @type {ServiceWorkerContainer} */ serviceWorker, /** @type {boolean} */ wasControlled,
    /** @type {{message: Function}} */ store) {
    let isControlled = wasControlled;
    serviceWorker.addEventListener('controllerchange', () => {
        if (isOurDoing) location.reload();
        else if (isControlled) store.message('info', 'Another page has loaded a new version of the Studio.', {action: {
            text: 'Load it here, too', run: () => location.reload()}});
        isControlled = true; // the first version of a first visit takes over by itself
    });
}
