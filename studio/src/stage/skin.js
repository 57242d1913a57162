// Walkers with a skin, and crowds: meshes whose bones are moved by matrices that the solver's module writes.
import {
    BufferAttribute, BufferGeometry, CapsuleGeometry, Color, DataTexture, DynamicDrawUsage, FloatType, InstancedBufferAttribute, InstancedMesh,
    DoubleSide, FrontSide, Group, Matrix4, Mesh, MeshStandardMaterial, RGBAFormat, SRGBColorSpace, Texture, Skeleton, SkinnedMesh, Sphere, Bone, Uint16BufferAttribute, Vector3,
} from 'three'
import { sideOf } from './figure.js'

/** The character of 11,101 polygons, made by the module for any skeleton. */
export class Skin {
    constructor(sinew, skeleton, palette, motion) {
        this.character = new sinew.Character(skeleton, { motion })
        const { positions, normals, joints, weights, indices } = this.character.mesh()
        const geometry = new BufferGeometry()
        geometry.setAttribute('position', new BufferAttribute(positions, 3))
        geometry.setAttribute('normal', new BufferAttribute(normals, 3))
        geometry.setAttribute('skinIndex', new Uint16BufferAttribute(joints, 4))
        geometry.setAttribute('skinWeight', new BufferAttribute(weights, 4))
        geometry.setIndex(new BufferAttribute(indices, 1))
        let start = 0
        this.character.part_counts.forEach((count, part) => {
            geometry.addGroup(start * 3, count * 3, part)
            start += count
        })
        const soft = new Color(palette.trunk)
        const materials = [palette.trunk, palette.left, palette.right].map((color) =>
            new MeshStandardMaterial({ color: new Color(color).lerp(soft, 0.15), roughness: 0.7 }))
        this.mesh = new SkinnedMesh(geometry, materials)
        this.mesh.castShadow = this.mesh.receiveShadow = true
        this.mesh.frustumCulled = false
        // three would look for the bones of its own
        this.mesh.boundingSphere = new Sphere(new Vector3(), 1e3)
        // the texture is the module's own memory: nothing is copied before the upload
        const bones = new Skeleton([new Bone()], [new Matrix4()])
        bones.update = () => {}
        this.bones = bones
        this.mesh.bind(bones, new Matrix4())
        this.renew()
    }

    renew() {
        const side = this.character.texture_size
        this.bones.boneTexture?.dispose()
        this.bones.boneTexture = new DataTexture(this.character.matrices, side, side, RGBAFormat, FloatType)
        this.bones.boneTexture.needsUpdate = true
        this.shown = this.character.matrices
    }

    update(pose) {
        const matrices = this.character.update(pose)
        if (matrices !== this.shown) this.renew()
        this.bones.boneTexture.needsUpdate = true
    }

    dispose() {
        this.bones.boneTexture.dispose()
        this.character.dispose()
    }
}

/** What a glTF file draws itself; the module moves its vertices. */
export class FileMesh {
    constructor(sinew, motion) {
        this.group = new Group()
        this.mesh = new sinew.Mesh(motion)
        this.isThere = this.mesh.parts.length > 0
        const textures = new Map()
        this.geometries = this.mesh.parts.map(({ indices, uvs, color, image, double_sided, start, vertex_count }) => {
            const geometry = new BufferGeometry()
            geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * vertex_count), 3).setUsage(DynamicDrawUsage))
            if (uvs) geometry.setAttribute('uv', new BufferAttribute(uvs, 2))
            geometry.setIndex(new BufferAttribute(indices, 1))
            const [r, g, b, opacity] = color
            const material = new MeshStandardMaterial({
                color: new Color(r, g, b), opacity, transparent: opacity < 1, side: double_sided ? DoubleSide : FrontSide, roughness: 0.75,
            })
            if (image >= 0 && uvs) {
                if (!textures.has(image)) textures.set(image, this.texture(image))
                const texture = textures.get(image)
                if (texture) material.map = texture
            }
            const drawn = new Mesh(geometry, material)
            drawn.castShadow = drawn.receiveShadow = true
            drawn.frustumCulled = false
            this.group.add(drawn)
            return { geometry, start, vertex_count }
        })
        this.textures = textures
    }

    texture(index) {
        const bytes = this.mesh.image(index)
        if (!bytes) return null
        const texture = new Texture()
        texture.colorSpace = SRGBColorSpace
        texture.flipY = false
        createImageBitmap(new Blob([bytes])).then((image) => {
            texture.image = image
            texture.needsUpdate = true
        }, () => { /* an image that the browser does not know: the plain colour stays */ })
        return texture
    }

    update(pose) {
        const positions = this.mesh.update(pose)
        for (const { geometry, start, vertex_count } of this.geometries) {
            const attribute = geometry.getAttribute('position')
            attribute.array.set(positions.subarray(3 * start, 3 * (start + vertex_count)))
            attribute.needsUpdate = true
            geometry.computeVertexNormals()
        }
    }

    dispose() {
        for (const texture of this.textures.values()) texture?.dispose()
        this.mesh.dispose()
    }
}

/** Many stick figures in one mesh: a bone is a capsule, its matrix is written by the module. */
export class CrowdMesh {
    constructor(palette, crowd, joints) {
        this.crowd = crowd
        const count = crowd.count * (joints.length - 1)
        const geometry = new CapsuleGeometry(1, 1, 2, 7)
        geometry.scale(1, 1 / 3, 1)
        geometry.translate(0, 0.5, 0)
        this.mesh = new InstancedMesh(geometry, new MeshStandardMaterial({ roughness: 0.7 }), count)
        this.mesh.frustumCulled = false
        this.mesh.boundingSphere = new Sphere(new Vector3(), 1e3)
        this.mesh.castShadow = true
        const color = new Color(), tint = new Color()
        for (let i = 0, at = 0; i < crowd.count; i++) {
            tint.setHSL(i % 3 ? 0.57 : 0.06, 0.25, 0.42 + 0.3 * ((i * 0.61803) % 1))
            for (let joint = 1; joint < joints.length; joint++) {
                const side = sideOf(joints[joint].name)
                color.set(side > 0 ? palette.left : side < 0 ? palette.right : palette.trunk).lerp(tint, 0.45)
                this.mesh.setColorAt(at++, color)
            }
        }
        this.renew()
    }

    renew() {
        this.shown = this.crowd.bones
        this.mesh.instanceMatrix = new InstancedBufferAttribute(this.shown, 16)
        this.mesh.instanceMatrix.setUsage(DynamicDrawUsage)
    }

    update() {
        const bones = this.crowd.updateBones()
        if (bones !== this.shown) this.renew()
        this.mesh.instanceMatrix.needsUpdate = true
    }
}
