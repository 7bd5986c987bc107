// The Method panel: how to solve, the curve of the last solve, and several methods side by side on the same problem.

import {button, download, field, h, replace, switchOf} from '../widgets/dom.js';
import {COLORS, Plot} from '../widgets/plot.js';
import {valueText} from '../widgets/plot_scale.js';
import {AXES, CONTESTANTS, METHODS, VARIANTS, STARTS, addProgress, bestRun, outcomeOf, runsToCsv,
    seriesOf, startPose, timeText} from './method_runs.js';
import {recall, remember} from '../store/storage.js';

const USUAL_CHOSEN = ['lm', 'bfgs', 'ccd', 'jacobian/damped', 'jacobian/transpose'];

/** Numbers among the options: what they are, and what they are unless told otherwise. */
const NUMBERS = [
    {key: 'iterations', label: 'Iterations', usual: 300, low: 0, high: 1e9, isWhole: true,
        about: 'At most so many from each start'},
    {key: 'restarts', label: 'Restarts', usual: 0, low: 0, high: 1e6, isWhole: true,
        about: 'Further starts at random while not solved'},
    {key: 'seed', label: 'Seed', usual: 1, low: 0, high: 9e15, isWhole: true,
        about: 'The same seed gives the same starts'},
    {key: 'gradient_tolerance', label: 'Gradient', usual: 1e-9, low: 0, high: 1e6, isWhole: false,
        about: 'What counts as a gradient of zero'},
];
/** Those that only some methods know. */
const METHOD_NUMBERS = [
    {key: 'subgoals', label: 'Subgoals', usual: 1, low: 1, high: 10000, isWhole: true,
        about: 'Straight-line steps on the way to the goal', methods: ['jacobian']},
    {key: 'preferred', label: 'Preferred', usual: 0, low: 0, high: 1e6, isWhole: false,
        about: 'Keep near the preferred pose where goals leave room', methods: ['jacobian', 'ccd', 'fabrik']},
];
/**
 * Ways that a method has besides its usual one, by method.
 * @type {Record<string, {key: string, label: string, words: string[], about: string}>}
 */
const WAYS = {
    bfgs: {key: 'bfgs_update', label: 'Learns by', words: ['switch', 'bfgs', 'dfp'],
        about: 'How the curvature is learned: BFGS, DFP, or whichever errs less'},
    ccd: {key: 'ccd', label: 'Turns by', words: ['dof', 'axis'],
        about: 'One dof after the other, or a whole joint about one axis'},
};

/**
 * Sets an option in a draft; what is usual need not be said.
 * @param {Doc} draft @param {string} key @param {unknown} value @param {unknown} usual
 */
export function setOption(draft, key, value, usual) {
    const options = {...draft.options};
    if (value === usual) delete options[key];
    else options[key] = value;
    draft.options = options;
    if (!Object.keys(options).length) delete draft.options;
}

/** @param {HTMLElement} element @param {Store} store @param {Client} client */
export function mount(element, store, client) {
    return new MethodPanel(element, store, client);
}

class MethodPanel {
    /** @param {HTMLElement} element @param {Store} store @param {Client} client */
    constructor(element, store, client) {
        this.store = store;
        this.client = client;
        /** @type {Run[]} */
        this.runs = [];
        this.isRunning = false;
        /** @type {Set<string>} */
        this.chosen = new Set(recall('compare', USUAL_CHOSEN));
        /** @type {string} */
        this.axis = recall('compare-axis', 'iterations');
        /** @type {string} */
        this.start = recall('compare-start', 'rest');
        this.seed = 0;
        /** @type {boolean} */
        this.isLog = recall('compare-log', true);
        this.form = h('div', {class: 'method-form'});
        this.last = h('div', {class: 'plot-box is-low'});
        this.lastText = h('p', {class: 'quiet method-last'});
        this.contest = h('div', {class: 'method-contest'});
        this.chart = h('div', {class: 'plot-box'});
        this.legend = h('div', {class: 'method-legend'});
        element.append(this.form,
            h('h3', {}, 'Last solve'), this.last, this.lastText,
            h('h3', {}, 'Side by side'), this.contest, this.chart, this.legend);
        this.lastPlot = new Plot(this.last, {label: 'Objective of the last solve against iteration'});
        this.plot = new Plot(this.chart, {label: 'Objective of each method'});
        store.on('doc', () => this.docChanged());
        store.on('frame', (frame) => this.frameChanged(frame));
        this.update();
        this.frameChanged(store.frame);
    }

