// Bodies drawn from a skeleton alone: a tapered bone to each child, a ball at each joint, all instances of two
// meshes.
import {
    Color, DynamicDrawUsage, Group, InstancedBufferAttribute, InstancedMesh, LatheGeometry, Matrix4, MeshStandardMaterial,
    Quaternion, SphereGeometry, Vector2, Vector3,
} from 'three'

/** A bone along +Y, 0 to 1, thickest in its upper fifth; its width is set by the instance. */
function boneGeometry(sides) {
    const outline = [[0, -0.03], [0.5, -0.012], [0.82, 0.03], [0.97, 0.1], [1, 0.2], [0.94, 0.4], [0.83, 0.65], [0.74, 0.88], [0.62, 0.965], [0.38, 1.01], [0, 1.025]]
    return new LatheGeometry(outline.map(([x, y]) => new Vector2(Math.max(x, 1e-4), y)), sides)
}

/**
 * Bands across a bone (pattern 1: right limbs) and stripes along it (pattern 2), which show how far it is twisted.
 * Source of the stripes: Blow (2002), figure 1.
 */
function patternedMaterial(options) {
    const material = new MeshStandardMaterial({ roughness: 0.62, metalness: 0, ...options })
    material.onBeforeCompile = (shader) => {
        shader.vertexShader = shader.vertexShader
            .replace('#include <common>', '#include <common>\nattribute float pattern; varying float vPattern; varying vec3 vBone;')
            .replace('#include <begin_vertex>', '#include <begin_vertex>\nvPattern = pattern; vBone = position;')
        shader.fragmentShader = shader.fragmentShader
            .replace('#include <common>', '#include <common>\nvarying float vPattern; varying vec3 vBone;')
            .replace('#include <color_fragment>', `#include <color_fragment>
                float across = abs(fract(vBone.y * 7.0) - 0.5), along = abs(fract(atan(vBone.x, vBone.z) * 1.2732396) - 0.5);
                float wave = vPattern < 1.5 ? across : along;
                float soft = fwidth(vPattern < 1.5 ? vBone.y * 7.0 : wave) + 0.02;
                float amount = vPattern < 0.5 ? 0.0 : (vPattern < 1.5 ? 0.13 : 0.62);
                diffuseColor.rgb *= 1.0 - amount * smoothstep(0.25 - soft, 0.25 + soft, wave);`)
    }
    return material
}

/** Side of a joint by its name: 1 left, -1 right, 0 neither. */
export function sideOf(name) {
    if (/left|^l[_.\d]|(^|[_.\s-])l([_.\s-]|$)/i.test(name)) return 1
    if (/right|^r[_.\d]|(^|[_.\s-])r([_.\s-]|$)/i.test(name)) return -1
    return 0
}

/** Side of the bone to a joint: what hangs on the trunk belongs to the trunk up to its first joint. */
function limbSide(joint, joints) {
    const own = sideOf(joint.name), above = sideOf(joints[joint.parent].name)
    return joints[joint.parent].parent < 0 && !above ? 0 : above && (own || above)
}

