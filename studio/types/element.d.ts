/* What build.mjs makes for element/embed.js. */

declare module 'studio:style' {
    const text: string;
    export default text;
}

declare module 'studio:markup' {
    const tree: [string, Record<string, string>, unknown[]];
    export default tree;
}
