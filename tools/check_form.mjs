/* ./dev lint: the form of JavaScript that no compiler looks at. Lines have at most 120 characters, and arrow functions
 * parentheses around their arguments.
 *
 *     node tools/check_form.mjs FILE...
 */
import {readFileSync} from 'node:fs';

const most = 120;

/** What is told of a module, a line each. @param {string} text @returns {{line: number, wrong: string}[]} */
export function remarks(text) {
    return text.split('\n').flatMap((line, i) => {
        const found = [];
        const length = [...line].length;
        if (length > most) {
            found.push({line: i + 1, wrong: `${length} characters (at most ${most})`});
        }
        const code = line.replace(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g, "''")
            .replace(/\/\/.*|^\s*\*.*|\/\*.*?\*\//, '');
        const bare = /(?:^|[^\w$.])(?:async\s+)?([A-Za-z_$][\w$]*)\s*=>/.exec(code);
        if (bare) {
            found.push({line: i + 1, wrong: `an arrow without parentheses: write (${bare[1]}) =>`});
        }
        return found;
    });
}

let count = 0;
for (const path of process.argv.slice(2)) {
    for (const {line, wrong} of remarks(readFileSync(path, 'utf8'))) {
        console.log(`${path}:${line}: ${wrong}`);
        count++;
    }
}
process.exitCode = count ? 1 : 0;