    docChanged() {
        const options = JSON.stringify(this.store.doc?.options ?? {});
        if (options === this.shown) return;
        this.update();
    }

    /**
     * The last solve's curve; frames of drags and of playing have none and leave it.
     * @param {PoseFrame} frame
     */
    frameChanged(frame) {
        if (!frame?.trace?.values?.length) return;
        const y = Array.from(frame.trace.values), {text} = outcomeOf({outcome: frame.outcome});
        this.lastPlot.show([{label: 'Objective', index: 0, x: y.map((_, i) => i), y}], 'Iteration');
        const {iterations, evaluations, time_us: time} = frame;
        const facts = [count(iterations, 'iteration'), count(evaluations, 'evaluation'), timeText(time)];
        this.lastText.textContent = `${text[0].toUpperCase()}${text.slice(1)}: ${valueText(frame.value)} left after `
            + `${facts.join(', ')}`;
    }

    update() {
        const {doc} = this.store, options = doc?.options ?? {}, method = options.method ?? 'lm';
        this.shown = JSON.stringify(options);
        replace(this.form, this.methodList(method), method === 'jacobian' ? this.variantField(options) : null,
            WAYS[method] ? this.wayField(WAYS[method], options) : null, this.optionFields(method, options));
        this.updateContest();
    }

    /** @param {string} method @param {SolveOptions} options */
    optionFields(method, options) {
        const numbers = [...NUMBERS, ...METHOD_NUMBERS.filter((one) => one.methods.includes(method))];
        const toUsual = () => this.edit('Usual options', (draft) => { delete draft.options; });
        /** @type {On<Event>} */
        const note = (event) => { this.isMoreOpen = event.target.open; };
        return h('details', {class: 'method-more', open: this.isMoreOpen, ontoggle: note}, h('summary', {}, 'Options'),
            h('div', {class: 'method-options'}, numbers.map((one) => this.numberField(one, options)),
                this.switchField('tracking', 'Tracking', 'Stay on the branch of the start pose: no restarts', options),
                this.switchField('keep_going', 'Keep going', 'Go on to the minimum although all is met', options),
                button({text: 'As usual', class: 'small framed', disabled: !Object.keys(options).length,
                    onclick: toUsual})));
    }

    /** @param {string} label @param {(draft: Doc) => unknown} fn */
    edit(label, fn) {
        return this.store.edit(label, fn);
    }

    /** @param {string} method */
    methodList(method) {
        /** @param {typeof METHODS[0]} one */
        const choose = (one) =>
            this.edit(`Method ${one.label}`, (draft) => setOption(draft, 'method', one.method, 'lm'));
        /** @param {typeof METHODS[0]} one */
        const radio = (one) => h('input', {type: 'radio', name: 'method', value: one.method,
            checked: one.method === method, dataset: {key: `method ${one.method}`}, onchange: () => choose(one)});
        return h('div', {role: 'radiogroup', 'aria-label': 'Method', class: 'method-list'},
            METHODS.map((one) => h('label', {class: 'method-choice'}, radio(one),
                h('span', {}, h('b', {}, one.label), h('small', {}, one.about)))));
    }

    /** @param {SolveOptions} options */
    variantField(options) {
        /** @type {On<Event>} */
        const choose = ({target: {value}}) =>
            this.edit('Jacobian variant', (draft) => setOption(draft, 'jacobian', value, 'damped'));
        const select = h('select', {class: 'entry', dataset: {key: 'variant'}, onchange: choose},
            VARIANTS.map((one) => h('option', {value: one.jacobian}, one.label)));
        select.value = options.jacobian ?? 'damped';
        return field('Variant', select);
    }

