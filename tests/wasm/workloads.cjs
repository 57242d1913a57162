// Golden hash and workloads of a WebAssembly module, as lines; in node and, as a script of a page, in a
// browser. It runs at once, without waiting for anything, so that a page is ready when it has loaded.
/* exported sinewWorkloads */
function sinewWorkloads(bytes, passes, say) {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), {});
    exports._initialize();
    const half = (x) => (x >>> 0).toString(16).padStart(8, '0');
    // the high word is that of the call before
    const hex = (low) => half(exports.high_word()) + half(low);
    const whole = (call) => {
        const low = call();
        return hex(low);
    };
    const text = (at) => {
        const memory = new Uint8Array(exports.memory.buffer);
        return new TextDecoder().decode(memory.subarray(at, memory.indexOf(0, at)));
    };
    // the lines of tests/golden/hashes.txt, to see what differs
    for (let c = 0; passes === 0 && exports.golden_name(c) !== 0; ++c) {
        say(`${text(exports.golden_name(c))} ${whole(() => exports.golden_chapter(c))}`);
    }
    if (passes === 0) { return; }
    say(`golden ${whole(exports.golden)}`);
    for (let kind = 0; kind < exports.workload_count(); ++kind) {
        const count = exports.chunk_count(), least = new Array(count).fill(Infinity);
        for (let pass = 0; pass < passes; ++pass) {
            exports.begin(kind);
            for (let c = 0; c < count; ++c) {
                const start = performance.now();
                exports.chunk();
                least[c] = Math.min(least[c], performance.now() - start);
            }
        }
        const operations = count * exports.operations();
        const microseconds = 1e3 * least.reduce((sum, x) => sum + x, 0) / operations;
        say(`${kind} ${whole(exports.hash)} ${microseconds.toFixed(4)} ${exports.met()}/${operations} ${text(exports.workload_name(kind))}`);
    }
}
if (typeof module !== 'undefined' && require.main === module) {
    sinewWorkloads(require('fs').readFileSync(process.argv[2]), Number(process.argv[3] ?? 1), console.log);
}
