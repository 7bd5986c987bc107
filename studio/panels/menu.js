// Menus: a list of commands that opens at a button or a point, walked with arrows or the first letters.

import {h} from './dom.js';
import {icon} from './icons.js';

let current = null;

/**
 * Opens a menu. Items: {text, about, icon, key, run, disabled, checked, isSwitch}, {heading}, {rule: true}.
 * @param {object[]} items
 * @param {HTMLElement|{x: number, y: number}} at the button it belongs to, or a point of the page
 */
export function openMenu(items, at, label = 'Menu') {
    const isSame = current && current.at === at;
    const before = current?.before ?? document.activeElement;
    closeMenu();
    if (isSame) return null;
    const menu = h('div', {class: 'menu', role: 'menu', 'aria-label': label}, items.map(itemOf));
    const dialog = at instanceof HTMLElement ? at.closest('dialog') : null;
    const host = dialog ?? document.getElementById('stage');
    host.append(menu);
    place(menu, at);
    current = {menu, at, before};
    if (at instanceof HTMLElement) at.setAttribute('aria-expanded', 'true');
    menu.addEventListener('keydown', walk);
    document.addEventListener('pointerdown', closeOutside, true);
    globalThis.addEventListener('resize', closeMenu);
    entries(menu)[0]?.focus();
    return menu;
}

export function closeMenu() {
    if (!current) return;
    const {menu, at, before} = current;
    current = null;
    const hadFocus = menu.contains(document.activeElement);
    menu.remove();
    if (at instanceof HTMLElement) at.setAttribute('aria-expanded', 'false');
    if (hadFocus) before?.focus?.({preventScroll: true});
    document.removeEventListener('pointerdown', closeOutside, true);
    globalThis.removeEventListener('resize', closeMenu);
}

/** Makes a button open a menu whose items are asked for each time. */
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
                item.run();
            },
        },
        item.icon || isChoice ? icon(isChoice ? (item.checked ? 'met' : 'idle') : item.icon) : null,
        h('span', {class: 'words'}, item.text, item.about ? h('small', {}, item.about) : null),
        item.key ? h('span', {class: 'key'}, item.key) : null,
    );
}

function place(menu, at) {
    const box =
        at instanceof HTMLElement ? at.getBoundingClientRect() : {left: at.x, right: at.x, top: at.y, bottom: at.y};
    const {innerWidth: width, innerHeight: height} = globalThis;
    const below = height - box.bottom - 10;
    const above = box.top - 10;
    const isBelow = below >= Math.min(menu.offsetHeight, 300) || below >= above;
    menu.style.maxHeight = `${isBelow ? below : above}px`;
    menu.style.left = `${Math.max(8, Math.min(box.left, width - menu.offsetWidth - 8))}px`;
    menu.style.top = `${isBelow ? box.bottom + 3 : Math.max(8, box.top - menu.offsetHeight - 3)}px`;
}

function entries(menu) {
    return [...menu.querySelectorAll('[role^="menuitem"]')];
}

function walk(event) {
    const all = entries(current.menu);
    const now = all.indexOf(document.activeElement);
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

function seek(all, now, letter) {
    const order = [...all.slice(now + 1), ...all.slice(0, now + 1)];
    order.find((entry) => entry.querySelector('.words')?.textContent.trim().toLowerCase().startsWith(letter))?.focus();
}

function closeOutside(event) {
    const {menu, at} = current;
    if (menu.contains(event.target) || (at instanceof HTMLElement && at.contains(event.target))) return;
    closeMenu();
}
