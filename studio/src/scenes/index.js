// All scenes, in the order of the tabs.
import './reach.js'
import './bodies.js'
import './hand.js'
import './switch.js'
import './walk.js'
import './open.js'
import './lab.js'
