// Colours of what is drawn in the canvas. Left is blue and right is orange everywhere in sinew's pictures;
// right limbs are banded as well, since colour alone tells nothing to one man in twelve.

export const palettes = {
    light: {
        horizon: 0xf6f4f0, zenith: 0xdde5ec, ground: 0xcbc8c2, line: 0x9d978c, contour: 0x979187,
        sun: 0xfff6e8, sunStrength: 1.9, sky: 0xffffff, soil: 0xe6dfd4, skyStrength: 2.5,
        trunk: 0xb9b6b0, left: 0x6fa3d0, right: 0xe79672, joint: 0x6d7178, skin: 0xd9a783, dark: 0x3a3f46,
        target: 0xd6246e, held: 0x2a7f9e, unmet: 0xb3261e, good: 0x2f9e62, path: 0x2a7f9e, ghost: 0x8f97a1, clay: 0xdedad3,
        window: 0x7a5fc0, lead: 0x2f9e62, trail: 0xcf3a31, wood: 0xc59a6b, china: 0xf3f0ea, glass: 0xbfd9e2,
        method: [0x4b8fca, 0xe2794c, 0x3fa06b, 0x8d6fd1],
    },
    dark: {
        horizon: 0x171b20, zenith: 0x0c0e11, ground: 0x525a64, line: 0x7f8993, contour: 0xa3adb8,
        sun: 0xfff1dd, sunStrength: 2.4, sky: 0xc3d0e0, soil: 0x55565a, skyStrength: 1.7,
        trunk: 0xb4b1ab, left: 0x62a6e0, right: 0xf08d5f, joint: 0x666b73, skin: 0xd7a581, dark: 0xc8ccd2,
        target: 0xff5c9d, held: 0x58b9d8, unmet: 0xff8177, good: 0x58c98a, path: 0x58b9d8, ghost: 0x6d7680, clay: 0x868c94,
        window: 0xa48df0, lead: 0x58c98a, trail: 0xf06a60, wood: 0xa87f54, china: 0xdad6cf, glass: 0x8fb5c4,
        method: [0x62a6e0, 0xf08d5f, 0x5cc48c, 0xb39af2],
    },
}
