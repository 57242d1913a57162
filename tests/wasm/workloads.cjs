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
        const memory = new Uint8Array(exports.memory.buffer);
        const name = exports.workload_name(kind);
        const text = new TextDecoder().decode(memory.subarray(name, memory.indexOf(0, name)));
        const operations = count * exports.operations();
        const microseconds = 1e3 * least.reduce((sum, x) => sum + x, 0) / operations;
        say(`${kind} ${whole(exports.hash)} ${microseconds.toFixed(4)} ${exports.met()}/${operations} ${text}`);
    }
}
if (typeof module !== 'undefined' && require.main === module) {
    sinewWorkloads(require('fs').readFileSync(process.argv[2]), Number(process.argv[3] ?? 1), console.log);
}
