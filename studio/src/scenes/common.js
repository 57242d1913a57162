// What several scenes share: controls of the solver, and poses as plain numbers.

export const methods = [['auto', 'automatic'], ['pseudo_inverse', 'pseudo-inverse'], ['transpose', 'transpose'],
    ['damped', 'damped (DLS)'], ['selectively_damped', 'selectively damped'], ['ccd', 'CCD']]

/** Method, iterations, damping, start: the same in all scenes. */
export function solverControls({ damping = true, start = true } = {}) {
    return [
        { key: 'method', group: 'Solver', label: 'Method', kind: 'choice', initial: 'auto', choices: methods },
        { key: 'iterations', group: 'Solver', label: 'Iterations a frame', kind: 'range', initial: 0, min: 0, max: 100, step: 1, zeroText: 'as it takes', help: 'At most; 0: as many as it takes' },
        ...(damping ? [{ key: 'lambda', group: 'Solver', label: 'Damping λ', kind: 'range', initial: 0, min: 0.001, max: 1, log: true, zero: true, zeroText: 'by the error', unit: 'm', show: (v) => v.method === 'damped', help: '0: as the error asks' }] : []),
        ...(start ? [{ key: 'start', group: 'Solver', label: 'From', kind: 'choice', initial: 'given', choices: [['given', 'last frame'], ['rest', 'neutral pose'], ['table', 'table of starts']] }] : []),
        { key: 'limits', group: 'Solver', label: 'Limits', kind: 'choice', initial: 'active', choices: [['active', 'active set'], ['clamp', 'clamp'], ['none', 'none']], more: true },
    ]
}

/** Bring a solver to what the controls say. Frames follow each other, so the automatic method keeps its branch. */
export function setSolver(solver, values) {
    solver.setMethod(values.method)
    const { options } = solver
    // frames follow each other: the automatic method keeps to its branch, unless it is to begin elsewhere
    if (values.method === 'auto' && values.start === 'given') options.restarts = 0
    if (values.iterations > 0) options.max_iterations = values.iterations
    if (values.method === 'damped' && values.lambda > 0) options.damping = values.lambda
    if (values.start) options.start = values.start
    if (values.start === 'table') options.restarts = 8
    options.limits = values.limits
}

export function methodText(values) {
    if (values.method === 'auto') return ''
    return `solver.setMethod('${values.method}')\n${values.lambda > 0 && values.method === 'damped' ? `solver.options.damping = ${values.lambda}\n` : ''}`
}

/** [{ name, parent, offset }] of a skeleton, as figures are drawn from it. */
export function jointsOf(skeleton) {
    if (!known.has(skeleton)) {
        known.set(skeleton, skeleton.joints.map(({ parent, offset }, i) => ({ name: skeleton.names[i], parent, offset: [offset.x, offset.y, offset.z] })))
    }
    return known.get(skeleton)
}
const known = new WeakMap()

/** Where a joint is, and how it is turned, after pose.forward(). */
export const place = (pose, joint) => vector(pose.world[joint].position)
export const rotation = (pose, joint) => {
    const { x, y, z, w } = pose.world[joint].rotation
    return [x, y, z, w]
}
export const vector = ({ x, y, z }) => [x, y, z]

/** All of it: 7 numbers a joint, place and rotation. */
export function transforms(pose) { return pose.transforms }

/** One line about a solve. */
export function describe(label, { outcome, error }) {
    return outcome === 'converged' ? `${label} reached` : `${label} missed by ${(error * 1e3).toFixed(0)} millimetres`
}

export const isMotion = ({ name }) => /\.(bvh|glb|gltf)$/i.test(name)
/** What a .gltf refers to, dropped together with it. */
export const isBeside = ({ name }) => /\.(bin|png|jpe?g)$/i.test(name)

/** A motion file, with those among the others that it refers to. */
export function readMotion(sinew, { name, bytes }, others) {
    const files = Object.fromEntries(others.filter(isBeside).map((file) => [file.name, file.bytes]))
    try {
        return new sinew.Motion(bytes, name, { files })
    } catch (error) {
        const missing = /\.gltf$/i.test(name) && error.message.match(/cannot be read .*, expected (.*)$/)
        throw missing ? new Error(`${name} keeps a part of itself in ${missing[1]}: drop the two together`) : error
    }
}
