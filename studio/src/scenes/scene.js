// What a scene is. Each stands in a file of its own and registers itself:
//
//     register({
//         name, title,             of the link and the tab
//         hint: { title, text },   one sentence that says what to do
//         caption, about,          the figure it redoes; more for those who ask
//         controls: [...],         page/controls.js
//         takesFiles, mergeFiles(old, dropped)
//         isLive,                  undo sets its controls back, and it goes on from where it is (session.js)
//         code(values),            the ten lines that make it
//         model(sinew, values, files, before),
//         view(kit, model),
//     })
//
// A model computes and knows nothing of pictures, so it runs in Node as well (headless.js):
//     tick(dt)                 one step
//     handles                  [{ id, label, position, rotation?, unmet, error, along? }] to take hold of
//     drag(id, [x, y, z]), turn(id, [x, y, z, w]), stick(x, y, strafe), set(key, value, values), act(name)
//                              set returns false where the model has to be made anew
//     figures                  { error, iterations, micros? } of the last tick; error in metres
//     why(handle), outcome()   words
//     state()                  arrays of numbers: what same bits are judged by
//     duration, hasStick, framingKey, dispose()
//
// A view draws a model: update(model) each frame, tick(model) each step, look(key, value), framing, dispose(). What it
// adds to kit.group and kit.overlay is its own.

export const scenes = []

export function register(scene) { scenes.push(scene) }

export function findScene(name) { return scenes.find((scene) => scene.name === name) }
