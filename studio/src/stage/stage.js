// What every scene stands on: camera, sun and its shadow, sky, ground and haze, in two themes and two qualities.
import {
    BackSide, Color, DirectionalLight, HemisphereLight, Mesh, NeutralToneMapping, PCFShadowMap, PerspectiveCamera,
    Scene, ShaderMaterial, SphereGeometry, SRGBColorSpace, Vector3, WebGLRenderer,
} from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { palettes } from './palette.js'
import { flatGround } from './ground.js'

/** Give back what the graphics card holds of something and of all below it. */
export function discard(root) {
    root.traverse((object) => {
        object.geometry?.dispose()
        for (const material of [object.material].flat()) {
            material?.map?.dispose()
            material?.dispose()
        }
        if (object.isInstancedMesh) object.dispose()
    })
}

export class Stage {
    /** quality: 'low' or 'high'; theme: 'light' or 'dark'. Both are fixed: another one is another stage. */
    constructor(parent, { quality, theme }) {
        this.quality = quality
        this.palette = palettes[theme]
        const low = quality === 'low'
        this.renderer = new WebGLRenderer({ antialias: !low, powerPreference: 'high-performance' })
        this.renderer.setPixelRatio(low ? Math.min(1, devicePixelRatio) : Math.min(2, devicePixelRatio))
        this.renderer.toneMapping = NeutralToneMapping
        this.renderer.outputColorSpace = SRGBColorSpace
        this.renderer.shadowMap.enabled = true
        this.renderer.shadowMap.type = PCFShadowMap
        this.canvas = this.renderer.domElement
        this.canvas.tabIndex = 0
        this.canvas.setAttribute('role', 'application')
        this.canvas.setAttribute('aria-label', 'Scene. Tab goes through what can be dragged; arrow keys move it.')
        parent.prepend(this.canvas)

        this.scene = new Scene()
        this.camera = new PerspectiveCamera(32, 1, 0.02, 300)
        this.controls = new OrbitControls(this.camera, this.canvas)
        this.controls.enableDamping = false
        this.controls.maxPolarAngle = Math.PI * 0.53
        this.controls.zoomSpeed = 0.8
        this.addLight(low)
        this.addSky()
        this.ground = flatGround(this.palette, { cell: 1 })
        this.scene.add(this.ground)
        this.focus = new Vector3()
        this.extent = 2
        this.watch = new ResizeObserver(() => this.resize())
        this.watch.observe(parent)
        this.resize()
    }

    addLight(low) {
        const { palette } = this
        this.sun = new DirectionalLight(palette.sun, palette.sunStrength)
        this.sun.castShadow = true
        this.sun.shadow.mapSize.set(low ? 512 : 2048, low ? 512 : 2048)
        this.sun.shadow.radius = low ? 1.5 : 3
        this.sun.shadow.bias = -0.0006
        this.sun.shadow.normalBias = 0.012
        this.sunDirection = new Vector3(0.55, 1, 0.42).normalize()
        this.scene.add(this.sun, this.sun.target, new HemisphereLight(palette.sky, palette.soil, palette.skyStrength))
    }

    addSky() {
        const sky = new Mesh(new SphereGeometry(200, 24, 16), new ShaderMaterial({
            side: BackSide, depthWrite: false, toneMapped: false,
            uniforms: { horizon: { value: new Color(this.palette.horizon) }, zenith: { value: new Color(this.palette.zenith) } },
            vertexShader: 'varying vec3 way; void main() { way = position; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
            fragmentShader: `uniform vec3 horizon, zenith; varying vec3 way;
                void main() {
                    float up = smoothstep(0.0, 0.55, normalize(way).y);
                    gl_FragColor = vec4(mix(horizon, zenith, up), 1.0);
                    #include <colorspace_fragment>
                }`,
        }))
        sky.frustumCulled = false
        this.sky = sky
        this.scene.add(sky)
    }

    /** To the size of the page: seen from the same side, and as much of it as before. */
    resize() {
        const { clientWidth: width, clientHeight: height } = this.canvas.parentElement
        if (!width || !height) return
        const before = this.narrow()
        this.renderer.setSize(width, height, false)
        this.camera.aspect = width / height
        this.camera.updateProjectionMatrix()
        if (this.framing) this.moveAway(Math.sin(before) / Math.sin(this.narrow()))
        this.stale = true
    }

    /** Half of the angle that is seen across or up, whichever is less. */
    narrow() {
        const up = Math.tan((this.camera.fov * Math.PI) / 360)
        return Math.atan(up * Math.min(1, this.camera.aspect))
    }

