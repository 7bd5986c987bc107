// Which of the files that are there is the one that a robot names.

/** @param {string} path */
const partsOf = (path) => path.replace(/\\/g, '/').replace(/^(package|model|file):\/\//i, '').split('/')
    .filter((part) => part && part !== '.' && part !== '..');

/**
 * The file that a robot's file means: the one of this very name, else the one whose path ends most like it. Where the
 * files came from is not known to a page, nor where packages are: but what they end with is.
 * @param {string} uri package://NAME/path, file://path or a path
 * @param {Iterable<string>} names paths of files
 * @returns {string | null}
 */
export function findMesh(uri, names) {
    const wanted = partsOf(uri).reverse();
    let best = null, most = 0;
    for (const name of names) {
        if (name === uri) return name;
        const parts = partsOf(name).reverse();
        let same = 0;
        while (same < wanted.length && parts[same]?.toLowerCase() === wanted[same].toLowerCase()) same++;
        const score = same + (same && parts[0] === wanted[0] ? 0.5 : 0);
        if (score > most) {
            best = name;
            most = score;
        }
    }
    return best;
}
