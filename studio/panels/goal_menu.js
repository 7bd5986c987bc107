// The menu of what can be asked of the picked part: every kind of goal, at one of its sites or at the picked point.

import * as actions from '../actions/actions.js';
import {effectorsOf} from '../document/effectors.js';
import {spoken} from '../document/names.js';
import {GOAL_KINDS, OBSTACLE_KINDS, kindNamed} from '../document/goal_kinds.js';
import {openMenu} from '../widgets/menu.js';
import {byHand} from '../input/touch.js';

/** The end-effector that goals are put on: chosen in the menu, until another part is picked. */
/** @type {{part: string | null, index: number}} */
let chosen = {part: null, index: 0};

/**
 * The items of the menu for what is picked.
 * @param {Store} store
 */
export function goalMenu(store) {
    const part = actions.pickedPart(store);
    if (!part) {
        return [
            {heading: byHand('Pick a part first: click it in the view', 'Pick a part first: tap it in the view')},
            {
                text: 'Balance',
                about: 'the centre of mass over the feet',
                icon: 'balance',
                goal: 'balance',
                run: () => actions.setBalance(store, true),
            },
            {
                text: 'Look at',
                about: 'the eyes at the picked point',
                icon: 'eye',
                goal: 'look',
                run: () => actions.lookAt(store),
            },
        ];
    }
    const choices = effectorsOf(store.scene, store.frame, part, store.picked);
    const key = `${part.figure}:${part.name}:${part.site?.name}:${store.picked?.point}`;
    if (chosen.part !== key) chosen = {part: key, index: 0};
    const choice = choices[chosen.index] ?? choices[0];
    return [
        {heading: `On ${spoken(part.name)}, at ${spoken(choice.label)}`},
        ...(choices.length > 1
            ? [{text: 'At another point …', icon: 'position', run: () => openSites(store, choices, key)}]
            : []),
        {rule: true},
        ...GOAL_KINDS.map(({kind, title, about}) => ({
            text: title,
            about,
            icon: kind,
            goal: kind,
            run: () => actions.addGoal(store, kind, choice),
        })),
        {rule: true},
        {
            text: 'Pin',
            about: 'hold it where it is',
            icon: 'pin',
            key: 'P',
            goal: 'pin',
            run: () => actions.togglePin(store),
        },
        {
            text: 'Keep',
            about: 'stay where the start pose has it',
            icon: 'keep',
            goal: 'keep',
            run: () => actions.addKeep(store),
        },
        {
            text: 'Avoid an obstacle …',
            about: 'the shapes of this part stay out of it',
            icon: 'avoid',
            goal: 'avoid',
            run: () => openObstacles(store),
        },
        {
            text: 'Avoid other parts …',
            about: 'keep this part out of others',
            icon: 'avoid',
            goal: 'avoid-others',
            run: () => openParts(store, part),
        },
        {
            text: 'Balance',
            about: 'the centre of mass over the feet',
            icon: 'balance',
            goal: 'balance',
            run: () => actions.setBalance(store, true),
        },
    ];
}

/** @param {Store} store @param {EffectorChoice[]} choices @param {string} part */
function openSites(store, choices, part) {
    const items = choices.map(({label, at}, index) => ({
        text: spoken(label),
        about: at.position.map((value) => value.toFixed(2)).join(', ') + ' m',
        checked: index === chosen.index,
        run: () => {
            chosen = {part, index};
            openMenu(goalMenu(store), anchor(store), 'Add a goal');
        },
    }));
    openMenu(items, anchor(store), 'Point of the part');
}

/** @param {Store} store */
function openObstacles(store) {
    openMenu(
        OBSTACLE_KINDS.map((kind) => ({
            text: kindNamed(kind).title,
            icon: kind,
            goal: `avoid-${kind}`,
            run: () => actions.addAvoid(store, {kind}),
        })),
        anchor(store),
        'Obstacle',
    );
}

/** @param {Store} store @param {PartChoice} part */
function openParts(store, part) {
    const figure = store.scene.figures[part.figure];
    const others = figure.segments.filter(
        (segment, index) => index !== part.segment && figure.shapes.some((shape) => shape.segment === index),
    );
    const prefix = store.scene.figures.length > 1 ? `${figure.name}:` : '';
    openMenu(
        others.map(({name}) => ({
            text: spoken(name),
            icon: 'avoid',
            run: () => actions.addAvoid(store, {others: /** @type {any} */ ([prefix + name])}), // any: names, or null
        })),
        anchor(store),
        'Part to avoid',
    );
}

/** @param {{home: Home}} of */
const anchor = ({home}) =>
    /** @type {HTMLElement} */ (home.root.querySelector('#bar [data-command="add-goal"]'));
