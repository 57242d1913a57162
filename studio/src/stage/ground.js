// The ground: a mesh whose lines are drawn by its shader, so that they stay one pixel wide at any distance.
import { BufferAttribute, BufferGeometry, Color, LinearSRGBColorSpace, Mesh, MeshStandardMaterial, PlaneGeometry } from 'three'

const lines = /* glsl */ `
    float studioLine(float value) {
        float width = fwidth(value);
        float line = abs(fract(value - 0.5) - 0.5) / max(width, 1e-5);
        return (1.0 - min(line, 1.0)) * (1.0 - smoothstep(0.15, 0.6, width));
    }`

/** A material with a grid of metres and, where the ground is not level, contour lines every 20 cm. */
export function groundMaterial(palette, { cell = 1 } = {}) {
    const material = new MeshStandardMaterial({ color: palette.ground, roughness: 1, metalness: 0 })
    material.userData.uniforms = {
        lineColor: { value: new Color(palette.line) },
        contourColor: { value: new Color(palette.contour) },
        // as the screen has it: the haze is laid over what tone mapping made
        farColor: { value: new Color().setHex(palette.horizon, LinearSRGBColorSpace) },
        cell: { value: cell },
        contours: { value: 0 },
        middle: { value: [0, 0] },
        fade: { value: [6, 16] },
    }
    material.onBeforeCompile = (shader) => {
        Object.assign(shader.uniforms, material.userData.uniforms)
        shader.vertexShader = shader.vertexShader
            .replace('#include <common>', '#include <common>\nvarying vec3 vPlace;')
            .replace('#include <worldpos_vertex>', '#include <worldpos_vertex>\nvPlace = (modelMatrix * vec4(transformed, 1.0)).xyz;')
        shader.fragmentShader = shader.fragmentShader
            .replace('#include <common>', `#include <common>
                varying vec3 vPlace;
                uniform vec3 lineColor, contourColor, farColor;
                uniform float cell, contours;
                uniform vec2 middle, fade;
                ${lines}`)
            .replace('#include <color_fragment>', `#include <color_fragment>
                float grid = max(studioLine(vPlace.x / cell), studioLine(vPlace.z / cell));
                diffuseColor.rgb = mix(diffuseColor.rgb, lineColor, 0.62 * grid);
                diffuseColor.rgb = mix(diffuseColor.rgb, contourColor, contours * 0.6 * studioLine(vPlace.y / 0.2 + 0.5));`)
            .replace('#include <dithering_fragment>', `
                gl_FragColor.rgb = mix(gl_FragColor.rgb, farColor, smoothstep(fade.x, fade.y, distance(vPlace.xz, middle)));`)
    }
    return material
}

export function flatGround(palette, options) {
    const geometry = new PlaneGeometry(400, 400)
    geometry.rotateX(-Math.PI / 2)
    const mesh = new Mesh(geometry, groundMaterial(palette, options))
    mesh.receiveShadow = true
    return mesh
}

/** A ground of heights(x, z) over a square that can be moved under a walker: only where it is seen. */
export class MovingGround {
    /** columns along x, rows along z; steps: hard edges, for stairs, whose heights change along z alone */
    constructor(palette, height, { size = 40, columns = 160, rows = columns, steps = false } = {}) {
        Object.assign(this, { height, size, columns, rows })
        const side = columns + 1, corners = side * (rows + 1)
        this.positions = new Float32Array(corners * 3)
        this.normals = new Float32Array(corners * 3)
        const index = new Uint32Array(columns * rows * 6)
        for (let row = 0, at = 0; row < rows; row++) {
            for (let column = 0; column < columns; column++) {
                const corner = row * side + column
                index.set([corner, corner + side, corner + 1, corner + 1, corner + side, corner + side + 1], at)
                at += 6
            }
        }
        const geometry = new BufferGeometry()
        geometry.setAttribute('position', new BufferAttribute(this.positions, 3))
        geometry.setAttribute('normal', new BufferAttribute(this.normals, 3))
        geometry.setIndex(new BufferAttribute(index, 1))
        this.mesh = new Mesh(geometry, groundMaterial(palette))
        this.mesh.material.flatShading = steps
        this.mesh.receiveShadow = true
        this.mesh.castShadow = true
        this.mesh.frustumCulled = false
        this.x = this.z = NaN
    }

    /** Bring the square under a place; heights are asked only when it left the middle. */
    follow(x, z) {
        if (Math.abs(x - this.x) < this.size / 8 && Math.abs(z - this.z) < this.size / 8) return
        // moved by whole cells, so that heights stay where they are
        const across = this.size / this.columns, along = this.size / this.rows
        this.x = Math.round(x / across) * across
        this.z = Math.round(z / along) * along
        for (let row = 0, at = 0; row <= this.rows; row++) {
            for (let column = 0; column <= this.columns; column++, at += 3) {
                const px = this.x - this.size / 2 + column * across, pz = this.z - this.size / 2 + row * along
                this.positions[at] = px
                this.positions[at + 1] = this.height(px, pz)
                this.positions[at + 2] = pz
            }
        }
        const geometry = this.mesh.geometry
        geometry.computeVertexNormals()
        geometry.attributes.position.needsUpdate = true
        geometry.attributes.normal.needsUpdate = true
    }
}
