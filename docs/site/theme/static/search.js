// The search of the manual, in the page. Sections are ranked by BM25 over their text, their titles, and what links of
// other pages call them; guides come before references. Words count without their endings, in British or American
// spelling; what nobody wrote is taken for the nearest word that somebody did.
'use strict';

(() => {
    const SATURATION = 1.2; // k1 of BM25: how soon more of the same word says nothing new
    const LENGTH = 0.6; // b of BM25: how much longer sections are marked down
    const TITLE = 4; // a word in the title of a section counts as so many in its text
    const PAGE_TITLE = 3; // so one in the title of its page
    const CALLED = 2; // so one in a link that leads there
    const BEGINNING = 1; // so much more a word among the first of a section
    const BEGINNING_WORDS = 40;
    const PHRASE = 0.5; // all words side by side count so much more
    const NAMED = 2; // a section whose name was asked for, and nothing else, counts so much more
    const VERBATIM = 0.5; // and so much more yet where it was asked for word by word
    const IDENTIFIER = 4; // so much more the declaration of the name that was typed
    const OTHER = 0.7; // a word of the manual for one that was asked for counts so much of it
    const GUESSED = 0.8; // and so much a word that is spelled nearly so
    const MISSING = 2; // the share of the question that a section has, to this power
    const TOP = 1.3; // the beginning of a page, which says what it is about
    const SHOWN = 30;
    const STOP = new Set((
        'a about am an and any are as at be by can could did do does doesn don for from get give has ' +
        'have how i if in is it its make me my need of on or please s should so t that the their them ' +
        'there this to use using want was way what when where which who will with would you'
    ).split(' '));
    const ENDINGS = ['ational', 'isations', 'isation', 'ations', 'ation', 'ability', 'ibility', 'arity', 'ar', 'ments',
        'ment', 'ators', 'ator', 'ated', 'ates', 'ate', 'ating', 'able', 'ible', 'ings', 'ing', 'ions', 'ion', 'isers',
        'iser', 'ises', 'ised', 'ise', 'ical', 'ics', 'ic', 'ers', 'er', 'ed', 'es', 'ly', 's', 'e'];

    /** The words of a text, in small letters; options keep their dashes, and count as their words, too. */
    function split(text) {
        const found = [];
        for (const word of text.toLowerCase().match(/--[a-z][a-z-]+|[a-z]+:\/\/|[a-z0-9_]+/g) ?? []) {
            found.push(word);
            if (/[-:]/.test(word)) found.push(...word.match(/[a-z]+/g));
        }
        return found;
    }

    const stems = new Map();

    /** A word as it is compared: British, without the endings of English, the last letter not doubled. */
    function stem(word) {
        let made = stems.get(word);
        if (made === undefined) stems.set(word, made = makeStem(word));
        return made;
    }

    function makeStem(word) {
        if (/[_0-9:-]/.test(word)) return word;
        word = word.replace(/yz/, 'ys').replace(/iz(?=e|ing|ation)/, 'is').replace(/our(?=s?$|ed$|ing$)/, 'or')
            .replace(/t(?:re|er)(?=s?$)/, 'ter').replace(/^licens/, 'licenc').replace(/ie[sd]$/, 'y');
        if (word.length < 5) {
            return word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word;
        }
        const ending = ENDINGS.find((some) => word.endsWith(some) && word.length - some.length >= 4);
        if (ending) word = word.slice(0, -ending.length);
        else if (/[^s]s$/.test(word)) word = word.slice(0, -1);
        return word.replace(/([^aeiou])\1$/, '$1');
    }

    const words = (text) => split(text).map(stem);

    /** The words of a question or name that say something: all, if none does. */
    function telling(list) {
        const kept = list.filter((word) => !STOP.has(word));
        return kept.length ? kept : list;
    }

    /** Changes of a letter (left out, put in, put for another, or swapped with the next) between words; more than most
     * counts as more. */
    function distance(a, b, most) {
        if (Math.abs(a.length - b.length) > most) return most + 1;
        let before = [];
        let last = Array.from({length: b.length + 1}, (_, j) => j);
        for (let i = 1; i <= a.length; i++) {
            const row = [i];
            for (let j = 1; j <= b.length; j++) {
                row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
                if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
                    row[j] = Math.min(row[j], before[j - 2] + 1);
                }
            }
            [before, last] = [last, row];
        }
        return last[b.length];
    }

    /** Words of the manual for a word of other people. */
    const synonyms = new Map((window.limberSynonyms ?? []).flatMap(([asked, meant]) =>
        asked.map((word) => [stem(word), meant.map(stem)])));

    function count(counts, list, times) {
        for (const word of list) counts.set(word, (counts.get(word) ?? 0) + times);
    }

    function prepareSection([page, anchor, title, pageTitle, text, links, weight]) {
        const body = words(text);
        const own = words(title);
        const counts = new Map();
        count(counts, body, 1);
        count(counts, body.slice(0, BEGINNING_WORDS), BEGINNING);
        count(counts, own, TITLE);
        if (title !== pageTitle) count(counts, words(pageTitle), PAGE_TITLE);
        for (const link of links) count(counts, words(link), CALLED);
        // A title before a colon is a name, too: "Paths: along a line".
        const names = [title, title.split(':')[0], ...links].map((name) => words(name.replace(/^[0-9]+\. /, '')));
        const isReference = weight < 0.6;
        return {page, anchor, title, pageTitle, text, counts,
            names: names.map(telling), verbatim: names.map((name) => name.join(' ')), isReference,
            declared: isReference ? [title, ...links].map((name) => name.toLowerCase()) : [],
            length: body.length + own.length, weight: weight * (anchor ? 1 : TOP),
            joined: ` ${own.join(' ')} . ${body.join(' ')} `};
    }

    /** All sections, and every word that somebody wrote with the number of sections whose words it counts among. */
    function prepare() {
        const sections = window.limberSearch.map(prepareSection);
        const having = new Map();
        for (const section of sections) count(having, section.counts.keys(), 1);
        const written = new Set();
        for (const {title, text} of sections) for (const word of split(`${title} ${text}`)) written.add(word);
        const named = new Set(window.limberSearch.flatMap(([, , title, , , links]) =>
            split(`${title} ${links.join(' ')}`)));
        const mean = sections.reduce((sum, section) => sum + section.length, 0) / sections.length;
        return {sections, having, written, named, mean};
    }

    function rarity(book, word) {
        const having = book.having.get(word) ?? 0;
        return Math.log(1 + (book.sections.length - having + 0.5) / (having + 0.5));
    }

    /** A word, or where nobody wrote it, the words that it is made of, if somebody wrote those: trac_ik, keyframe. */
    function parts(book, word) {
        const isKnown = (some) => book.having.has(stem(some)) || synonyms.has(stem(some));
        if (isKnown(word)) return [word];
        const pieces = word.match(/[a-z0-9]+/g);
        if (pieces.length > 1 && pieces.every(isKnown)) return pieces;
        for (let i = 3; i <= word.length - 3; i++) {
            const halves = [word.slice(0, i), word.slice(i)];
            if (halves.every(isKnown)) return halves;
        }
        return [word];
    }

    /** The words nearest to one that nobody wrote: a letter or two away, or those it begins. */
    function guess(book, word) {
        if (word.length < 4) return [];
        const most = word.length > 7 ? 2 : 1;
        for (let changes = 1; changes <= most; changes++) {
            const near = [...book.written].filter((other) => distance(word, other, most) === changes);
            if (near.length) return near;
        }
        return [...book.written].filter((other) => other.startsWith(word));
    }

    /** What a word that is being typed may become: words of titles and links; first those that some name has with the
     * words before it, then the most usual. The program's own name is on every page, and tells nothing. */
    function complete(book, word, before) {
        const others = before.map(stem);
        const names = book.sections.flatMap((section) => section.names)
            .filter((name) => others.every((other) => name.includes(other)));
        const own = stem('limber');
        const usual = (other) => (other === word ? Infinity
            : (stem(other) === own ? 0 : book.having.get(stem(other)) ?? 0)
            + (names.some((name) => name.includes(stem(other))) ? book.sections.length : 0));
        return [...book.named].filter((other) => other.startsWith(word))
            .map((other) => [usual(other), other]).sort(([a], [b]) => b - a).slice(0, 5).map(([, other]) => other);
    }

    /** A word of a question as all words that may answer it, each with how much it counts. */
    function understand(book, word, before) {
        const made = stem(word);
        const known = new Map();
        const completions = before ? complete(book, word, before) : [];
        for (const other of completions) known.set(stem(other), other === completions[0] ? 1 : GUESSED);
        if (book.having.has(made)) known.set(made, 1);
        for (const other of synonyms.get(made) ?? []) if (!known.has(other)) known.set(other, OTHER);
        const guesses = known.size ? [] : [...new Set(guess(book, word))];
        for (const other of guesses) {
            known.set(stem(other), GUESSED);
            for (const meant of synonyms.get(stem(other)) ?? []) known.set(meant, known.get(meant) ?? GUESSED * OTHER);
        }
        const terms = [...known].map(([some, factor]) => ({word: some, factor, rarity: rarity(book, some)}));
        return {word, terms, guesses: completions.length ? completions.slice(0, 1) : guesses,
            worth: Math.max(0, ...terms.map((term) => term.rarity))};
    }

    /** What a word of the question says for a section. */
    function weigh(section, {terms}, mean) {
        const length = 1 - LENGTH + (LENGTH * section.length) / mean;
        let best = 0;
        for (const {word, factor, rarity: rare} of terms) {
            const times = section.counts.get(word) ?? 0;
            best = Math.max(best, (factor * rare * times * (SATURATION + 1)) / (times + SATURATION * length));
        }
        return best;
    }

    /** How far the question is one of the section's names, 0 to 1 (Dice's coefficient), and more where it is so word by
     * word. */
    function likeness(section, query, full) {
        if (section.isReference) return 0;
        if (section.verbatim.includes(full)) return 1 + VERBATIM;
        let best = 0;
        for (const name of section.names) {
            const common = name.filter((word) => query.includes(word)).length;
            best = Math.max(best, (2 * common) / (name.length + query.length));
        }
        return best;
    }

    /** How well a section answers. */
    function score(book, section, asked, {query, full, typed}) {
        let sum = 0;
        let met = 0;
        let all = 0;
        for (const word of asked) {
            const weight = weigh(section, word, book.mean);
            sum += weight;
            all += word.worth;
            if (weight) met += word.worth;
        }
        if (!sum) return 0;
        sum *= (met / all) ** MISSING;
        sum *= 1 + NAMED * likeness(section, query, full) ** 2;
        if (query.length > 1 && section.joined.includes(` ${full} `)) sum *= 1 + PHRASE;
        if (/^\S*[_.-]\S*$/.test(typed) && section.declared.some((name) => name.endsWith(typed))) sum *= 1 + IDENTIFIER;
        return sum * section.weight;
    }

    /** The sections that answer a question, best first, and what it was taken for where nobody wrote its words. */
    function find(book, text, isTyping = false) {
        const last = isTyping ? /[a-z][a-z0-9_]+$/.exec(text.toLowerCase())?.[0] : null; // a word that may go on
        const typedWords = [...new Set(telling(split(text))
            .flatMap((word) => (word === last ? [word] : parts(book, word))))];
        const asked = typedWords
            .map((word) => understand(book, word, word === last && typedWords.filter((other) => other !== last)))
            .filter(({terms}) => terms.length);
        const query = asked.flatMap(({word, guesses}) => (guesses.length ? guesses.slice(0, 2) : [word])).map(stem);
        const corrected = new Map(asked.filter(({guesses}) => guesses.length === 1)
            .map(({word, guesses}) => [word, guesses[0]]));
        const full = split(text).map((word) => stem(corrected.get(word) ?? word)).join(' ');
        const typed = text.toLowerCase().split(' ').map((word) => corrected.get(word) ?? word).join(' ');
        const found = book.sections.map((section) => [score(book, section, asked, {query, full, typed}), section])
            .filter(([value]) => value > 0).sort((a, b) => b[0] - a[0]);
        // What has little of the question is left out where something has all of it.
        const least = found.length ? found[0][0] / 20 : 0;
        return {sections: found.filter(([value]) => value >= least).map(([, section]) => section),
            guessed: asked.filter(({guesses}) => guesses.length).map(({word, guesses}) => [word, guesses])};
    }

    /** The text around the first place with most of the words that were asked for. */
    function excerpt(section, query) {
        const wanted = new Set(telling(words(query)).flatMap((word) => [word, ...(synonyms.get(word) ?? [])]));
        const hits = [...section.text.matchAll(/[A-Za-z0-9_]+/g)]
            .filter(([word]) => wanted.has(stem(word.toLowerCase()))).map(({index}) => index);
        const within = (place) => hits.filter((hit) => hit >= place && hit < place + 140).length;
        const best = hits.reduce((most, hit) => (within(hit) > within(most) ? hit : most), hits[0] ?? 0);
        const start = best > 60 ? section.text.indexOf(' ', best - 60) + 1 : 0;
        const whole = section.text.length;
        const end = whole > start + 220 ? section.text.lastIndexOf(' ', start + 220) : whole;
        return (start ? '… ' : '') + section.text.slice(start, end) + (end < whole ? ' …' : '');
    }

    function headline(query, {sections, guessed}) {
        if (!query) return 'Type into the field above.';
        const many = `${sections.length || 'No'} section${sections.length === 1 ? '' : 's'} for “${query}”`;
        const taken = guessed.map(([word, guesses]) => `“${word}” is taken for “${guesses.slice(0, 3).join('”, “')}”`);
        return [sections.length > SHOWN ? `${many}, the best ${SHOWN} of them` : many, ...taken].join('; ') + '.';
    }

    /** Where a section is, and what it is called. */
    const place = ({page, anchor}) => page + (anchor ? `#${anchor}` : '');
    const called = ({title, pageTitle}) => (title === pageTitle ? title : `${pageTitle} › ${title}`);

    function show(query, found) {
        document.getElementById('search-count').textContent = headline(query, found);
        const list = document.getElementById('search-results');
        for (const section of found.sections.slice(0, SHOWN)) {
            const item = document.createElement('li');
            const link = document.createElement('a');
            link.href = place(section);
            link.textContent = called(section);
            const text = document.createElement('p');
            text.textContent = excerpt(section, query);
            item.append(link, text);
            list.append(item);
        }
    }

    let book = null;
    /** For the field of every page: the first answers to a question, as [where, what it is called]. */
    window.limberFind = (text, most) => find(book ??= prepare(), text, true).sections.slice(0, most)
        .map((section) => [place(section), called(section)]);

    if (document.getElementById('search-results')) {
        const query = (new URLSearchParams(location.search).get('q') ?? '').trim();
        document.querySelector('.bar input').value = query;
        show(query, query ? find(book ??= prepare(), query) : {sections: [], guessed: []});
    }
})();
