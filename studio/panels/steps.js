// The introduction's three steps, with a small drawing each.

import {byHand} from '../touch.js';

const SVG = 'http://www.w3.org/2000/svg';

/** Draws strokes: [class, path] each. */
function drawing(parts) {
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', '0 0 230 140');
    svg.setAttribute('aria-hidden', 'true');
    for (const [kind, d] of parts) {
        const path = document.createElementNS(SVG, 'path');
        path.setAttribute('d', d);
        path.setAttribute('class', kind);
        svg.append(path);
    }
    return svg;
}

const ring = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
const body = (dx) => [
    ['', `${ring(96 + dx, 26, 9)}M${96 + dx} 37L90 78`],
    ['', 'M90 78L80 106L78 132M90 78L104 105L104 132'],
    ['soft', `M${95 + dx} 44L78 62L74 84`],
];

export const STEPS = [
    {
        title: 'Drag a part',
        text:
            'Point at a hand, a foot, the head, any part, and pull. The whole body follows within the limits of its ' +
            'joints. ' +
            byHand(
                'Turn the wheel while dragging to say how many joints may help.',
                'Beside the figure one finger turns the view, two shift it and bring it closer.',
            ),
        picture: () =>
            drawing([
                ...body(4),
                ['', 'M100 44L126 52L152 44'],
                ['solid', ring(152, 44, 5)],
                ['met', 'M160 40l26 -10m-9 -3l9 3l-5 8'],
            ]),
    },
    {
        title: 'Pin and aim',
        text:
            byHand(
                'Press P to pin what is picked: feet, hands, the pelvis. Press A for goals of every kind: reach, look ',
                'Tap a part and pin it: feet, hands, the pelvis. Or give it goals of every kind: reach, look ',
            ) + 'at, hold level, stay in a region, avoid. Drag the goals themselves.',
        picture: () =>
            drawing([
                ...body(0),
                ['', 'M95 44L122 50L140 70'],
                ['met', ring(152, 82, 12)],
                ['met', 'M152 64v36M134 82h36'],
                ['solid', ring(78, 132, 4)],
                ['solid', ring(104, 132, 4)],
                ['soft', 'M60 136h70'],
            ]),
    },
    {
        title: 'See what blocks',
        text:
            'Out of reach? The line shows how far, the status line below names the joint in the way. Undo takes back ' +
            `anything; ${byHand('? shows all keys', 'Help has the rest')}. Nothing leaves this page.`,
        picture: () =>
            drawing([
                ...body(6),
                ['', 'M102 44L130 48L158 46'],
                ['unmet', 'M164 46h6m5 0h6m5 0h6'],
                ['unmet', ring(200, 46, 6)],
                ['unmet', 'M130 40a10 10 0 0 1 8 8'],
            ]),
    },
];