    /** @param {typeof WAYS['ccd']} of @param {SolveOptions} options */
    wayField({key, label, words, about}, options) {
        /** @type {On<Event>} */
        const choose = ({target: {value}}) => this.edit(label, (draft) => setOption(draft, key, value, words[0]));
        const select = h('select', {class: 'entry', title: about, dataset: {key}, onchange: choose},
            words.map((word) => h('option', {value: word}, word)));
        select.value = options[key] ?? words[0];
        return field(label, select);
    }

    /** @param {typeof NUMBERS[0]} of @param {SolveOptions} options */
    numberField({key, label, usual, low, high, isWhole, about}, options) {
        const now = options[key] ?? usual;
        const input = h('input', {type: 'text', inputmode: isWhole ? 'numeric' : 'decimal', class: 'entry number',
            value: String(now), title: about, autocomplete: 'off', dataset: {key: `option ${key}`, was: String(now)},
            onkeydown: (event) => { if (event.key === 'Enter') input.blur(); },
            onchange: () => {
                const value = input.value.trim() === '' ? NaN : Number(input.value.replace(',', '.'));
                const isGood = value >= low && value <= high && (!isWhole || Number.isInteger(value));
                input.setAttribute('aria-invalid', String(!isGood));
                if (isGood) this.edit(`${label} ${value}`, (draft) => setOption(draft, key, value, usual));
            }});
        return field(label, input);
    }

    /** @param {string} key @param {string} text @param {string} about @param {SolveOptions} options */
    switchField(key, text, about, options) {
        /** @param {boolean} isOn */
        const change = (isOn) =>
            this.edit(`${text} ${isOn ? 'on' : 'off'}`, (draft) => setOption(draft, key, isOn, false));
        return switchOf({text, label: `${text}: ${about}`, checked: Boolean(options[key]),
            dataset: {key: `option ${key}`}, onchange: change});
    }

    // --- side by side -----------------------------------------------------------------------------------------------

    updateContest() {
        /**
         * @param {string} label @param {string} key @param {{ id: string; label: string; }[]} list
         * @param {string} now @param {(id: string) => unknown} change
         */
        const choice = (label, key, list, now, change) => {
            const select = h('select', {class: 'entry', 'aria-label': label, title: label,
                dataset: {key: `compare ${key}`}, onchange: (event) => change(event.target.value)},
            list.map((one) => h('option', {value: one.id}, one.label)));
            select.value = now;
            return select;
        };
        const contestants = CONTESTANTS.map((one) => h('label', {class: 'check'},
            h('input', {type: 'checkbox', checked: this.chosen.has(one.id), dataset: {key: `compare ${one.id}`},
                onchange: (event) => this.choose(one.id, event.target.checked)}), h('span', {}, one.label)));
        const run = this.isRunning
            ? button({text: 'Stop', class: 'framed', dataset: {compare: 'stop', key: 'compare run'},
                onclick: () => this.stop()})
            : button({text: 'Compare', class: 'strong', disabled: !this.chosen.size,
                dataset: {compare: 'run', key: 'compare run'}, onclick: () => this.compare()});
        replace(this.contest,
            h('div', {class: 'method-contestants', role: 'group', 'aria-label': 'Methods to compare'}, contestants),
            h('div', {class: 'method-run'}, run,
                choice('Where to begin', 'start', STARTS, this.start, (id) => this.setStart(id))),
            h('div', {class: 'method-run'}, choice('Against', 'axis', AXES, this.axis, (id) => this.setAxis(id)),
                button({text: 'Log', label: 'The axis below is logarithmic', class: 'framed',
                    'aria-pressed': this.isLog, dataset: {key: 'compare log'},
                    onclick: () => this.setLog(!this.isLog)}),
                button({text: 'CSV', label: 'Copy all curves as CSV', class: 'framed',
                    disabled: !this.runs.some((one) => one?.values?.length),
                    dataset: {key: 'compare csv', compare: 'csv'}, onclick: () => this.copyCsv()})));
    }

