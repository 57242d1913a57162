// Small things that are drawn beside bodies: targets, lines, arcs, pyramids, paths.
import {
    BufferAttribute, BufferGeometry, ConeGeometry, DoubleSide, DynamicDrawUsage, Group, InstancedMesh, Line, LineBasicMaterial,
    LineLoop, Matrix4, Mesh, MeshBasicMaterial, MeshStandardMaterial, RingGeometry, SphereGeometry, TorusGeometry,
    Vector3,
} from 'three'

export function ball(radius, color, options = {}) {
    const mesh = new Mesh(new SphereGeometry(radius, 24, 16), new MeshStandardMaterial({ color, roughness: 0.45, ...options }))
    mesh.castShadow = true
    return mesh
}

/** A target: a ball inside a ring that faces the camera, seen through bodies. */
export class Target {
    constructor(palette, radius) {
        this.palette = palette
        this.group = new Group()
        this.core = new Mesh(new SphereGeometry(radius, 24, 16),
            new MeshStandardMaterial({ color: palette.target, roughness: 0.4, emissive: palette.target, emissiveIntensity: 0.25 }))
        this.ring = new Mesh(new TorusGeometry(radius * 1.75, radius * 0.16, 10, 48),
            new MeshBasicMaterial({ color: palette.target, depthTest: false, transparent: true, opacity: 0.9 }))
        this.shade = new Mesh(new SphereGeometry(radius, 24, 16),
            new MeshBasicMaterial({ color: palette.target, depthTest: false, transparent: true, opacity: 0.28 }))
        this.ring.renderOrder = this.shade.renderOrder = 5
        this.core.castShadow = true
        this.group.add(this.core, this.shade, this.ring)
    }

    update(position, camera, state = 'met') {
        this.group.position.set(position[0], position[1], position[2])
        this.ring.quaternion.copy(camera.quaternion)
        const color = state === 'unmet' ? this.palette.unmet : state === 'dim' ? this.palette.ghost : this.palette.target
        this.core.material.color.set(color)
        this.core.material.emissive.set(color)
        this.ring.material.color.set(color)
        this.shade.material.color.set(color)
        this.ring.scale.setScalar(state === 'active' ? 1.25 : 1)
    }
}

/** A line through places; closed or open. */
export class Curve {
    constructor(capacity, color, { closed = false, opacity = 1, depthTest = true } = {}) {
        this.positions = new Float32Array(capacity * 3)
        const geometry = new BufferGeometry()
        geometry.setAttribute('position', new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage))
        const material = new LineBasicMaterial({ color, transparent: opacity < 1 || !depthTest, opacity, depthTest })
        this.mesh = closed ? new LineLoop(geometry, material) : new Line(geometry, material)
        this.mesh.frustumCulled = false
        this.capacity = capacity
        this.set([])
    }

    set(points) {
        const count = Math.min(points.length, this.capacity)
        for (let i = 0; i < count; i++) this.positions.set(points[i], i * 3)
        this.mesh.geometry.setDrawRange(0, count)
        this.mesh.geometry.attributes.position.needsUpdate = true
        this.mesh.visible = count > 1
    }
}

/** The last places of something that moves: a line, and a dot for each moment, whose distances show its speed. */
export class Path {
    constructor(color, capacity = 240, { dots = 0, ...options } = { opacity: 0.75 }) {
        this.curve = new Curve(capacity, color, options)
        this.mesh = new Group()
        this.mesh.add(this.curve.mesh)
        this.points = []
        this.capacity = capacity
        if (!dots) return
        this.dots = new InstancedMesh(new SphereGeometry(dots, 10, 8), new MeshBasicMaterial({ color }), capacity)
        this.dots.frustumCulled = false
        this.dots.count = 0
        this.mesh.add(this.dots)
    }

    add(position) {
        const last = this.points.at(-1)
        if (last && Math.hypot(position[0] - last[0], position[1] - last[1], position[2] - last[2]) < 5e-4) return
        this.points.push([...position])
        if (this.points.length > this.capacity) this.points.shift()
        this.show()
    }

    show() {
        this.curve.set(this.points)
        if (!this.dots) return
        const every = 4
        this.dots.count = Math.floor(this.points.length / every)
        for (let i = 0; i < this.dots.count; i++) this.dots.setMatrixAt(i, place.makeTranslation(...this.points[i * every]))
        this.dots.instanceMatrix.needsUpdate = true
    }

    clear() {
        this.points.length = 0
        this.show()
    }
}

/** A small pyramid that stands on its tip: where a foot will land. */
export function pyramid(size, color) {
    const mesh = new Mesh(new ConeGeometry(size * 0.5, size, 4), new MeshStandardMaterial({ color, roughness: 0.5, emissive: color, emissiveIntensity: 0.2 }))
    mesh.geometry.rotateX(Math.PI)
    mesh.geometry.translate(0, size * 0.5, 0)
    mesh.castShadow = true
    return mesh
}

/** A sheet of triangles from one place to a loop of others: windows, fans, hulls. */
export class Fan {
    constructor(capacity, color, { opacity = 0.2 } = {}) {
        this.positions = new Float32Array(capacity * 9)
        const geometry = new BufferGeometry()
        geometry.setAttribute('position', new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage))
        this.mesh = new Mesh(geometry, new MeshBasicMaterial({ color, transparent: true, opacity, side: DoubleSide, depthWrite: false }))
        this.mesh.frustumCulled = false
        this.capacity = capacity
        this.set([0, 0, 0], [])
    }

    set(tip, loop, closed = true) {
        const count = Math.min(loop.length - (closed ? 0 : 1), this.capacity)
        for (let i = 0; i < count; i++) {
            this.positions.set(tip, i * 9)
            this.positions.set(loop[i], i * 9 + 3)
            this.positions.set(loop[(i + 1) % loop.length], i * 9 + 6)
        }
        this.mesh.geometry.setDrawRange(0, Math.max(0, count) * 3)
        this.mesh.geometry.attributes.position.needsUpdate = true
        this.mesh.visible = count > 0
    }
}

/** A flat disc on the ground. */
export function disc(radius, color, { inner = 0, opacity = 0.8 } = {}) {
    const mesh = new Mesh(new RingGeometry(inner, radius, 48), new MeshBasicMaterial({ color, transparent: true, opacity, depthWrite: false, side: DoubleSide }))
    mesh.geometry.rotateX(-Math.PI / 2)
    return mesh
}

/** A ring that can be grabbed: turns a joint about its normal. */
export class TurnRing {
    constructor(color, thickness = 0.022) {
        this.mesh = new Mesh(new TorusGeometry(1, thickness, 8, 72), new MeshBasicMaterial({ color, transparent: true, opacity: 0.85 }))
    }

    set(center, normal, radius) {
        this.mesh.position.set(...center)
        this.mesh.scale.setScalar(radius)
        this.mesh.quaternion.setFromUnitVectors(forward, scratch.set(...normal))
    }
}

const place = new Matrix4()
const forward = new Vector3(0, 0, 1)
const scratch = new Vector3()
