/* Reads C as far as measuring it needs: its tokens, functions, macros of several lines, and structs. It is no compiler:
 * it knows the shapes that C has, not what names mean, and expands no macro. */

/** @typedef {{text: string, line: number, kind: "word" | "number" | "text" | "sign"}} Token */
/** @typedef {{text: string, line: number}} Directive one preprocessor directive, its continuation lines joined */
/** @typedef {{name: string, line: number, lines: number, complexity: number, nesting: number, parameters: number,
 *             tokens: Token[], macro: boolean}} Func */
/** @typedef {{name: string, line: number, fields: number}} Struct */

/* Blanks, comments, words, numbers, texts, signs: a group for each. */
const tokenPattern = new RegExp(
    [
        /(\s+)/,
        /(\/\*[\s\S]*?\*\/|\/\/[^\n]*)/,
        /([A-Za-z_]\w*)/,
        /(\.?\d(?:[eEpP][+-]|[\w.])*)/,
        /("(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*')/,
        /(##|->|\+\+|--|<<=|>>=|<<|>>|[-+*\/%&|^=!<>]=|&&|\|\||\.\.\.|[\s\S])/,
    ].map(({source}) => source)
        .join('|'),
    'y');

/**
 * The tokens of a text without its comments.
 * @param {string} text @param {number} [line] the number of its first line
 * @returns {Token[]}
 */
export function tokenize(text, line = 1) {
    const tokens = [];
    tokenPattern.lastIndex = 0;
    for (let match; tokenPattern.lastIndex < text.length && (match = tokenPattern.exec(text));) {
        const kind = match[3] ? 'word' : match[4] ? 'number' : match[5] ? 'text' : match[6] ? 'sign' : null;
        if (kind && match[0] !== '\\') {
            tokens.push(/** @type {Token} */ ({text: match[0], line, kind}));
        }
        line += match[0].split('\n').length - 1;
    }
    return tokens;
}

/**
 * A text with its directives taken out: each becomes empty lines, so that line numbers stay. Of the branches of an #if
 * that leave different braces open only the first is kept: a reader sees one of them at a time, too.
 * @param {string} text @returns {{code: string, directives: Directive[]}}
 */
function splitDirectives(text) {
    const lines = text.split('\n');
    const directives = [];
    /* For each #if around a line: where its present branch begins, and how many braces its first one leaves open. */
    const branches = [];
    const leftOpen = (from, to) => {
        const signs = tokenize(lines.slice(from, to).join('\n')).map((token) => token.text);
        return signs.filter((sign) => sign === '{').length - signs.filter((sign) => sign === '}').length;
    };
    for (let i = 0; i < lines.length; i++) {
        if (/^\s*\/\*/.test(lines[i]) && !lines[i].includes('*/')) {
            while (i < lines.length && !lines[i].includes('*/')) {
                i++;
            }
            continue;
        }
        if (!/^\s*#/.test(lines[i])) {
            continue;
        }
        const first = i;
        let joined = '';
        for (; lines[i].endsWith('\\'); i++) {
            joined += lines[i].slice(0, -1) + '\n';
            lines[i] = '';
        }
        joined += lines[i];
        lines[i] = '';
        directives.push({text: joined, line: first + 1});
        const word = /^\s*#\s*(\w*)/.exec(joined)?.[1] ?? '';
        if (/^if/.test(word)) {
            branches.push({from: i + 1, braces: 0, seen: false});
        } else if (/^(elif|else|endif)/.test(word) && branches.length > 0) {
            const branch = branches[branches.length - 1];
            const braces = leftOpen(branch.from, first);
            if (!branch.seen) {
                branch.braces = braces;
                branch.seen = true;
            } else if (braces !== 0 || branch.braces !== 0) {
                lines.fill('', branch.from, first);
            }
            branch.from = i + 1;
            if (word === 'endif') {
                branches.pop();
            }
        }
    }
    return {code: lines.join('\n'), directives};
}

const decisions = new Set(['if', 'for', 'while', 'case', '&&', '||', '?']);

/** Cyclomatic complexity: one way through, and one more for each decision. @param {Token[]} tokens */
const complexityOf = (tokens) => tokens.reduce((sum, {text}) => sum + (decisions.has(text) ? 1 : 0), 1);

const opening = {
    '(': 1,
    '[': 1,
    '{': 1
};
const closing = {
    ')': 1,
    ']': 1,
    '}': 1
};

/** The index behind the bracket that closes the one at `start`. @param {Token[]} tokens @param {number} start */
function behind(tokens, start) {
    let depth = 0;
    for (let i = start; i < tokens.length; i++) {
        depth += tokens[i].text in opening ? 1 : tokens[i].text in closing ? -1 : 0;
        if (depth === 0) {
            return i + 1;
        }
    }
    return tokens.length;
}

/** The index of the bracket that opens what the one at `end` closes. @param {Token[]} tokens @param {number} end */
function before(tokens, end) {
    let depth = 0;
    for (let i = end; i >= 0; i--) {
        depth += tokens[i].text in closing ? 1 : tokens[i].text in opening ? -1 : 0;
        if (depth === 0) {
            return i;
        }
    }
    return 0;
}

/**
 * How deep statements stand inside the bodies of if, else, for, while, do and switch, with or without braces.
 * @param {Token[]} tokens of a function's body, its braces included
 */
function nestingOf(tokens) {
    let deepest = 0;
    let at = 0;
    const is = (/** @type {string} */ text) => at < tokens.length && tokens[at].text === text;
    const statement = (/** @type {number} */ depth) => {
        deepest = Math.max(deepest, depth);
        if (is('{')) {
            for (at++; at < tokens.length && !is('}');) {
                statement(depth);
            }
            at++;
        } else if (is('if')) {
            at = behind(tokens, at + 1);
            statement(depth + 1);
            if (is('else')) {
                at++;
                statement(is('if') ? depth : depth + 1);
            }
        } else if (is('for') || is('while') || is('switch')) {
            at = behind(tokens, at + 1);
            statement(depth + 1);
        } else if (is('do')) {
            at++;
            statement(depth + 1);
            expression();
        } else if (is('case') || is('default')) {
            while (at < tokens.length && !is(':')) {
                at++;
            }
            at++;
        } else if (tokens[at].kind === 'word' && tokens[at + 1]?.text === '('
            && tokens[behind(tokens, at + 1)]?.text === '{') { // a macro that is a loop
            at = behind(tokens, at + 1);
            statement(depth + 1);
        } else {
            expression();
        }
    };
    const expression = () => {
        while (at < tokens.length && !is(';') && !is('}')) {
            at = tokens[at].text in opening ? behind(tokens, at) : at + 1;
        }
        at += is(';') ? 1 : 0;
    };
    statement(0);
    return deepest;
}

/** How many parameters stand between two parentheses. @param {Token[]} tokens between them */
function parameterCount(tokens) {
    if (tokens.length === 0 || (tokens.length === 1 && tokens[0].text === 'void')) {
        return 0;
    }
    let count = 1;
    for (let i = 0; i < tokens.length; i = tokens[i].text in opening ? behind(tokens, i) : i + 1) {
        count += tokens[i].text === ',' ? 1 : 0;
    }
    return count;
}

/**
 * The fields of a struct or union: declarators, those of unnamed members counted with them. Named members that are
 * structs themselves are one field each, and go to `structs` of their own.
 * @param {Token[]} tokens between its braces @param {Struct[]} structs @param {string} owner
 */
function fieldCount(tokens, structs, owner) {
    let fields = 0;
    for (let i = 0; i < tokens.length;) {
        const start = i;
        let declarators = 1;
        let inner = null;
        for (; i < tokens.length && tokens[i].text !== ';';) {
            if (tokens[i].text === '{') {
                const end = behind(tokens, i);
                inner = /^(struct|union)$/.test(tokens[start].text) ? {from: i + 1, to: end - 1} : inner;
                i = end;
                continue;
            }
            declarators += tokens[i].text === ',' ? 1 : 0;
            i = tokens[i].text in opening ? behind(tokens, i) : i + 1;
        }
        if (inner && inner.to + 1 === i) {
            fields += fieldCount(tokens.slice(inner.from, inner.to), structs, owner);
        } else {
            if (inner) {
                const name = `${owner}.${tokens[inner.to + 1].text}`;
                structs.push({
                    name,
                    line: tokens[start].line,
                    fields: fieldCount(tokens.slice(inner.from, inner.to), structs, name)
                });
            }
            fields += i > start ? declarators : 0;
        }
        i++;
    }
    return fields;
}

/**
 * The function that a `{` at file level begins, or null: what stands before it ends with its parameters, which stand
 * behind its name or, where a macro makes the name, behind the macro's argument.
 * @param {Token[]} tokens @param {number} from where the declaration begins @param {number} brace
 * @returns {Func | null}
 */
function functionAt(tokens, from, brace) {
    if (tokens[brace - 1]?.text !== ')' || tokens.slice(from, brace).some(({text}) => text === '=')) {
        return null;
    }
    const parenthesis = before(tokens, brace - 1);
    let name = tokens[parenthesis - 1];
    if (!name || parenthesis <= from) {
        return null;
    }
    name = name.text === ')' ? tokens[before(tokens, parenthesis - 1) + 1] : name;
    const end = behind(tokens, brace);
    const body = tokens.slice(brace, end);
    return {
        name: name.text,
        line: name.line,
        lines: tokens[end - 1].line - name.line + 1,
        complexity: complexityOf(body),
        nesting: nestingOf(body),
        parameters: parameterCount(tokens.slice(parenthesis + 1, brace - 1)),
        tokens: body,
        macro: false
    };
}

/**
 * A macro with parameters and statements, measured as a function. @param {Directive} directive @returns {Func | null}
 */
function macroOf({text, line}) {
    const match = /^\s*#\s*define\s+(\w+)\(([^)]*)\)/.exec(text);
    const lines = text.split('\n').length;
    const tokens = match ? tokenize(text.slice(match[0].length), line) : [];
    if (!match || lines < 2 || !tokens.some((token) => token.text === ';')) {
        return null;
    }
    return {
        name: match[1],
        line,
        lines,
        complexity: complexityOf(tokens),
        tokens,
        nesting: nestingOf([{text: '{', line, kind: 'sign'}, ...tokens, {text: '}', line, kind: 'sign'}]),
        parameters: match[2].trim() ? match[2].split(',').length : 0,
        macro: true
    };
}

/**
 * @param {string} text a file of C
 * @returns {{lines: number, functions: Func[], macros: Func[], structs: Struct[]}}
 */
export function measure(text) {
    const {code, directives} = splitDirectives(text);
    const tokens = tokenize(code);
    const functions = [];
    const structs = [];
    let from = 0;
    for (let i = 0; i < tokens.length;) {
        const word = tokens[i].text;
        if (word === ';') {
            from = i + 1;
        } else if (word === '}') { // of extern "C"
            from = i + 1;
        } else if (word === '{') {
            if (tokens[i - 1]?.kind === 'text') { // extern "C": what is inside is at file level
                from = ++i;
                continue;
            }
            const end = behind(tokens, i);
            const found = functionAt(tokens, from, i);
            if (found) {
                functions.push(found);
                from = end;
            } else {
                const tag = tokens[i - 1]?.kind === 'word' && /^(struct|union)$/.test(tokens[i - 2]?.text ?? '');
                if (tag || /^(struct|union)$/.test(tokens[i - 1]?.text ?? '')) {
                    const name = tag ? tokens[i - 1].text : tokens[end]?.text ?? '?';
                    structs.push(
                        {name, line: tokens[i].line, fields: fieldCount(tokens.slice(i + 1, end - 1), structs, name)});
                }
            }
            i = end;
            continue;
        }
        i = word === '(' || word === '[' ? behind(tokens, i) : i + 1;
    }
    const macros = directives.map(macroOf).filter((macro) => macro !== null);
    return {lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0), functions, macros, structs};
}
