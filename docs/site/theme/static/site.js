// The switch between light, dark and the system's choice, which is kept; the contents on a phone.
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
        button.textContent = {system: '◐ Auto', light: '☀ Light', dark: '☾ Dark'}[name()];
        button.setAttribute('aria-label', `Colours: ${button.textContent.slice(2)}`);
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
    if (current && current.offsetTop > contents.clientHeight - 80) contents.scrollTop = current.offsetTop - contents.clientHeight / 2;
    // What scrolls sideways can be reached by the keyboard.
    for (const box of document.querySelectorAll('pre, article table')) {
        if (box.scrollWidth > box.clientWidth) {
            box.tabIndex = 0;
            box.classList.add('wide'); // of a table the first column stays in view
        }
    }
});
