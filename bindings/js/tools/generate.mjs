// Layouts for JavaScript, read off the headers by the compiler: one class for each struct, with the offsets
// that clang computes and the documentation of the headers; names of enums; types of all functions.
// usage: node generate.mjs OUT_FOLDER CLANG HEADER [FLAG...]

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [out, clang, header, ...flags] = process.argv.slice(2);

/** What clang says about C source. */
function dump(source) {
    const text = execFileSync(clang, ['--target=wasm32-wasi', '-std=c17', '-x', 'c', '-fsyntax-only',
        '-fparse-all-comments', '-Xclang', '-ast-dump=json', ...flags, '-'],
        { input: source, maxBuffer: 1 << 30, encoding: 'utf8' });
    return JSON.parse(text);
}

// ---------------------------------------------------------------------------------------------
// What is declared

const tree = dump(`#include "${header}"\n`);
const ours = /^(sinew|js|scene)_/;

function commentOf(node) {
    const comment = (node.inner ?? []).find((n) => n.kind === 'FullComment');
    const lines = [];
    const collect = (n) => {
        if (n.kind === 'ParagraphComment' && lines.length > 0) { lines.push(''); }
        if (n.text !== undefined) { lines.push(n.text.replace(/^ /, '').trimEnd()); }
        (n.inner ?? []).forEach(collect);
    };
    if (comment) { collect(comment); }
    while (lines.length > 0 && lines.at(-1) === '') { lines.pop(); }
    return lines.map((line) => line.replaceAll('*/', '* /').replaceAll('@', '(at)'));
}

const structs = new Map(), enums = new Map(), functions = new Map(), constants = [];
const byId = new Map();
for (const node of tree.inner) { byId.set(node.id, node); }
for (const node of tree.inner) {
    if (node.kind === 'RecordDecl' && node.completeDefinition && ours.test(node.name ?? '')) {
        structs.set(node.name, node);
    } else if (node.kind === 'EnumDecl' && ours.test(node.name ?? '')) {
        enums.set(node.name, node);
    } else if (node.kind === 'EnumDecl' && !node.name) {
        for (const constant of node.inner ?? []) {
            if (/^SINEW_/.test(constant.name ?? '')) { constants.push(constant); }
        }
    } else if (node.kind === 'FunctionDecl' && ours.test(node.name)) {
        // inline functions are not exported
        const isExported = (node.inner ?? []).some((n) => n.kind === 'VisibilityAttr');
        if (isExported) { functions.set(node.name, node); }
    }
}

const fieldsOf = (node) => (node.inner ?? []).filter((n) => n.kind === 'FieldDecl');
const constantsOf = (node) => (node.inner ?? []).filter((n) => n.kind === 'EnumConstantDecl');

// the compiler is asked for each offset, size and value
const probe = [`#include "${header}"`, '#include <stddef.h>', 'enum {'];
for (const [name, node] of structs) {
    probe.push(`size__${name} = sizeof(${name}),`);
    for (const field of fieldsOf(node)) {
        probe.push(`at__${name}__${field.name} = offsetof(${name}, ${field.name}),`);
    }
}
for (const node of [...enums.values()].flatMap(constantsOf).concat(constants)) {
    probe.push(`value__${node.name} = (int)${node.name},`);
}
probe.push('};');
/** The value that clang folded an expression to: the outermost one that it tells. */
function valueOf(node) {
    if (node.value !== undefined && node.kind !== 'EnumConstantDecl') { return Number(node.value); }
    for (const inner of node.inner ?? []) {
        const value = valueOf(inner);
        if (value !== undefined) { return value; }
    }
    return undefined;
}
const numbers = new Map();
for (const node of dump(probe.join('\n')).inner) {
    if (node.kind !== 'EnumDecl') { continue; }
    for (const constant of constantsOf(node)) {
        if (/^(size|at|value)__/.test(constant.name)) { numbers.set(constant.name, valueOf(constant)); }
    }
}

const plain = (name) => name.replace(ours, '');

// ---------------------------------------------------------------------------------------------
// Enums: texts in JavaScript

/** The words of an enum: what its names do not have in common, in small letters. */
function wordsOf(node) {
    const names = constantsOf(node).map((n) => n.name);
    const parts = names.map((n) => n.split('_'));
    let common = 1;
    while (names.length > 1 && parts.every((p) => p.length > common + 1 && p[common] === parts[0][common])) {
        ++common;
    }
    if (names.length === 1) { common = parts[0].length - 1; }
    return names.map((name, i) => ({
        word: parts[i].slice(common).join('_').toLowerCase(),
        value: numbers.get(`value__${name}`),
        comment: commentOf(constantsOf(node)[i]),
    })).filter(({ word }) => word !== 'count');
}

