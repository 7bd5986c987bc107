// Where a bar is too narrow for all its commands, those that are needed least go into a menu at its end.

import {openMenu} from './menu.js';

/**
 * Keeps a bar's content within its width. Elements with data-tuck may go, the smallest number first; `more` is the
 * button of the menu that has them then. A tucked element that opens a menu has it as `menuItems`; a switch becomes an
 * entry with a check. What is hidden is in neither place.
 * @param {HTMLElement} bar @param {HTMLElement} more
 * @returns {() => void} to be called when something else is shown or hidden in the bar
 */
export function keepWithin(bar, more) {
    const candidates = [.../** @type {NodeListOf<HTMLElement>} */ (bar.querySelectorAll('[data-tuck]'))];
    candidates.sort((a, b) => Number(a.dataset.tuck) - Number(b.dataset.tuck));
    const fit = () => {
        for (const element of candidates) element.classList.remove('tucked');
        more.hidden = true;
        for (const element of candidates) {
            if (bar.scrollWidth <= bar.clientWidth) break;
            more.hidden = false;
            element.classList.add('tucked');
        }
    };
    more.addEventListener('click', () => {
        const tucked = candidates
            .filter((element) => element.classList.contains('tucked') && !element.hidden)
            .reverse();
        openMenu(
            tucked.flatMap((element) => itemsOf(element, more)),
            more,
            'More',
        );
    });
    new ResizeObserver(fit).observe(bar);
    fit();
    return fit;
}

/**
 * @param {MenuButton & {input?: HTMLInputElement}} element @param {HTMLElement} more
 * @returns {MenuItem[]}
 */
function itemsOf(element, more) {
    const {menuItems, input} = element;
    if (menuItems)
        return [
            {
                text: labelOf(element),
                icon: iconOf(element),
                run: async () => openMenu(await menuItems(), more, labelOf(element)),
            },
        ];
    if (input && element.matches('.switch')) {
        return [
            {
                text: element.textContent?.trim(),
                about: labelOf(input),
                checked: input.checked,
                isSwitch: true,
                command: input.dataset.command,
                run: () => input.click(),
            },
        ];
    }
    if (!element.matches('button'))
        return [...element.querySelectorAll('button')].flatMap((inner) => itemsOf(inner, more));
    return [
        {
            text: labelOf(element),
            icon: iconOf(element),
            disabled: /** @type {HTMLButtonElement} */ (element).disabled,
            command: element.dataset.command,
            run: () => element.click(),
        },
    ];
}

/** @param {Element} element */
const labelOf = (element) => element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
/** @param {Element} element */
const iconOf = (element) =>
    [...(element.querySelector('svg')?.classList ?? [])].find((name) => name.startsWith('icon-'))?.slice(5);
