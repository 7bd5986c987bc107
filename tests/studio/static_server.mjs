// A web server of files, as any host of static files is: for tests of the page where `limber studio` does not serve it.

import {createServer} from 'node:http';
import {readFile} from 'node:fs/promises';
import {extname, join, normalize} from 'node:path';

const TYPES = {'.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.wasm':
    'application/wasm', '.json': 'application/json', '.svg': 'image/svg+xml', '.fig': 'text/plain',
        '.png': 'image/png'};

/**
 * @param {string} folder
 * @param {{headers?: Record<string, string>, pages?: Record<string, string>, change?: (path: string, bytes: Buffer) =>
 *     Buffer|string}} options headers: with every answer; pages: texts by path, before files; change: what is sent
 * @returns {Promise<{port: number, asked: string[], stop: () => Promise<void>, start: () => Promise<void>}>}
 */
export async function serveStatic(folder, {headers = {}, pages = {}, change = (path, bytes) => bytes} = {}) {
    const asked = [];
    let server = null, port = 0;
    const sockets = new Set();
    const answer = async (request, response) => {
        const {pathname} = new URL(request.url, 'http://host');
        const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
        asked.push(path);
        try {
            const bytes = pages[path] ?? change(path, await readFile(join(folder, normalize(path))));
            response.writeHead(200, {'content-type': TYPES[extname(path)] ?? 'application/octet-stream', ...headers});
            response.end(bytes);
        } catch {
            response.writeHead(404, headers);
            response.end('there is no such file\n');
        }
    };
    const start = async () => {
        server = createServer(answer);
        server.on('connection', (socket) => {
            sockets.add(socket);
            socket.on('close', () => sockets.delete(socket));
        });
        await new Promise((done) => { server.listen(port, '127.0.0.1', done); });
        port = server.address().port;
    };
    const stop = async () => {
        const closed = new Promise((done) => { server.close(done); });
        for (const socket of sockets) socket.destroy();
        await closed;
    };
    await start();
    return {port, asked, start, stop};
}