function doc(lines, indent, extra = []) {
    const all = [...lines, ...extra];
    if (all.length === 0) { return ''; }
    if (all.length === 1) { return `${indent}/** ${all[0]} */\n`; }
    return `${indent}/**\n${all.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

const enumText = [];
for (const [name, node] of enums) {
    const words = wordsOf(node);
    const union = words.map(({ word }) => `'${word}'`).join(' | ');
    const said = words.flatMap(({ word, comment }) => comment.length === 0 ? []
        : [`- \`${word}\`: ${comment.join(' ')}`]);
    enumText.push(doc([...commentOf(node), ...said], '', [`@typedef {${union}} ${plain(name)}`]));
    const list = [];
    for (const { word, value } of words) { list[value] = word; }
    const texts = Array.from(list, (word) => (word === undefined ? 'undefined' : `'${word}'`)).join(', ');
    enumText.push(`/** @type {readonly ${plain(name)}[]} */\n`
        + `export const ${plain(name)}Names = Object.freeze(/** @type {any[]} */ ([${texts}]));\n`);
}
for (const constant of constants) {
    enumText.push(doc(commentOf(constant), '')
        + `export const ${constant.name.replace('SINEW_', '')} = ${numbers.get(`value__${constant.name}`)};\n`);
}

// ---------------------------------------------------------------------------------------------
// Structs

const scalars = {
    double: ['f64', 3, 'number'], float: ['f32', 2, 'number'], int: ['i32', 2, 'number'],
    unsigned: ['u32', 2, 'number'], 'unsigned int': ['u32', 2, 'number'], uint32_t: ['u32', 2, 'number'],
    size_t: ['u32', 2, 'number'], uint8_t: ['u8', 0, 'number'], 'unsigned char': ['u8', 0, 'number'],
    uint64_t: ['u64', 3, 'bigint'],
};
// what looks at a number before it is written
const takes = { f64: 'real', f32: 'real', i32: 'int', u32: 'unsigned', u8: 'byte' };
const index = (offset, shift) => {
    const at = offset === 0 ? 'this.pointer' : `this.pointer + ${offset}`;
    return shift === 0 ? at : offset === 0 ? `this.pointer >> ${shift}` : `(${at}) >> ${shift}`;
};

/** Getter and setter of one field. */
function accessor(struct, field) {
    const offset = numbers.get(`at__${struct}__${field.name}`);
    const type = field.type.qualType.replace(/\bconst\b/g, '').trim().replace(/^(enum|struct) /, '');
    const name = field.name, said = commentOf(field);
    const array = type.match(/^(\w[\w ]*?)\s*\[(\d+)\]$/);
    const put = (kind, get, set) => doc(said, '    ', [`@type {${kind}}`])
        + `    get ${name}() { ${get} }\n` + (set ? `    set ${name}(value) { ${set} }\n` : '');

    if (array && array[1] === 'char') {
        return put('string', `return readText(${index(offset, 0)});`);
    }
    if (array && scalars[array[1]]) {
        const [view, shift] = scalars[array[1]];
        const kind = { f64: 'Float64Array', f32: 'Float32Array', i32: 'Int32Array', u32: 'Uint32Array', u8: 'Uint8Array' }[view];
        return put(kind, `const at = ${index(offset, shift)}; `
            + `return ${view}().subarray(at, at + ${array[2]});`);
    }
    if (array && structs.has(array[1])) {
        const kind = plain(array[1]);
        return put(`readonly ${kind}[]`,
            `return this._${name} ??= views(${kind}, ${index(offset, 0)}, ${array[2]});`)
            .replace('get ', `/** @private @type {any} */\n    _${name} = undefined;\n    get `)
            .replace(/^/, '');
    }
    if (type.includes('*')) {
        const isText = /^char \*$/.test(type);
        return isText
            ? put('string', `return readText(u32()[${index(offset, 2)}]);`)
                + `    /** Where the text of ${name} is. @type {number} */\n`
                + `    get ${name}_address() { return u32()[${index(offset, 2)}]; }\n`
                + `    set ${name}_address(value) { u32()[${index(offset, 2)}] = value; }\n`
            : put('number', `return u32()[${index(offset, 2)}];`, `u32()[${index(offset, 2)}] = unsigned(value, '${name}');`);
    }
    if (structs.has(type)) {
        const kind = plain(type);
        return put(kind, `return this._${name} ??= new ${kind}(${index(offset, 0)});`);
    }
    if (enums.has(type)) {
        const kind = plain(type);
        return put(kind, `return ${kind}Names[i32()[${index(offset, 2)}]];`,
            `i32()[${index(offset, 2)}] = enumValue(${kind}Names, value, '${name}');`);
    }
    if (type === 'bool' || type === '_Bool') {
        return put('boolean', `return u8()[${index(offset, 0)}] !== 0;`, `u8()[${index(offset, 0)}] = value ? 1 : 0;`);
    }
    if (scalars[type]) {
        const [view, shift, kind] = scalars[type];
        return put(kind, `return ${view}()[${index(offset, shift)}];`, 
            kind === 'bigint' ? `${view}()[${index(offset, shift)}] = value;`
                : `${view}()[${index(offset, shift)}] = ${takes[view]}(value, '${name}');`);
    }
    // opaque handles and callbacks that have a typedef of their own
    return put('number', `return u32()[${index(offset, 2)}];`, `u32()[${index(offset, 2)}] = unsigned(value, '${name}');`);
}

