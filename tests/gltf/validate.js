// node validate.js FOLDER-OF-MODULES FILE...: for each file a line "FILE checked ERRORS", and the first error of each
// code.
const fs = require('fs'), path = require('path');
const validator = require(path.join(process.argv[2], 'gltf-validator'));

async function check(file) {
    const options = {
        uri: path.basename(file), maxIssues: 0,
        externalResourceFunction: (uri) =>
            Promise.resolve(new Uint8Array(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri))))),
    };
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), options);
    const counts = {};
    for (const message of report.issues.messages)
        if (message.severity === 0) {
            counts[message.code] = (counts[message.code] || 0) + 1;
            if (counts[message.code] === 1) console.error(`${file}: ${message.message} ${message.pointer}`);
        }
    console.log(`${path.basename(file)} checked ${report.issues.numErrors}`);
}

(async () => {
    for (const file of process.argv.slice(3)) await check(file);
})().catch((error) => {
    console.error(String(error));
    process.exit(1);
});
