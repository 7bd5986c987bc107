// Menus: a list of commands that opens at a button or a point, walked with arrows or the first letters.

import {focused, h} from './dom.js';
import {icon} from './icons.js';

/** @type {{menu: HTMLElement, at: MenuPlace, before: Element | null} | null} */
let current = null;

/**
 * Opens a menu. Items: {text, about, icon, key, run, disabled, checked, isSwitch}, {heading}, {rule: true}.
 * @param {MenuItem[]} items
 * @param {MenuPlace} at the button it belongs to, or a point of
 *     the window, and the root of whose Studio it is
 */
export function openMenu(items, at, label = 'Menu') {
    const isSame = current && current.at === at;
    const before = current?.before ?? focused();
    closeMenu();
    if (isSame) return null;
    const menu = h('div', {class: 'menu', role: 'menu', 'aria-label': label}, items.map(itemOf));
    const dialog = at instanceof HTMLElement ? at.closest('dialog') : null;
    const root = /** @type {Document | ShadowRoot} */ (at instanceof HTMLElement ? at.getRootNode() : at.root);
    const host = dialog ?? root.getElementById('stage');
    host?.append(menu);
    if (root !== document) { // an element of somebody's page ends where it ends; its menus need not
        menu.popover = 'manual';
        menu.showPopover?.();
    }
    place(menu, at);
    current = {menu, at, before};
    if (at instanceof HTMLElement) at.setAttribute('aria-expanded', 'true');
    menu.addEventListener('keydown', walk);
    document.addEventListener('pointerdown', closeOutside, true);
    globalThis.addEventListener('resize', closeMenu);
    const [first] = entries(menu);
    if (first) first.tabIndex = 0; // a menu that scrolls can be reached
    first?.focus();
    return menu;
}

export function closeMenu() {
    if (!current) return;
    const {menu, at, before} = current;
    current = null;
    const hadFocus = menu.contains(focused());
    menu.remove();
    if (at instanceof HTMLElement) at.setAttribute('aria-expanded', 'false');
    if (hadFocus) /** @type {HTMLElement | null} */ (before)?.focus?.({preventScroll: true});
    document.removeEventListener('pointerdown', closeOutside, true);
    globalThis.removeEventListener('resize', closeMenu);
}

/**
 * Makes a button open a menu whose items are asked for each time.
 * @template {MenuButton} E
 * @param {E} element @param {NonNullable<MenuButton['menuItems']>} items @param {string} [label]
 */
export function menuButton(element, items, label) {
    element.menuItems = items;
    element.setAttribute('aria-haspopup', 'menu');
    element.setAttribute('aria-expanded', 'false');
    element.addEventListener('click', async () => openMenu(await items(), element, label));
    element.addEventListener('keydown', async (event) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        openMenu(await items(), element, label);
    });
    return element;
}

/** @param {MenuItem} item */
function itemOf(item) {
    if (item.rule) return h('hr');
    if (item.heading) return h('div', {class: 'heading', role: 'presentation'}, item.heading);
    const isChoice = item.checked !== undefined;
    return h(
        'button',
        {
            type: 'button',
            role: item.isSwitch ? 'menuitemcheckbox' : isChoice ? 'menuitemradio' : 'menuitem',
            tabindex: '-1',
            'aria-checked': isChoice ? item.checked : null,
            'aria-disabled': item.disabled ? 'true' : null,
            'data-goal': item.goal,
            'data-command': item.command,
            onclick: () => {
                if (item.disabled) return;
                closeMenu();
                item.run?.();
            },
        },
        isChoice ? icon(item.checked ? 'met' : 'idle') : item.icon ? icon(item.icon) : null,
        h('span', {class: 'words'}, item.text, item.about ? h('small', {}, item.about) : null),
        item.key ? h('span', {class: 'key'}, item.key) : null,
    );
}

/** @param {HTMLElement} menu @param {MenuPlace} at */
function place(menu, at) {
    const box =
        at instanceof HTMLElement ? at.getBoundingClientRect() : {left: at.x, right: at.x, top: at.y, bottom: at.y};
    const {innerWidth: width, innerHeight: height} = globalThis;
    Object.assign(menu.style, {left: '0px', top: '0px'});
    const origin = menu.getBoundingClientRect(); // of the window, or of the element that a Studio is part of
    const below = height - box.bottom - 10;
    const above = box.top - 10;
    const isBelow = below >= Math.min(menu.offsetHeight, 300) || below >= above;
    menu.style.maxHeight = `${isBelow ? below : above}px`;
    const left = Math.max(8, Math.min(box.left, width - menu.offsetWidth - 8));
    const top = isBelow ? box.bottom + 3 : Math.max(8, box.top - menu.offsetHeight - 3);
    menu.style.left = `${left - origin.left}px`;
    menu.style.top = `${top - origin.top}px`;
}

/** @param {HTMLElement} menu @returns {HTMLElement[]} */
function entries(menu) {
    return [.../** @type {NodeListOf<HTMLElement>} */ (menu.querySelectorAll('[role^="menuitem"]'))];
}

/** @param {KeyboardEvent} event */
function walk(event) {
    if (!current) return;
    const all = entries(current.menu);
    const now = all.indexOf(/** @type {HTMLElement} */ (focused()));
    /** @type {Record<string, number>} */
    const moves = {
        ArrowDown: (now + 1) % all.length,
        ArrowUp: (now - 1 + all.length) % all.length,
        Home: 0,
        End: all.length - 1,
    };
    if (event.key in moves) all[moves[event.key]].focus();
    else if (event.key === 'Escape' || event.key === 'Tab') closeMenu();
    else if (event.key.length === 1 && /\S/.test(event.key)) seek(all, now, event.key.toLowerCase());
    else return;
    event.preventDefault();
    event.stopPropagation();
}

/** @param {HTMLElement[]} all @param {number} now @param {string} letter */
function seek(all, now, letter) {
    const order = [...all.slice(now + 1), ...all.slice(0, now + 1)];
    order.find((entry) => entry.querySelector('.words')?.textContent?.trim().toLowerCase().startsWith(letter))?.focus();
}

/** @param {Event} event */
function closeOutside(event) {
    const path = event.composedPath();
    if (current && (path.includes(current.menu) || path.some((one) => one === current?.at))) return;
    closeMenu();
}
