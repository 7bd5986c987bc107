// Where a bar is too narrow for all its commands, those that are needed least go into a menu at its end.

import {openMenu} from './menu.js';

/**
 * Keeps a bar's content within its width. Elements with data-tuck may go, the smallest number first; `more` is the
 * button of the menu that has them then. A tucked element that opens a menu has it as `menuItems`.
 */
export function keepWithin(bar, more) {
    const candidates = [...bar.querySelectorAll('[data-tuck]')].sort((a, b) => a.dataset.tuck - b.dataset.tuck);
    const fit = () => {
        for (const element of candidates) element.hidden = false;
        more.hidden = true;
        for (const element of candidates) {
            if (bar.scrollWidth <= bar.clientWidth) break;
            more.hidden = false;
            element.hidden = true;
        }
    };
    more.addEventListener('click', () => {
        const tucked = candidates.filter((element) => element.hidden).reverse();
        openMenu(
            tucked.flatMap((element) => itemsOf(element, more)),
            more,
            'More',
        );
    });
    new ResizeObserver(fit).observe(bar);
    fit();
}

function itemsOf(element, more) {
    if (element.menuItems)
        return [
            {
                text: labelOf(element),
                icon: iconOf(element),
                run: async () => openMenu(await element.menuItems(), more, labelOf(element)),
            },
        ];
    if (!element.matches('button'))
        return [...element.querySelectorAll('button')].flatMap((inner) => itemsOf(inner, more));
    return [
        {
            text: labelOf(element),
            icon: iconOf(element),
            disabled: element.disabled,
            command: element.dataset.command,
            run: () => element.click(),
        },
    ];
}

const labelOf = (element) => element.getAttribute('aria-label') ?? element.textContent.trim();
const iconOf = (element) =>
    [...(element.querySelector('svg')?.classList ?? [])].find((name) => name.startsWith('icon-'))?.slice(5);
