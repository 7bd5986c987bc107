// The search of the manual, in the page: sections ranked by BM25, words of titles counting more, guides before
// references.
'use strict';

(() => {
    const SATURATION = 1.2; // k1 of BM25: how soon more of the same word says nothing new
    const LENGTH = 0.6; // b of BM25: how much longer sections are marked down
    const TITLE = 4; // a word in the title of a section or page counts as so many in its text
    const PHRASE = 1.5; // all words side by side
    const COVER = 1; // a title that is asked for whole, and nothing else, counts twice
    const OTHER = 0.7; // a word of the manual for one that was asked for counts so much of it
    const TOP = 1.3; // the beginning of a page, which says what it is about
    const SHOWN = 30;
    const STOP = new Set('a an and are be by do for how i in is it not of on or the to what with'.split(' '));

    /** Words as they are compared: small letters, without the endings of English. */
    function words(text) {
        return (text.toLowerCase().match(/[a-z0-9_]+/g) ?? []).map(stem);
    }

    function stem(word) {
        if (word.includes('_')) return word;
        if (word.length < 5) return word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word;
        return word.replace(/(ingly|edly|ing|ies|ed|es|s|e)$/, '').replace(/([^aeiouls])\1$/, '$1');
    }

    /** What a word says for a section; 0 where it is neither there nor in its page's title. */
    function weigh(section, word, rarity, mean) {
        const count = (section.counts.get(word) ?? 0) + TITLE * (section.titles.get(word) ?? 0);
        const length = 1 - LENGTH + (LENGTH * section.length) / mean;
        return (rarity.get(word) * count * (SATURATION + 1)) / (count + SATURATION * length);
    }

    /** How much of a guide's own title was asked for, 0 to 1; 1 where the question is one of those that it answers. */
    function cover(section, query) {
        if (section.weight < 1) return 0;
        if (section.questions.includes(query.join(' '))) return 1;
        const named = section.own.filter((word) => query.includes(word)).length;
        return section.own.length ? named / section.own.length : 0;
    }

    /** How well a section answers: a score, 0 where a word, and all others for it, are missing. */
    function score(section, query, rarity, mean) {
        let sum = 0;
        for (const word of query) {
            const others = synonyms.get(word) ?? [];
            const best = Math.max(weigh(section, word, rarity, mean),
                ...others.map((other) => OTHER * weigh(section, other, rarity, mean)));
            if (!best) return 0;
            sum += best;
        }
        sum *= 1 + COVER * cover(section, query);
        if (query.length > 1 && section.joined.includes(` ${query.join(' ')} `)) sum *= PHRASE;
        return sum * section.weight;
    }

    /** Words of the manual for a word of other people. */
    const synonyms = new Map((window.limberSynonyms ?? []).flatMap(([asked, meant]) =>
        asked.map((word) => [stem(word), meant.map(stem)])));

    function count(list) {
        const counts = new Map();
        for (const word of list) counts.set(word, (counts.get(word) ?? 0) + 1);
        return counts;
    }

    function prepare() {
        return window.limberSearch.map(([page, anchor, title, pageTitle, text, asked, weight]) => {
            const body = words(text);
            const heads = words(`${title} ${title === pageTitle ? '' : pageTitle} . ${asked}`);
            const own = words(title).filter((word) => !STOP.has(word));
            const questions = asked.split(',').map((some) => words(some).filter((word) => !STOP.has(word)).join(' '));
            return {page, anchor, own, questions, title, pageTitle, text, counts: count(body), titles: count(heads),
                length: body.length + heads.length, weight: weight * (anchor ? 1 : TOP),
                joined: ` ${heads.join(' ')} . ${body.join(' ')} `};
        });
    }

    function find(sections, text) {
        let query = words(text).filter((word) => !STOP.has(word));
        if (!query.length) query = words(text);
        if (!query.length) return [];
        query = [...new Set(query)];
        const mean = sections.reduce((sum, section) => sum + section.length, 0) / sections.length;
        const known = [...query, ...query.flatMap((word) => synonyms.get(word) ?? [])];
        const rarity = new Map(known.map((word) => {
            const having = sections.filter((section) => section.counts.has(word) || section.titles.has(word)).length;
            return [word, Math.log(1 + (sections.length - having + 0.5) / (having + 0.5))];
        }));
        const ranked = (some) => sections.map((section) => [score(section, some, rarity, mean), section])
            .filter(([value]) => value > 0)
            .sort((a, b) => b[0] - a[0]).map(([, section]) => section);
        const all = ranked(query);
        return all.length ? all : query.flatMap((word) => ranked([word]));
    }

    /** The text around the first word that was asked for. */
    function excerpt(section, query) {
        const lower = section.text.toLowerCase();
        const places = query.toLowerCase().split(/\s+/).map((word) => lower.indexOf(word))
            .filter((place) => place >= 0);
        const start = Math.max(0, Math.min(...(places.length ? places : [0])) - 60);
        return (start ? '… ' : '') + section.text.slice(start, start + 200) + '…';
    }

    function show(query, found) {
        const many = `${found.length || 'No'} section${found.length === 1 ? '' : 's'} for “${query}”`;
        document.getElementById('search-count').textContent = query ? many : 'Type into the field above.';
        const list = document.getElementById('search-results');
        for (const section of found.slice(0, SHOWN)) {
            const item = document.createElement('li');
            const link = document.createElement('a');
            link.href = section.page + (section.anchor ? `#${section.anchor}` : '');
            const isTop = section.title === section.pageTitle;
            link.textContent = isTop ? section.title : `${section.pageTitle} › ${section.title}`;
            const text = document.createElement('p');
            text.textContent = excerpt(section, query);
            item.append(link, text);
            list.append(item);
        }
    }

    const query = (new URLSearchParams(location.search).get('q') ?? '').trim();
    document.querySelector('.bar input').value = query;
    show(query, query ? find(prepare(), query) : []);
})();
