import { C, Owned, addGround, allocate, check, created, messageAddress, release, removeGround, resultAddress, withText } from './core.js';
import { f64, u32 } from './memory.js';
import { Ground as GroundStruct, GroundSample, TerrainDef, TerrainPatch } from '../dist/structs.js';

/** Ground that a walker walks on, of whatever kind. */
export class GroundBase extends Owned {
    /** @param {number} pointer @param {() => void} free @param {number} ground address of a sinew_Ground */
    constructor(pointer, free, ground) {
        const sample = allocate(GroundSample.size);
        super(pointer, () => {
            free();
            release(sample);
        });
        /** @readonly */
        this.ground = ground;
        this.result = new GroundSample(sample);
    }

    /** Height and normal there; always the same object.
     * @param {number} x @param {number} z */
    sample(x, z) {
        C.sinew_ground_sample(this.result.pointer, this.ground, x, z);
        return this.result;
    }
}

/** Ground that answers in JavaScript, as from a game's own ray casts:
 * `new Ground((x, z, normal) => { normal.y = 1; return height(x, z); })`. Same place, same answer. */
export class Ground extends GroundBase {
    /** @param {import('./core.js').GroundFunction} answer metres at (x, z); writes the unit normal, which is
     *     (0, 1, 0) before */
    constructor(answer) {
        const pointer = allocate(GroundStruct.size), id = addGround(answer);
        C.js_ground_callback(pointer, id);
        super(pointer, () => {
            removeGround(id);
            release(pointer);
        }, pointer);
    }
}

/** A terrain of sinew: from a name such as `'hills:3'`, `'stairs'`, `'slope:20'`, or from heights. */
export class Terrain extends GroundBase {
    /** @param {string | { heights: ArrayLike<number>, columns: number, rows: number, cell?: number,
     *     outside?: import('../dist/structs.js').TerrainOutside }} from a name, or a grid of heights */
    constructor(from) {
        const address = allocate(TerrainDef.size), ground = allocate(GroundStruct.size);
        let heights = 0, pointer;
        try {
            const def = new TerrainDef(address);
            if (typeof from === 'string') {
                withText(from, (text) => check(C.sinew_terrain_parse(text, address, messageAddress())));
            } else {
                C.sinew_terrain_def_default(address, 6);
                const { heights: values, ...rest } = from;
                heights = allocate(8 * values.length);
                f64().set(values, heights >> 3);
                def.assign(rest);
                def.heights = heights;
            }
            pointer = created(C.sinew_terrain_create(address, resultAddress(), messageAddress()));
        } catch (reason) {
            release(ground);
            throw reason;
        } finally {
            release(address);
            if (heights !== 0) { release(heights); }
        }
        C.sinew_terrain_ground(ground, pointer);
        super(pointer, () => {
            C.sinew_terrain_destroy(pointer);
            release(ground);
        }, ground);
    }

    /** The mesh of its patch: places and triangles, copies that are yours.
     * @returns {{ positions: Float32Array, indices: Uint32Array, columns: number, rows: number,
     *     low_x: number, low_z: number, high_x: number, high_z: number }} */
    mesh() {
        const address = allocate(TerrainPatch.size);
        C.sinew_terrain_patch(address, this.pointer);
        const { vertex_count, triangle_count, columns, rows, low_x, low_z, high_x, high_z }
            = new TerrainPatch(address);
        const vertices = allocate(24 * vertex_count), triangles = allocate(12 * triangle_count);
        C.sinew_terrain_mesh(this.pointer, vertices, triangles);
        const positions = Float32Array.from(f64().subarray(vertices >> 3, (vertices >> 3) + 3 * vertex_count));
        const indices = u32().slice(triangles >> 2, (triangles >> 2) + 3 * triangle_count);
        for (const block of [address, vertices, triangles]) { release(block); }
        return { positions, indices, columns, rows, low_x, low_z, high_x, high_z };
    }
}
