// The timeline's own small symbols, drawn like those of widgets/icons.js.

const SVG = 'http://www.w3.org/2000/svg';

const PATHS = {
    play: 'f:M7 5l12 7-12 7z',
    pause: 'f:M7 5h3.5v14H7zM13.5 5H17v14h-3.5z',
    first: 'M6 5v14 f:M18 5L8 12l10 7z',
    back: 'M17 5v14 f:M13 6L5 12l8 6z',
    forth: 'M7 5v14 f:M11 6l8 6-8 6z',
    'back-key': 'M4 6v12 f:M14.5 6.5L20 12l-5.5 5.5L9 12z',
    'forth-key': 'M20 6v12 f:M9.5 6.5L15 12l-5.5 5.5L4 12z',
    loop: 'M17 3l3 3-3 3M4 12V9a3 3 0 0 1 3-3h13M7 21l-3-3 3-3M20 12v3a3 3 0 0 1-3 3H4',
    snap: 'M6 4v8a6 6 0 0 0 12 0V4M6 8h4M14 8h4M10 4v8a2 2 0 0 0 4 0V4M6 4h4M14 4h4',
    record: 'M12 12m-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0 f:M12 12m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0',
    ghosts: 'M9 5m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0M5 20v-6a4 4 0 0 1 8 0v6M16 4a2 2 0 0 1 0 4M16 11a4 4 0 0 1 3 4v5',
    trails: 'M4 18c4-12 6 2 10-7 1.5-3.5 4-4 6-5M4 18h.01M9 10.500h.01M14 11h.01M20 6h.01',
    key: 'f:M12 5l7 7-7 7-7-7z',
    'key-outline': 'M12 5l7 7-7 7-7-7z',
    caret: 'M7 10l5 5 5-5',
    'caret-right': 'M10 7l5 5-5 5',
    plus: 'M12 5v14M5 12h14',
    minus: 'M5 12h14',
    fit: 'M4 8V4h4M20 8V4h-4M4 16v4h4M20 16v4h-4M8 12h8',
    more: 'M5 12h.01M12 12h.01M19 12h.01',
    copy: 'M8 8h12v12H8zM16 8V4H4v12h4',
    trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v6M14 11v6',
};

/** @param {keyof typeof PATHS} name */
export function symbol(name) {
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', '0 0 24 24');
    svg.setAttribute('class', 'icon');
    svg.setAttribute('aria-hidden', 'true');
    for (const part of PATHS[name].split(' f:').flatMap((piece, i) => (i ? [`f:${piece}`] : [piece]))) {
        const path = document.createElementNS(SVG, 'path');
        const isFilled = part.startsWith('f:');
        path.setAttribute('d', isFilled ? part.slice(2) : part);
        if (isFilled) path.setAttribute('class', 'filled');
        svg.append(path);
    }
    return svg;
}