    /** The camera so many times as far from what it looks at. */
    moveAway(times) {
        const { controls, camera } = this
        controls.maxDistance *= times
        camera.position.sub(controls.target).multiplyScalar(times).add(controls.target)
        controls.update()
    }

    /**
     * Look at a place from a side so that a ball of a radius fills the picture, whatever its shape.
     * center [x, y, z] and radius in metres; azimuth and height in degrees; 0 looks at the body's face.
     */
    frame({ center, radius, azimuth = 30, height = 12 }) {
        this.framing = { center, radius, azimuth, height }
        const away = (radius / Math.sin(this.narrow())) * 0.98
        const turn = (azimuth * Math.PI) / 180, lift = (height * Math.PI) / 180
        this.controls.target.set(...center)
        this.camera.position.set(
            center[0] + away * Math.sin(turn) * Math.cos(lift), center[1] + away * Math.sin(lift),
            center[2] + away * Math.cos(turn) * Math.cos(lift))
        this.controls.minDistance = radius * 0.25
        this.controls.maxDistance = away * 6
        this.controls.update()
        this.light(center, Math.max(radius * 1.6, 0.3))
        this.stale = true
    }

    /** Put the shadow's box about a place. */
    light(center, extent) {
        this.focus.set(...center)
        this.sun.target.position.copy(this.focus)
        this.sun.position.copy(this.focus).addScaledVector(this.sunDirection, extent * 3)
        const box = this.sun.shadow.camera
        if (this.extent !== extent) {
            this.extent = extent
            Object.assign(box, { left: -extent, right: extent, top: extent, bottom: -extent, near: 0.01, far: extent * 7 })
            box.updateProjectionMatrix()
        }
        const ground = this.groundUniforms
        ground.middle.value = [center[0], center[2]]
    }

    get groundUniforms() { return this.ground.material.userData.uniforms }

    /** Lines every so many metres, and how far away the ground dissolves in the haze. */
    setGround({ cell, fade, visible = true, y = 0 }) {
        this.ground.visible = visible
        this.ground.position.y = y
        this.groundUniforms.cell.value = cell
        this.groundUniforms.fade.value = fade
    }

    /** Take another ground mesh in place of the level one; null: the level one again. */
    replaceGround(mesh) {
        this.levelGround ??= this.ground
        this.scene.remove(this.ground)
        if (this.ground !== this.levelGround) discard(this.ground)
        this.ground = mesh ?? this.levelGround
        this.scene.add(this.ground)
    }

    /** Go along with something that moves, keeping the side it is seen from. */
    follow(x, y, z, share = 1) {
        const { target } = this.controls
        const dx = (x - target.x) * share, dy = (y - target.y) * share, dz = (z - target.z) * share
        target.x += dx; target.y += dy; target.z += dz
        this.camera.position.x += dx; this.camera.position.y += dy; this.camera.position.z += dz
        this.light([target.x, target.y, target.z], this.extent)
    }

    draw() {
        this.controls.update()
        this.sky.position.copy(this.camera.position)
        this.renderer.render(this.scene, this.camera)
        this.stale = false
    }

    /** Place in pixels of the canvas, and whether it is before the camera. */
    project(position, out = {}) {
        scratch.set(position[0], position[1], position[2]).project(this.camera)
        out.x = (scratch.x * 0.5 + 0.5) * this.canvas.clientWidth
        out.y = (0.5 - scratch.y * 0.5) * this.canvas.clientHeight
        out.visible = scratch.z < 1 && scratch.z > -1
        out.depth = scratch.z
        return out
    }

    /** The place under a pixel at the depth of another place: dragging in the plane of the screen. */
    unproject(x, y, depth) {
        scratch.set((x / this.canvas.clientWidth) * 2 - 1, 1 - (y / this.canvas.clientHeight) * 2, depth).unproject(this.camera)
        return [scratch.x, scratch.y, scratch.z]
    }

    /** Metres that one pixel measures at a place. */
    metresPerPixel(position) {
        scratch.set(...position)
        const away = scratch.distanceTo(this.camera.position)
        return (2 * away * Math.tan((this.camera.fov * Math.PI) / 360)) / this.canvas.clientHeight
    }

    dispose() {
        this.watch.disconnect()
        this.controls.dispose()
        this.replaceGround(null)
        discard(this.scene)
        this.renderer.dispose()
        // browsers allow a dozen contexts; each theme and quality takes a new one
        this.renderer.forceContextLoss()
        this.canvas.remove()
    }
}

const scratch = new Vector3()
