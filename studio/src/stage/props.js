// Things that stand about: what a hand reaches for.
import {
    BoxGeometry, CanvasTexture, CylinderGeometry, Group, LatheGeometry, Mesh, MeshPhysicalMaterial, MeshStandardMaterial,
    SRGBColorSpace, TorusGeometry, Vector2, DoubleSide,
} from 'three'

function solid(geometry, color, options = {}) {
    const mesh = new Mesh(geometry, new MeshStandardMaterial({ color, roughness: 0.6, ...options }))
    mesh.castShadow = mesh.receiveShadow = true
    return mesh
}

/** A cube with a letter on each side, so that its turn is seen. Blow (2002), figure 1, has a textured one. */
export function letteredCube(size, palette) {
    const names = ['+x', '−x', '+y', '−y', '+z', '−z']
    const colors = [palette.left, palette.left, palette.good, palette.good, palette.right, palette.right]
    const materials = names.map((name, i) => {
        if (typeof document === 'undefined') return new MeshStandardMaterial({ color: colors[i] })
        const canvas = Object.assign(document.createElement('canvas'), { width: 128, height: 128 })
        const context = canvas.getContext('2d')
        context.fillStyle = `#${colors[i].toString(16).padStart(6, '0')}`
        context.fillRect(0, 0, 128, 128)
        context.strokeStyle = '#ffffffcc'
        context.lineWidth = 8
        context.strokeRect(10, 10, 108, 108)
        context.fillStyle = '#fff'
        context.font = '600 52px system-ui, sans-serif'
        context.textAlign = 'center'
        context.textBaseline = 'middle'
        context.fillText(name, 64, 68)
        const texture = new CanvasTexture(canvas)
        texture.colorSpace = SRGBColorSpace
        texture.anisotropy = 4
        return new MeshStandardMaterial({ map: texture, roughness: 0.55 })
    })
    const mesh = new Mesh(new BoxGeometry(size, size, size), materials)
    mesh.castShadow = true
    return mesh
}

/** A mug whose handle is to the +X side, standing on the origin. */
export function mug(palette, height = 0.095) {
    const group = new Group(), r = height * 0.42
    const profile = [[0, 0], [r * 0.92, 0], [r, height * 0.06], [r, height], [r * 0.9, height], [r * 0.9, height * 0.09], [0, height * 0.09]]
    const cup = solid(new LatheGeometry(profile.map(([x, y]) => new Vector2(x, y)), 40), palette.china, { roughness: 0.3, side: DoubleSide })
    const ear = solid(new TorusGeometry(height * 0.27, height * 0.065, 12, 28, Math.PI * 1.1), palette.china, { roughness: 0.3 })
    ear.rotation.z = -Math.PI * 0.55
    ear.position.set(r * 0.97, height * 0.52, 0)
    const band = solid(new CylinderGeometry(r * 1.005, r * 1.005, height * 0.14, 40, 1, true), palette.target)
    band.position.y = height * 0.72
    group.add(cup, ear, band)
    return group
}

/** A glass standing on the origin. */
export function glass(palette, height = 0.12) {
    const r = height * 0.29
    const profile = [[0, 0], [r * 0.85, 0], [r, height], [r * 0.94, height], [r * 0.8, height * 0.07], [0, height * 0.07]]
    const mesh = new Mesh(new LatheGeometry(profile.map(([x, y]) => new Vector2(x, y)), 40),
        new MeshPhysicalMaterial({ color: palette.glass, roughness: 0.06, metalness: 0, transparent: true, opacity: 0.62, side: DoubleSide, clearcoat: 1 }))
    mesh.castShadow = true
    const water = solid(new CylinderGeometry(r * 0.9, r * 0.8, height * 0.55, 32), palette.left, { transparent: true, opacity: 0.55, roughness: 0.1 })
    water.position.y = height * 0.36
    const group = new Group()
    group.add(mesh, water)
    return group
}

/** A table: a round top and one foot, its surface at a height. */
export function table(palette, height, radius = 0.36) {
    const group = new Group()
    const top = solid(new CylinderGeometry(radius, radius * 0.985, 0.028, 64), palette.wood)
    top.position.y = height - 0.014
    const leg = solid(new CylinderGeometry(0.022, 0.03, height - 0.03, 24), palette.dark)
    leg.position.y = (height - 0.03) / 2
    const foot = solid(new CylinderGeometry(radius * 0.55, radius * 0.6, 0.02, 48), palette.dark)
    foot.position.y = 0.01
    group.add(top, leg, foot)
    return group
}

/** A post that holds up what hangs in the air. */
export function post(palette, [x, y, z], radius = 0.018) {
    const group = new Group()
    const rod = solid(new CylinderGeometry(radius * 0.7, radius, y, 20), palette.dark, { roughness: 0.4 })
    rod.position.set(x, y / 2, z)
    const foot = solid(new CylinderGeometry(radius * 7, radius * 7.4, 0.016, 40), palette.dark, { roughness: 0.4 })
    foot.position.set(x, 0.008, z)
    group.add(rod, foot)
    return group
}
