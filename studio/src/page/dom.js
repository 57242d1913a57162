// Elements in one call each.

/** An element with properties (data-, aria- and on… as attributes and listeners) and children. */
export function el(tag, properties = {}, ...children) {
    const element = document.createElement(tag)
    for (const [name, value] of Object.entries(properties)) {
        if (value === undefined || value === null || value === false) continue
        if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
        else if (name in element && !name.includes('-') && name !== 'list') element[name] = value
        else element.setAttribute(name, value === true ? '' : value)
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined))
    return element
}

const paths = {
    play: 'M7 4.5v15l12-7.5z',
    pause: 'M7 5h3.5v14H7zM13.5 5H17v14h-3.5z',
    step: 'M6 5v14l9-7zM16 5h2.6v14H16z',
    reset: 'M12 5a7 7 0 1 0 6.9 8.2h-2.2A4.9 4.9 0 1 1 12 7.1c1.3 0 2.5.5 3.4 1.4L13 11h6.5V4.5l-2.6 2.6A7 7 0 0 0 12 5z',
    undo: 'M9.200 4.800 10.700 6.300 7.900 9H14a5.500 5.500 0 0 1 0 11H8.500v-2.200H14a3.300 3.300 0 0 0 0-6.600H7.900l2.800 2.700-1.500 1.500L3.900 10.100z',
    redo: 'M14.800 4.800 13.300 6.300 16.100 9H10a5.500 5.500 0 0 0 0 11h5.500v-2.200H10a3.300 3.300 0 0 1 0-6.600h6.100l-2.800 2.700 1.500 1.500 5.300-5.300z',
    share: 'M17 15.5a3 3 0 0 0-2.2 1l-5.1-2.9a3 3 0 0 0 0-1.2l5-2.9a3 3 0 1 0-.8-1.8v.5L8.700 11a3 3 0 1 0 0 4l5.200 3a3 3 0 1 0 3.100-2.500z',
    picture: 'M9 5 7.500 7H4v12h16V7h-3.500L15 5zm3 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zm0 2a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
    theme: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2.200v13.600a6.800 6.800 0 0 1 0-13.600z',
    help: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm-1.200 13.200h2.300v2.100h-2.300zm1.300-9.700c2 0 3.400 1.100 3.400 2.800 0 1.300-.7 2-1.500 2.600-.7.500-.9.800-.9 1.500v.700h-2.200v-.9c0-1.400.6-2 1.400-2.600.600-.5.900-.7.9-1.200 0-.6-.4-1-1.100-1s-1.200.4-1.200 1.200H8.700c0-1.900 1.400-3.100 3.400-3.100z',
    sliders: 'M4 7h9v2H4zm13 0h3v2h-3zM14 5h2v6h-2zM4 15h3v2H4zm7 0h9v2h-9zM8 13h2v6H8z',
    close: 'm6.400 5 5.600 5.600L17.600 5 19 6.400 13.400 12l5.600 5.600-1.400 1.400-5.600-5.600L6.400 19 5 17.600l5.600-5.600L5 6.400z',
    copy: 'M8 4h11v13h-2.500v3H5V7h3zm2 2v9h7V6zM8 9H7v9h7.500v-1H8z',
}

/** An icon drawn by us: fonts of some systems lack the signs for play and step. */
export function icon(name) {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    svg.setAttribute('viewBox', '0 0 24 24')
    svg.setAttribute('aria-hidden', 'true')
    svg.innerHTML = `<path d="${paths[name]}"/>`
    return svg
}

/** A button that shows an icon; its name is what a screen reader says and the pointer's hint. */
export function iconButton(name, label, onclick, properties = {}) {
    return el('button', { type: 'button', className: 'icon', title: label, 'aria-label': label, onclick, ...properties }, icon(name))
}