const bases = { Vec3: 'VectorStruct', Quat: 'QuaternionStruct' };
const structText = [];
for (const [name, node] of structs) {
    const kind = plain(name), fields = fieldsOf(node);
    const nested = fields.map((f) => [f.name, f.type.qualType.replace(/\bconst\b/g, '').trim()])
        .filter(([, type]) => structs.has(type) || /^\w+\s*\[\d+\]$/.test(type) && structs.has(type.split(/[\s[]/)[0]));
    const slots = nested.map(([field]) => `    /** @private @type {any} */\n    _${field} = undefined;\n`).join('');
    const body = fields.map((field) => accessor(name, field)
        .replace(/\/\*\* @private @type \{any\} \*\/\n {4}_\w+ = undefined;\n {4}/, '')).join('');
    structText.push(`${doc(commentOf(node), '')}export class ${kind} extends ${bases[kind] ?? 'Struct'} {\n`
        + `    static size = ${numbers.get(`size__${name}`)};\n`
        + `    static fields = Object.freeze([${fields.map((f) => `'${f.name}'`).join(', ')}]);\n`
        + slots + body + '}\n');
}

// ---------------------------------------------------------------------------------------------
// Functions: what the module exports, as types

function valueType(type) {
    const bare = type.replace(/\bconst\b/g, '').trim().replace(/^(enum|struct) /, '');
    if (bare === 'void') { return 'void'; }
    return bare === 'uint64_t' ? 'bigint' : 'number';
}
const functionText = [];
for (const [name, node] of functions) {
    const returns = node.type.qualType.slice(0, node.type.qualType.indexOf('(')).trim();
    const bare = returns.replace(/\bconst\b/g, '').trim();
    const parameters = (node.inner ?? []).filter((n) => n.kind === 'ParmVarDecl')
        .map((n, i) => `${n.name ?? `p${i}`}: ${valueType(n.type.qualType)}`);
    // structs come back through a hidden pointer in front, and go in by pointer
    const isStruct = structs.has(bare);
    if (isStruct) { parameters.unshift(`out_result: number`); }
    functionText.push(`    ${name}: (${parameters.join(', ').replaceAll('function:', 'fn:')}) => ${isStruct ? 'void' : valueType(returns)};`);
}

// ---------------------------------------------------------------------------------------------

const mark = '// Made by tools/generate.mjs from the headers of sinew. Do not edit.\n';
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'structs.js'), `${mark}
import { Struct, VectorStruct, QuaternionStruct, byte, enumValue, int, real, unsigned, views } from '../src/struct.js';
import { f64, f32, i32, u32, u8, u64, readText } from '../src/memory.js';

${enumText.join('\n')}
${structText.join('\n')}`);
writeFileSync(join(out, 'exports.d.ts'), `${mark}
/** What the WebAssembly module exports: the functions of sinew's headers, with addresses as numbers. */
export interface Exports {
    memory: WebAssembly.Memory;
    _initialize: () => void;
    malloc: (size: number) => number;
    free: (address: number) => void;
${functionText.join('\n')}
}
`);
console.log(`${structs.size} structs, ${enums.size} enums, ${functions.size} functions`);
