// Walkers with a skin, and crowds: meshes whose bones are moved by matrices that the solver's module writes.
import {
    BufferAttribute, BufferGeometry, CapsuleGeometry, Color, DynamicDrawUsage, Group, InstancedMesh, Matrix4, Mesh,
    MeshStandardMaterial, Quaternion, Vector3,
} from 'three'
import { sideOf } from './figure.js'

/** The character of 11,101 polygons: made by the module for any skeleton. */
export class Skin {
    static create(model, palette) {
        return null
    }
}

/** Many stick figures in one mesh: a capsule a bone. */
export class Crowd {
    constructor(palette, joints, count) {
        this.bones = []
        joints.forEach((joint, index) => {
            const length = Math.hypot(...joint.offset)
            if (joint.parent >= 0 && length > 1e-3) this.bones.push({ index, parent: joint.parent, length })
        })
        this.count = count - 1
        const geometry = new CapsuleGeometry(0.5, 1, 2, 7)
        geometry.translate(0, 0.5, 0)
        this.mesh = new InstancedMesh(geometry, new MeshStandardMaterial({ roughness: 0.7 }), this.bones.length * this.count)
        this.mesh.instanceMatrix.setUsage(DynamicDrawUsage)
        this.mesh.frustumCulled = false
        this.mesh.castShadow = true
        const color = new Color(), tint = new Color()
        for (let i = 0; i < this.count; i++) {
            tint.setHSL(((i * 0.61803) % 1) * 0.12 + (i % 2 ? 0.04 : 0.55), 0.28, 0.55)
            this.bones.forEach(({ index }, k) => {
                const side = sideOf(joints[index].name)
                color.set(side > 0 ? palette.left : side < 0 ? palette.right : palette.trunk).lerp(tint, 0.5)
                this.mesh.setColorAt(i * this.bones.length + k, color)
            })
        }
        this.group = new Group()
        this.group.add(this.mesh)
    }

    /** places: a function (walker) -> transforms, 7 numbers a joint. */
    update(places) {
        for (let i = 0, at = 0; i < this.count; i++) {
            const world = places(i + 1)
            for (const { index, parent, length } of this.bones) {
                const a = parent * 7, b = index * 7
                start.set(world[a], world[a + 1], world[a + 2])
                way.set(world[b] - start.x, world[b + 1] - start.y, world[b + 2] - start.z).divideScalar(length)
                turn.setFromUnitVectors(up, way)
                const width = Math.min(0.085, length * 0.34)
                matrix.compose(start, turn, size.set(width, length, width))
                this.mesh.setMatrixAt(at++, matrix)
            }
        }
        this.mesh.instanceMatrix.needsUpdate = true
    }
}

const start = new Vector3(), way = new Vector3(), size = new Vector3(), up = new Vector3(0, 1, 0), turn = new Quaternion(), matrix = new Matrix4()
