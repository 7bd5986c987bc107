// XML where there is no DOMParser, as in Node and in workers: URDF and MJCF give the same figures, and complaints at
// the same lines, as by the native program with expat.

import {readFileSync} from 'node:fs';
import {basename} from 'node:path';
import {check, finish, library, same} from './setup.mjs';
import {compareWithNative, robotCorpus, robotModels} from './compare.mjs';

const limber = await library.load();
same(typeof globalThis.DOMParser, 'undefined', 'there is no DOMParser here');

/** What the package makes of files of one folder, the first of which is the figure. */
function readFigure(names, contents, format) {
    names.forEach((name, i) => limber.files.set(name, contents[i]));
    try {
        const figure = limber.loadFigure(names[0], {format});
        const fig = new TextDecoder().decode(figure.save('fig'));
        figure.free();
        return {fig, message: '', line: 0};
    } catch (error) {
        if (!(error instanceof library.LimberError)) throw error;
        return {fig: null, message: error.message, line: error.line};
    } finally {
        names.forEach((name) => limber.files.delete(name));
    }
}

const models = robotModels();
for (const {path, files, names} of models) {
    compareWithNative(path, readFigure(names, files.map((file) => readFileSync(file))));
}

const corpus = robotCorpus();
check(corpus.length > 10, 'there is a corpus');
for (const [path, format] of corpus) {
    const mine = readFigure([basename(path)], [readFileSync(path)], format);
    check(mine.fig !== null || mine.message.length > 5, `${path}: ${JSON.stringify(mine).slice(0, 200)}`);
}

// The tree: text, entities, sections, blanks and line ends as XML has them.
const tree = (text) => library.readXml(new TextEncoder().encode(text));
const plain = ({name, attributes, text, children}) => [name, attributes, text, children.map(plain)];
const read = (text) => {
    const {root, error} = tree(text);
    return error ? `${error.line}: ${error.message}` : plain(root);
};
same(read('<a>x &lt;&#65;&#x42;&amp;&quot;&apos;<![CDATA[<&]]>y</a>'), ['a', [], 'x <AB&"\'<&y', []],
    'entities and sections');
same(read('<a b = "1&#10;2\n3\t4"\r\n  c=\'"\'/>'), ['a', [['b', '1\n2 3 4'], ['c', '"']], '', []], 'attributes');
same(read('<?xml version="1.0" encoding="utf-8"?>\n<!-- <b> --><?pi <c> ?><a>1\r\n2\r3<b/>4</a>\n<!-- end -->'),
    ['a', [], '1\n2\n34', [['b', [], '', []]]], 'what is passed over, line ends');
same(read('\ufeff<\u00e4:b \u00e4:c="\u{1f600}"/>'),
    ['\u00e4:b', [['\u00e4:c', '\u{1f600}']], '', []], 'other letters');
same(tree('<a>\n<b/>\n<c\nd="1"><e/></c></a>').root.children.map((child) => child.line), [2, 3], 'lines of elements');
same(tree('<a>\n<b/>\n<c\nd="1">\n<e/></c></a>').root.children[1].children[0].line, 5, 'lines behind lines in tags');

const wrong = [
    ['<a>\n<b c=1/></a>', /^2: not well-formed XML at column 6: the value of the attribute c needs quotes/],
    ['<a>\n<b c/></a>', /^2: .*the attribute c has no value/],
    ['<a>\n<b c="1"d="2"/></a>', /^2: .*a blank is missing in the tag <b>/],
    ['<a>\n\n<b c="1" c="2"/></a>', /^3: .*the attribute c is there twice/],
    ['<a b="<"/>', /^1: .*a < in the attribute b; write &lt;/],
    ['<a>&nbsp;</a>', /^1: .*&nbsp; is no entity of XML/],
    ['<a>\n1 & 2</a>', /^2: not well-formed XML at column 3: a & that begins no entity; write &amp;/],
    ['<a>&#0;</a>', /^1: .*is no entity of XML/],
    ['<a>&#xd800;</a>', /^1: .*is no entity of XML/],
    ['<a>\u0001</a>', /^1: .*a control character/],
    ['<a b="\u0001"/>', /^1: .*a control character/],
    ['<a/>\ntext', /^2: .*text outside of the first element/],
    ['<a/>\n<b/>', /^2: .*a second element/],
    ['<a/></a>', /^1: .*closed that is not open/],
    ['<a><!-- x -- y --></a>', /^1: .*-- inside of a comment/],
    ['<a/>\n<?xml version="1.0"?>', /^2: .*<\?xml stands at the beginning alone/],
    ['<a>]]></a>', /^1: .*\]\]> outside of CDATA/],
    ['<1/>', /^1: .*a tag without a name/],
    ['<a "b"/>', /^1: .*an attribute without a name/],
    ['<a>\n<b>\n', /^3: the file ends before <b> of line 2/],
    ['<a><b></a></b>', /^1: mismatched tag/],
    ['', /^1: there is no XML element/],
    ['<!DOCTYPE a><a/>', /^1: a document type/],
    ['<a>'.repeat(300), /nested more than 256 deep/],
];
for (const [text, message] of wrong) {
    const said = read(text);
    check(typeof said === 'string' && message.test(said),
        `${JSON.stringify(text.slice(0, 60))}: ${JSON.stringify(said)}`);
}

// Whatever a file is cut or spoiled to, there is a tree or an error.
const whole = '<?xml version="1.0"?>\n<a b="&lt;1" c=\'2\'>\n<!-- d --><e:f/>g &amp; h<![CDATA[i]]><?j k?></a>\n';
let seed = 1;
const random = (below) => {
    seed = Number((BigInt(seed) * 6364136223846793005n + 1442695040888963407n) & 0x7fffffffffffn);
    return (seed >> 8) % below;
};
for (let i = 0; i < 3000; i++) {
    const bytes = [...new TextEncoder().encode(whole)];
    for (let k = random(3); k >= 0; k--) {
        bytes.splice(random(bytes.length), random(3), '<>&"/!-]?= a\0'.charCodeAt(random(13)));
    }
    const {root, error} = library.readXml(Uint8Array.from(i < whole.length ? bytes.slice(0, i) : bytes));
    check((root === null) !== (error === null) &&
        (error === null || (error.message !== 'out of memory' && error.line >= 0)),
        `spoiled text ${i}: ${error?.message}`);
}
finish(`${models.length} models, ${corpus.length} files of the corpus`);