    /** @param {string} id @param {boolean} isOn */
    choose(id, isOn) {
        if (isOn) this.chosen.add(id);
        else this.chosen.delete(id);
        remember('compare', [...this.chosen]);
        this.updateContest();
    }

    /** @param {string} id */
    setStart(id) {
        this.start = id;
        remember('compare-start', id);
    }

    /** @param {boolean} isLog */
    setLog(isLog) {
        this.isLog = isLog;
        remember('compare-log', isLog);
        this.updateContest();
        this.draw();
    }

    /** @param {string} axis */
    setAxis(axis) {
        this.axis = axis;
        remember('compare-axis', axis);
        this.draw();
    }

    draw() {
        const {label} = AXES.find((one) => one.id === this.axis) ?? AXES[0];
        this.plot.show(seriesOf(this.runs, this.axis), label, {isLogX: this.isLog});
        replace(this.legend, this.runs.length ? this.legendTable() : null);
    }

    legendTable() {
        const best = bestRun(this.runs), heads = ['Method', 'Left', 'Evals', 'Time'];
        return h('table', {}, h('thead', {}, h('tr', {}, heads.map((text) => h('th', {scope: 'col'}, text)))),
            h('tbody', {}, this.runs.flatMap((run, i) => legendRows(run, i, i === best))));
    }

    async compare() {
        const methods = CONTESTANTS.filter((one) => this.chosen.has(one.id));
        this.runs = methods.map((one) => ({...one, values: [], evaluationsAt: [], timesAt: []}));
        this.isRunning = true;
        this.updateContest();
        this.draw();
        try {
            /** @param {RunStep[]} steps */
            const onProgress = (steps) => {
                addProgress(this.runs, steps);
                this.draw();
            };
            const start = startPose(this.store.scene.figures, this.start, ++this.seed);
            const {runs} = await this.client.call('compare', {methods, start}, {onProgress});
            this.runs = runs.map((run, i) => ({...methods[i], ...run, label: methods[i].label}));
        } catch (error) {
            this.runs = this.runs.map((run) => ({...run, outcome: run.outcome ?? 'cancelled'}));
            const {cancelled, message} = /** @type {import('../store/client.js').EngineError} */ (error);
            if (!cancelled) this.store.message('error', message);
        }
        this.isRunning = false;
        this.updateContest();
        this.draw();
    }

    stop() {
        if (this.client.cancel) this.client.cancel();
        else this.client.call('cancel');
    }

    async copyCsv() {
        const text = runsToCsv(this.runs.filter(Boolean));
        try {
            await navigator.clipboard.writeText(text);
            this.store.message('info', 'The curves are in the clipboard, as comma-separated values.');
        } catch {
            download('comparison.csv', new Blob([text], {type: 'text/csv'}));
        }
    }
}

/** @param {number} n @param {string} word */
const count = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;

/**
 * A run's row, and why it could not be run at all.
 * @param {Run} run @param {number} i @param {boolean} isBest
 */
function legendRows(run, i, isBest) {
    const why = run.outcome === 'invalid' && run.explanation;
    const row = legendRow(run, i, isBest);
    return why ? [row, h('tr', {class: 'method-why'}, h('td', {colspan: '4'}, why))] : [row];
}

/** @param {Run} run @param {number} i @param {boolean} isBest */
function legendRow(run, i, isBest) {
    const {mark, tone, text} = outcomeOf(run), hasRun = run.outcome !== 'invalid';
    const value = run.value ?? run.values?.at(-1);
    return h('tr', {class: isBest ? 'is-best' : '', title: run.explanation ?? ''},
        h('th', {scope: 'row'}, h('div', {}, h('i', {class: `plot-swatch plot-${i % COLORS}`}),
            h('span', {class: 'method-name'}, run.label),
            h('span', {class: `method-outcome is-${tone}`}, `${mark} ${text}`))),
        h('td', {}, value === undefined ? '–' : valueText(value)),
        h('td', {}, hasRun ? String(run.evaluations ?? run.evaluationsAt?.at(-1) ?? '–') : '–'),
        h('td', {}, hasRun ? timeText(run.time_us ?? run.timesAt?.at(-1)) : '–'));
}
