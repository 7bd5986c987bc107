/* What build.mjs makes for element/embed.js. */

/** An element of the page's markup; texts are among the children. */
type Markup = [tag: string, attributes: Record<string, string>, children: (Markup | string)[]];

declare module 'studio:style' {
    const text: string;
    export default text;
}

declare module 'studio:markup' {
    const tree: Markup;
    export default tree;
}
