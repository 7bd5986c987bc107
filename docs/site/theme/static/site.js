// The switch between light, dark and the system's choice, which is kept; the contents on a phone; where the reader is
// on the page; answers below the search's field while one types.
'use strict';

const THEMES = ['system', 'light', 'dark'];

function storedTheme() {
    try {
        return localStorage.getItem('limber-theme') ?? 'system';
    } catch {
        return 'system'; // a browser that keeps nothing
    }
}

function setTheme(theme) {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    try {
        localStorage.setItem('limber-theme', theme);
    } catch {
        // it holds for this page alone
    }
}

setTheme(storedTheme());

document.addEventListener('DOMContentLoaded', () => {
    const button = document.getElementById('theme');
    const name = () => (document.documentElement.dataset.theme ?? 'system');
    const show = () => {
        const [sign, word] = {system: ['◐', 'Auto'], light: ['☀', 'Light'], dark: ['☾', 'Dark']}[name()];
        const shown = document.createElement('span');
        shown.textContent = ` ${word}`;
        button.replaceChildren(sign, shown);
        button.setAttribute('aria-label', `Colours: ${word}`);
        button.title = 'Colours: as the system has them, light or dark';
    };
    button.addEventListener('click', () => {
        setTheme(THEMES[(THEMES.indexOf(name()) + 1) % THEMES.length]);
        show();
    });
    show();

    const menu = document.getElementById('menu');
    const contents = document.getElementById('contents');
    menu.addEventListener('click', () => {
        menu.setAttribute('aria-expanded', String(contents.classList.toggle('open')));
    });
    // The page that is shown is in view among the contents.
    const current = contents.querySelector('.current');
    if (current && current.offsetTop > contents.clientHeight - 80) {
        contents.scrollTop = current.offsetTop - contents.clientHeight / 2;
    }
    // What scrolls sideways can be reached by the keyboard.
    for (const box of document.querySelectorAll('pre, article table')) {
        if (box.scrollWidth > box.clientWidth) {
            box.tabIndex = 0;
            box.classList.add('wide'); // of a table the first column stays in view
        }
    }
    keepTab();
    followReader();
    suggest(document.querySelector('.bar form'));
});

/** The language that was chosen in tabs, on this page or another, is shown where there is a choice. */
function keepTab() {
    const labels = [...document.querySelectorAll('.tab-set > label')];
    let wanted = null;
    try {
        wanted = localStorage.getItem('limber-tab');
    } catch {
        // a browser that keeps nothing
    }
    for (const label of labels) {
        if (label.textContent === wanted) label.previousElementSibling.checked = true;
        label.addEventListener('click', () => {
            try {
                localStorage.setItem('limber-tab', label.textContent);
            } catch {
                // it holds for this page alone
            }
        });
    }
}

/** Marks, among the headings at the right, the one that is being read. */
function followReader() {
    const links = new Map([...document.querySelectorAll('nav.page a[href^="#"]')]
        .map((link) => [link.getAttribute('href').slice(1), link]));
    const headings = [...document.querySelectorAll('article section[id]')].filter(({id}) => links.has(id));
    const mark = () => {
        const above = headings.filter((one) => one.getBoundingClientRect().top < 120);
        for (const link of links.values()) link.removeAttribute('aria-current');
        if (above.length) links.get(above[above.length - 1].id).setAttribute('aria-current', 'true');
    };
    if (headings.length > 1) {
        addEventListener('scroll', mark, {passive: true});
        mark();
    }
}

/** Loads a script of the site once; resolves when it has run. */
function loadScript(root, name) {
    return new Promise((done) => {
        const script = document.createElement('script');
        script.src = `${root}_static/${name}`;
        script.addEventListener('load', done);
        document.head.append(script);
    });
}

/**
 * The first answers below the field, while one types; arrows choose, Enter opens, Escape closes. `/` goes to the
 * field.
 */
function suggest(form) {
    const MOST = 7;
    const input = form.querySelector('input');
    const list = document.getElementById('suggestions');
    const root = form.getAttribute('action').replace(/[^/]*$/, ''); // the way to the site's first folder
    let chosen = -1;
    let ready = null;
    const load = () => (ready ??= (window.limberFind ? Promise.resolve()
        : loadScript(root, 'search-index.js').then(() => loadScript(root, 'search.js'))));

    const choose = (number) => {
        const options = [...list.children];
        chosen = options.length ? (number + options.length + 1) % (options.length + 1) : -1;
        if (chosen === options.length) chosen = -1;
        options.forEach((option, i) => option.setAttribute('aria-selected', String(i === chosen)));
        if (chosen >= 0) input.setAttribute('aria-activedescendant', options[chosen].id);
        else input.removeAttribute('aria-activedescendant');
    };
    const close = () => {
        list.hidden = true;
        input.setAttribute('aria-expanded', 'false');
        choose(-1);
    };
    const show = async () => {
        await load();
        const text = input.value.trim();
        const found = text.length > 1 ? window.limberFind(text, MOST) : [];
        list.replaceChildren(...found.map(([where, name], i) => {
            const option = document.createElement('li');
            const link = document.createElement('a');
            link.href = root + where;
            link.tabIndex = -1;
            link.textContent = name;
            option.id = `suggestion-${i}`;
            option.setAttribute('role', 'option');
            option.append(link);
            return option;
        }));
        chosen = -1;
        list.hidden = !found.length;
        input.setAttribute('aria-expanded', String(!list.hidden));
    };

    input.addEventListener('focus', load);
    input.addEventListener('input', show);
    input.addEventListener('keydown', (event) => {
        if (event.key === 'Escape') close();
        if (list.hidden || !['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key)) return;
        if (event.key === 'Enter') {
            if (chosen < 0) return; // the page with all that was found
            list.children[chosen].firstChild.click();
            close();
        } else {
            choose(chosen < 0 && event.key === 'ArrowUp' ? list.children.length - 1
                : chosen + (event.key === 'ArrowDown' ? 1 : -1));
        }
        event.preventDefault();
    });
    list.addEventListener('click', close);
    form.addEventListener('focusout', (event) => {
        if (!form.contains(event.relatedTarget)) close();
    });
    document.addEventListener('keydown', (event) => {
        if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey
            || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) {
            return;
        }
        event.preventDefault();
        input.focus();
    });
}
