// Words for who has a mouse and keys, and words for who has fingers only.

/** Whether the page is used with fingers. */
export function isTouched() {
    return globalThis.matchMedia?.('(pointer: coarse)').matches ?? false;
}

/**
 * One of two texts: with a mouse, or with fingers.
 * @param {string} mouse @param {string} fingers
 */
export function byHand(mouse, fingers) {
    return isTouched() ? fingers : mouse;
}
