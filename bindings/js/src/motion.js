import { C, Owned, allocate, bytesOf, created, making, messageAddress, release, resultAddress, withBytes, withText } from './core.js';
import { expectA, expectText, refuse } from './expect.js';
import { encodeText, readText, u32, u8 } from './memory.js';
import { Clip } from './clip.js';
import { Rig, Roles, Stance } from './rig.js';
import { Skeleton } from './skeleton.js';
import { File, FileFormatNames, ReadOptions, UnitSourceNames, WriteOptions } from '../dist/structs.js';

/** A BVH or glTF file in memory: its skeleton, its motion, and what is needed to write it back. */
export class Motion extends Owned {
    /**
     * Read a file; the format is found by content.
     * @param {string | ArrayBuffer | ArrayBufferView} data
     * @param {string} [name] stands for the file in messages
     * @param {{ unit?: number, positions?: import('../dist/structs.js').BvhPositions, euler_joints?: boolean,
     *     animation?: string | number, files?: Record<string, string | ArrayBuffer | ArrayBufferView> }}
     *     [options] fields of `sinew_ReadOptions`; files: those that a .gltf refers to, by name
     */
    constructor(data, name = 'file', { animation, files = {}, ...fields } = {}) {
        expectText(name, 'new Motion: name');
        const content = bytesOf(data, 'new Motion: data');
        const address = allocate(ReadOptions.size);
        C.sinew_read_options_default(address);
        const taken = /** @type {number[]} */ ([]);
        const keep = (/** @type {Uint8Array} */ bytes) => {
            const at = allocate(bytes.length);
            taken.push(at);
            u8().set(bytes, at);
            return at;
        };
        let pointer;
        try {
            const options = new ReadOptions(address).assign(fields);
            if (animation !== undefined) {
                options.animation_address = keep(encodeText(String(animation)));
            }
            const names = Object.keys(files), list = allocate(names.length * File.size);
            taken.push(list);
            names.forEach((file, i) => {
                const entry = new File(list + i * File.size), bytes = bytesOf(files[file], `new Motion: files['${file}']`);
                entry.name_address = keep(encodeText(file));
                entry.data = keep(bytes);
                entry.size = bytes.length;
            });
            pointer = withBytes(content, (bytes, size) => withText(name, (called) =>
                created(C.js_motion_read(bytes, size, called, address, list, names.length,
                    resultAddress(), messageAddress()))));
        } finally {
            release(address);
            taken.forEach(release);
        }
        const format = FileFormatNames[C.sinew_motion_format(pointer)];
        if (animation !== undefined && format !== 'gltf') {
            C.sinew_motion_destroy(pointer);
            refuse('new Motion: animation', animation, `none: ${name} is a ${format.toUpperCase()} file, which holds one motion`);
        }
        super(pointer, () => C.sinew_motion_destroy(pointer));
        this.name = name;
        this.format = format;
        /** Belongs to the file. */
        this.skeleton = this.part(new Skeleton(C.sinew_motion_skeleton(pointer), () => {}));
        /** Belongs to the file. */
        this.clip = this.part(new Clip(this.skeleton, C.sinew_motion_clip(pointer), () => {}));
        /** Metres in one unit of the file. */
        this.unit = C.sinew_motion_unit(pointer);
        /** How sure that is. */
        this.unit_source = UnitSourceNames[C.sinew_motion_unit_source(pointer)];
        /** How tall the figure is, metres; 0: unknown. */
        this.stature = C.sinew_motion_stature(pointer);
    }

    /** Oddities that were met and handled. @returns {string[]} */
    get warnings() {
        return Array.from({ length: C.sinew_motion_warning_count(this.pointer) },
            (_, i) => readText(C.sinew_motion_warning(this.pointer, i)));
    }

    /** The node of a glTF file that a joint stands for, -1: none. @param {number} joint */
    node(joint) { return C.sinew_motion_node(this.pointer, joint); }

    /**
     * What a file that nobody prepared is: its roles, how it stands, and a skeleton with human limits, on
     * which `clip` fits.
     * @param {{ rig?: Rig }} [said] a rig file that refines the guess
     */
    prepare({ rig: said } = {}) {
        const motion = this.clip.frame_count > 0 ? this.clip : undefined;
        return making((keep) => {
            const roles = keep(new Roles(this.skeleton, { motion }));
            const stance = keep(new Stance(this.skeleton, roles, motion));
            const rig = keep(Rig.guess(this.skeleton, roles, { said, motion, unit: this.unit }));
            return { roles, stance, rig, skeleton: rig.apply(this.skeleton) };
        });
    }

    /**
     * The bytes of a file with another motion: for glTF with everything that the file holds.
     * @param {string} name its ending decides the format: `.bvh`, `.glb`
     * @param {Clip} [clip] Default: the file's own.
     * @param {{ unit?: number }} [options]
     * @returns {Uint8Array}
     */
    write(name, clip = this.clip, options = {}) { return writeMotion(name, clip, { ...options, like: this }); }
}

/** The bytes of a motion file. @param {string} name its ending decides the format: `.bvh`, `.glb`, `.gltf`
 * @param {Clip} clip @param {{ unit?: number, like?: Motion, animation?: string }} [options] animation: what it is
 * called in a glTF file, "sinew" without it
 * @returns {Uint8Array} */
export function writeMotion(name, clip, { like, animation = 'sinew', ...fields } = {}) {
    expectText(name, 'writeMotion: name');
    expectA(Clip, clip, 'writeMotion: clip');
    if (like !== undefined) { expectA(Motion, like, 'writeMotion: like'); }
    expectText(animation, 'writeMotion: animation');
    const address = allocate(WriteOptions.size);
    C.sinew_write_options_default(address);
    const results = resultAddress();
    try {
        const options = new WriteOptions(address).assign(fields);
        options.like = like?.pointer ?? 0;
        withText(animation, (called) => withText(name, (text) => {
            options.animation_address = called;
            created(C.sinew_motion_write_memory(
                text, clip.pointer, address, 0, results, results + 4, messageAddress()));
        }));
        const [data, size] = u32().subarray(results >> 2, (results >> 2) + 2);
        const bytes = u8().slice(data, data + size);
        release(data);
        return bytes;
    } finally {
        release(address);
    }
}
