// The page's own icons: strokes on a grid of 24, and the little sign of each state (which differ by shape, not only by
// colour).

const SVG = 'http://www.w3.org/2000/svg';

/** @type {Record<string, string>} */
const PATHS = {
    file: 'M6 3h8l4 4v14H6zM14 3v4h4',
    open: 'M3 19V6h6l2 2h8v3M3 19l3-8h16l-3 8z',
    save: 'M5 3h11l3 3v15H5zM8 3v6h7V3M8 21v-7h8v7',
    down: 'M12 4v11M7 11l5 5 5-5M5 20h14',
    link: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1-1',
    undo: 'M4 9h10a5 5 0 0 1 0 10H8M8 5L4 9l4 4',
    redo: 'M20 9H10a5 5 0 0 0 0 10h6M16 5l4 4-4 4',
    history: 'M4 12a8 8 0 1 0 2.5-5.8M4 4v4h4M12 8v4l3 2',
    caret: 'M7 10l5 5 5-5',
    drag: 'M12 3v18M3 12h18M12 3l-3 3M12 3l3 3M12 21l-3-3M12 21l3-3M3 12l3-3M3 12l3 3M21 12l-3-3M21 12l-3 3',
    turn: 'M20 12a8 8 0 1 1-3-6.2M20 3v4h-4',
    pin: 'M9 4h6l-1 6 3 3H7l3-3zM12 13v8',
    goal:
        'M12 12m-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0M12 12m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0M12 2v4'
            + 'M12 18v4M2 12h4M18 12h4',
    plus: 'M12 5v14M5 12h14',
    minus: 'M5 12h14',
    eye: 'M2 12s4-6.5 10-6.5S22 12 22 12s-4 6.5-10 6.5S2 12 2 12M12 12m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0',
    mirror: 'M12 3v18M9 7L3 17h6zM15 7l6 10h-6z',
    reset: 'M5 12a7 7 0 1 1 2 5M5 20v-4h4',
    balance: 'M12 4v16M8 20h8M5 7h14M5 7l-3 6h6zM19 7l-3 6h6z',
    reach:
        'M4 20a14 14 0 0 1 16-16M4 20l6-6M4 20m-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0M10 9h.01M15 8h.01M9 14h.01'
            + 'M14 13h.01M19 9h.01',
    solutions: 'M6 21L3 12l9-7M6 21l9-6-3-10M12 5m-1.6 0a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0-3.2 0M3 21h6',
    before: 'M14 6l-6 6 6 6',
    after: 'M10 6l6 6-6 6',
    sun:
        'M12 12m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19'
            + 'M19 5l-1.5 1.5M6.5 17.5L5 19',
    moon: 'M20 14A8 8 0 1 1 10 4a7 7 0 0 0 10 10z',
    system: 'M3 5h18v11H3zM8 20h8M12 16v4',
    help: 'M12 12m-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.4-1 .9-1 1.7M12 17h.01',
    side: 'M3 5h18v14H3zM15 5v14',
    timeline: 'M3 7h18M3 17h18M7 7v10M14 4v16',
    close: 'M6 6l12 12M18 6L6 18',
    more:
        'M5 12m-.8 0a.8 .8 0 1 0 1.6 0a.8 .8 0 1 0-1.6 0M12 12m-.8 0a.8 .8 0 1 0 1.6 0a.8 .8 0 1 0-1.6 0'
            + 'M19 12m-.8 0a.8 .8 0 1 0 1.6 0a.8 .8 0 1 0-1.6 0',
    trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v6M14 11v6',
    lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
    unlock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 6.8-1.2',
    root: 'M12 3v9M12 12l-6 8M12 12l6 8M12 12v9',
    camera: 'M4 8h4l2-3h4l2 3h4v11H4zM12 13m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0',
    play: 'M7 5l12 7-12 7z',
    solve: 'M4 18c5 0 5-12 9-12M13 6l-3-2M13 6l-2 3M15 14l2 2 4-5',
    error: 'M12 12m-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 7v6M12 16.5h.01',
    warning: 'M12 4L2.5 20h19zM12 10v5M12 17.5h.01',
    info: 'M12 12m-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 11v6M12 7.5h.01',
    hand:
        'M7 12V6a1.5 1.5 0 0 1 3 0v5M10 11V4.5a1.5 1.5 0 0 1 3 0V11M13 11V5.5a1.5 1.5 0 0 1 3 0V12' +
        'M16 12V8.5a1.5 1.5 0 0 1 3 0V15c0 4-2.5 6-6 6-3 0-4.5-1-6-3.5L4.5 14c-1-1.8 1-3 2.5-1.5',
    human: 'M12 5m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0M12 8v7M6 9.5l6-1 6 1M12 15l-3 6M12 15l3 6',
    robot: 'M6 21h8M10 21v-5M10 16l-4-6M6 10l8-4M14 6l4 3M18 9v3',
    group: 'M4 6h16M4 12h10M4 18h7',
    met: 'M5 12.5l4.5 4.5L19 7',
    unmet: 'M12 4.5L21 19.5H3zM12 10v4M12 16.8h.01',
    idle: 'M12 12m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0',
    off: 'M12 12m-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0M7 17L17 7',
    position: 'M12 4v16M4 12h16M12 12m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0',
    orientation: 'M6 18V5M6 18h13M6 18l7-7M6 5L4 8M6 5l2 3M19 18l-3-2M19 18l-3 2',
    frame: 'M6 18V5M6 18h13M6 18m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0',
    aim: 'M4 12h10M14 12l-3-2.5M14 12l-3 2.5M19 12m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0',
    line: 'M4 20L20 4M12 12m-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0',
    plane: 'M3 16l6-8h12l-6 8z',
    'half-space': 'M3 17l6-6h12l-6 6zM12 12V4M12 4l-2.5 2.5M12 4l2.5 2.5',
    box: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
    sphere: 'M12 12m-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0M4 12a8 3 0 0 0 16 0',
    capsule: 'M8 8a4 4 0 0 1 8 0v8a4 4 0 0 1-8 0z',
    circle: 'M3 12a9 4.5 0 1 0 18 0a9 4.5 0 1 0-18 0',
    disc: 'M3 12a9 4.5 0 1 0 18 0a9 4.5 0 1 0-18 0M6 12h12M8 14.5h8M8 9.5h8',
    polyhedron: 'M12 3l8 6-3 11H7L4 9zM12 3v9M12 12l8-3M12 12L4 9M12 12l5 8M12 12l-5 8',
    avoid: 'M12 12m-8.5 0a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0M6 18L18 6',
    keep: 'M7 4h10v16l-5-4-5 4z',
};

/**
 * An icon by name, hidden from screen readers: what it stands on has a label.
 * @param {string} name @param {string | null} [title]
 */
export function icon(name, title = null) {
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', '0 0 24 24');
    svg.setAttribute('class', `icon icon-${name}`);
    if (title) {
        svg.setAttribute('role', 'img');
        svg.setAttribute('aria-label', title);
    } else {
        svg.setAttribute('aria-hidden', 'true');
    }
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', PATHS[name] ?? PATHS.idle);
    svg.append(path);
    return svg;
}

export const ICON_NAMES = Object.keys(PATHS);