export class Figure {
    /**
     * joints    [{ name, parent, offset: [x, y, z] }], root first: offset of a joint in its parent's frame
     * options   tint: one colour for all; striped: stripes along bones; opacity; thickness: share of a bone's length
     */
    constructor(palette, joints, { tint = null, striped = false, opacity = 1, thickness = 0.26, sides = 14, ghost = false, skip = null } = {}) {
        this.joints = joints
        this.bones = []
        this.heads = new Map()
        const size = Math.max(...joints.map(({ offset }) => Math.hypot(...offset)))
        joints.forEach((joint, index) => {
            const length = Math.hypot(...joint.offset)
            if (joint.parent < 0 || length < 1e-4 * size || skip?.(joint, index)) return
            // what a head is, files tell by its name alone
            const isHead = /^(.*:)?head$/i.test(joints[joint.parent].name) && joints.filter(({ parent }) => parent === joint.parent).length === 1
            this.bones.push({ index, parent: joint.parent, length, side: limbSide(joint, joints), isHead })
        })
        const longest = Math.max(...this.bones.map(({ length }) => length), 1e-3)
        for (const bone of this.bones) {
            // short bones would be needles and long ones barrels if width went with length alone
            bone.width = 0.5 * thickness * Math.sqrt(bone.length * longest) * (bone.length < 0.2 * longest ? 0.9 : 0.75)
            bone.width = bone.isHead ? 0.36 * bone.length : Math.min(bone.width, 0.45 * bone.length)
        }
        const transparent = opacity < 1
        const common = { transparent, opacity, depthWrite: !ghost }
        this.boneMesh = new InstancedMesh(boneGeometry(sides), patternedMaterial(common), Math.max(1, this.bones.length))
        this.jointMesh = new InstancedMesh(new SphereGeometry(1, sides + 6, Math.max(8, sides)),
            new MeshStandardMaterial({ roughness: 0.5, ...common }), Math.max(1, joints.length))
        const pattern = new Float32Array(Math.max(1, this.bones.length))
        const color = new Color()
        this.bones.forEach((bone, i) => {
            pattern[i] = striped ? 2 : bone.side < 0 && tint === null ? 1 : 0
            color.set(tint ?? (bone.side > 0 ? palette.left : bone.side < 0 ? palette.right : palette.trunk))
            this.boneMesh.setColorAt(i, color)
        })
        this.radius = new Float64Array(joints.length)
        for (const bone of this.bones) {
            if (bone.isHead) continue
            for (const joint of [bone.index, bone.parent]) {
                this.radius[joint] = this.radius[joint] ? Math.min(this.radius[joint], bone.width * 0.92) : bone.width * 0.92
            }
        }
        joints.forEach((joint, i) => {
            const side = sideOf(joint.name)
            color.set(tint ?? (side > 0 ? palette.left : side < 0 ? palette.right : palette.trunk))
            if (tint === null && !this.bones.some((bone) => bone.isHead && bone.index === i)) color.lerp(scratchColor.set(palette.joint), 0.4)
            this.jointMesh.setColorAt(i, color)
        })
        this.boneMesh.geometry.setAttribute('pattern', new InstancedBufferAttribute(pattern, 1))
        this.group = new Group()
        for (const mesh of [this.boneMesh, this.jointMesh]) {
            mesh.instanceMatrix.setUsage(DynamicDrawUsage)
            mesh.castShadow = !ghost
            mesh.receiveShadow = !ghost
            mesh.frustumCulled = false
            this.group.add(mesh)
        }
        this.boneMesh.count = this.bones.length
    }

    /** world: place and rotation (x, y, z, w) of each joint, with a stride from joint to joint. */
    update(world, stride = 7, place = 0, turn = 3) {
        this.bones.forEach((bone, i) => {
            const a = bone.parent * stride, b = bone.index * stride
            start.set(world[a + place], world[a + place + 1], world[a + place + 2])
            end.set(world[b + place], world[b + place + 1], world[b + place + 2])
            // the shortest turn to the bone from the parent's own frame: stripes turn with the joint
            rotation.set(world[a + turn], world[a + turn + 1], world[a + turn + 2], world[a + turn + 3])
            direction.subVectors(end, start)
            const length = direction.length()
            if (length > 1e-9) direction.divideScalar(length).applyQuaternion(inverse.copy(rotation).invert())
            else direction.set(0, 1, 0)
            rotation.multiply(inverse.setFromUnitVectors(up, direction))
            if (bone.isHead) {
                // an egg, drawn by the ball of the joint at its end
                this.heads.set(bone.index, new Matrix4().compose(start.lerp(end, 0.52), rotation, scale.set(bone.width, length * 0.55, bone.width * 1.1)))
                matrix.makeScale(0, 0, 0)
            } else {
                matrix.compose(start, rotation, scale.set(bone.width, length, bone.width))
            }
            this.boneMesh.setMatrixAt(i, matrix)
        })
        for (let i = 0; i < this.joints.length; i++) {
            const a = i * stride + place
            const radius = this.radius[i], head = this.heads.get(i)
            if (head) {
                this.jointMesh.setMatrixAt(i, head)
                continue
            }
            matrix.makeScale(radius, radius, radius).setPosition(world[a], world[a + 1], world[a + 2])
            this.jointMesh.setMatrixAt(i, matrix)
        }
        this.boneMesh.instanceMatrix.needsUpdate = true
        this.jointMesh.instanceMatrix.needsUpdate = true
    }
}

const start = new Vector3(), end = new Vector3(), direction = new Vector3(), scale = new Vector3(), up = new Vector3(0, 1, 0)
const rotation = new Quaternion(), inverse = new Quaternion(), matrix = new Matrix4(), scratchColor = new Color()
