import {
    C, Owned, addGround, allocate, check, created, making, messageAddress, release, removeGround, resultAddress, throwOfGround,
    withRoom, withText,
} from './core.js';
import { SinewError } from './error.js';
import { expectList, refuse } from './expect.js';
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
        this.result = this.lend(new GroundSample(sample));
    }

    /** Height and normal there; always the same object.
     * @param {number} x @param {number} z */
    sample(x, z) {
        C.sinew_ground_sample(this.result.pointer, this.ground, x, z);
        throwOfGround();
        return this.result;
    }
}

/** Ground that answers in JavaScript, as from a game's own ray casts:
 * `new Ground((x, z, normal) => { normal.y = 1; return height(x, z); })`. Same place, same answer. */
export class Ground extends GroundBase {
    /** @param {import('./core.js').GroundFunction} answer metres at (x, z); writes the unit normal, which is
     *     (0, 1, 0) before */
    constructor(answer) {
        if (typeof answer !== 'function') { refuse('new Ground: answer', answer, 'a function (x, z, normal) => height'); }
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
        const { pointer, ground } = making((keep) => ({
            ground: keep(allocate(GroundStruct.size)),
            pointer: typeof from === 'string' ? makeNamed(from) : makeGrid(from),
        }));
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

/** @param {string} name */
function makeNamed(name) {
    return withRoom(TerrainDef.size, (address) => {
        withText(name, (text) => check(C.sinew_terrain_parse(text, address, messageAddress())));
        return created(C.sinew_terrain_create(address, resultAddress(), messageAddress()));
    });
}

/** @param {{ heights: ArrayLike<number>, columns: number, rows: number }} grid */
function makeGrid(grid) {
    if (typeof grid !== 'object' || grid === null) {
        refuse('new Terrain: from', grid, 'a name, or { heights, columns, rows, cell }');
    }
    const { heights, ...rest } = grid;
    expectList(heights, 'new Terrain: heights');
    if (heights.length !== rest.columns * rest.rows) {
        throw new SinewError('invalid_argument',
            `new Terrain: found ${heights.length} heights, want columns x rows: ${rest.columns} x ${rest.rows}`);
    }
    return withRoom(TerrainDef.size, (address) => withRoom(8 * heights.length, (values) => {
        C.sinew_terrain_def_default(address, 6);
        f64().set(heights, values >> 3);
        const def = new TerrainDef(address).assign(rest);
        def.heights = values;
        return created(C.sinew_terrain_create(address, resultAddress(), messageAddress()));
    }));
}

/** A ground as settings may say it; level ground is null. @param {unknown} ground @param {string} name
 * @returns {GroundBase | null} */
export function groundOf(ground, name) {
    if (ground !== null && !(ground instanceof GroundBase)) { refuse(name, ground, 'a Terrain, a Ground, or null'); }
    void ground?.pointer; // not one that was disposed of
    return ground;
}
