// Keys, in a dialog.
import { el } from './dom.js'

const keys = [
    ['drag', 'a ball: its target. Elsewhere: look around; wheel or two fingers: nearer and to the side'],
    ['click', 'a ball: arrows to move it along one axis (M: turn it)'],
    ['Tab', 'from one target to the next; arrows, Page up and Page down move it, Shift in small steps; Enter, then M: they turn it'],
    ['W A S D', 'walk, also by arrows, gamepad and the stick on the screen; Shift: sideways'],
    ['space', 'play and pause'],
    ['.  R', 'one step; start again'],
    ['−  +', 'slower, faster'],
    ['Ctrl Z', 'undo: a drag, a turn, a control; Ctrl Shift Z or Ctrl Y: redo (on a Mac Cmd)'],
    ['G  F', 'next graph; look at all of it again'],
    ['P  T', 'save a picture; light or dark'],
    ['1 … 7', 'scenes'],
]

export function showHelp() {
    const dialog = el('dialog', { 'aria-labelledby': 'help-title', onclose: () => dialog.remove(), onclick: (event) => { if (event.target === dialog) dialog.close() } },
        el('h2', { id: 'help-title' }, 'Keys'),
        el('dl', {}, keys.flatMap(([key, text]) => [el('dt', {}, key), el('dd', {}, text)])),
        el('p', { className: 'about' }, 'Files that are dropped stay on this machine. Every control has a place in the address; the share button adds what you did, and whoever opens that link sees the same bits.'),
        el('p', {}, el('button', { type: 'button', className: 'push', autofocus: true, onclick: () => dialog.close() }, 'Close')))
    document.body.append(dialog)
    dialog.showModal()
}
