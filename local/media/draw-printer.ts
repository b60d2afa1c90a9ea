type Point = [x: number, y: number]
/** A cubic Bézier curve: begin, two handles, end. */
type Curve = [Point, Point, Point, Point]

const PIECES = 32

/** A straight line as a curve. */
export function line(begin: Point, end: Point): Curve {
  return [begin, begin, end, end]
}

/** Reads a curve from its four points, as in `604,300 604,190 540,90 450,34`. */
function curve(points: string): Curve {
  return points.split(' ').map((point) => point.split(',').map(Number)) as Curve
}

/**
 * SVG path data of the first part of joined curves. A share of 0.5 ends at half of their pieces. Drawn as short lines,
 * because librsvg knows no `pathLength` with which dashes could do this.
 */
export function drawShare(curves: Curve[], share: number): string {
  const last = Math.round(share * curves.length * PIECES)
  const points = Array.from({ length: last + 1 }, (_, index) => {
    const curve = curves[Math.min(curves.length - 1, Math.floor(index / PIECES))]
    return curve ? pointAt(curve, index === curves.length * PIECES ? 1 : (index % PIECES) / PIECES) : [0, 0]
  })
  return `M${points.map((point) => point.map((value) => value.toFixed(1)).join(' ')).join(' L')}`
}

function pointAt([begin, first, second, end]: Curve, share: number): Point {
  const rest = 1 - share
  const mix = (axis: 0 | 1) =>
    rest ** 3 * begin[axis] +
    3 * rest ** 2 * share * first[axis] +
    3 * rest * share ** 2 * second[axis] +
    share ** 3 * end[axis]
  return [mix(0), mix(1)]
}

/** Everything about the drawn printer that can change. */
export interface Scene {
  /** 0 off, 1 on. */
  power: number
  /** 0 closed, 1 open. */
  lid: number
  /** 0 in its place, 1 lifted out of sight. */
  rollLift: number
  /** 38 is the empty core, 92 a full roll. */
  rollRadius: number
  /** Share of the paper's way from the roll to outside of the slot. */
  paper: number
  /** 0 hidden, 1 the printed label is shown. */
  label: number
  /** Which arrow points at something; its progress is drawn by time. */
  arrow: ArrowName | null
}

type ArrowName = keyof typeof ARROWS

const EMPTY_ROLL_RADIUS = 38

export const FIRST_SCENE: Scene = {
  power: 1,
  lid: 0,
  rollLift: 0,
  rollRadius: EMPTY_ROLL_RADIUS,
  paper: 0,
  label: 0,
  arrow: null,
}

const ARROWS = {
  powerButton: { shaft: line([480, 560], [480, 456]), head: { x: 480, y: 440, angle: -90 } },
  feedButton: { shaft: line([400, 560], [400, 456]), head: { x: 400, y: 440, angle: -90 } },
  liftCover: {
    shaft: curve('604,300 604,190 540,90 450,34'),
    head: { x: 434, y: 25, angle: 209 },
  },
  pushCover: {
    shaft: curve('450,34 540,90 604,170 606,258'),
    head: { x: 606, y: 276, angle: 90 },
  },
  rollUp: { shaft: line([420, 250], [420, 110]), head: { x: 420, y: 92, angle: -90 } },
  rollDown: { shaft: line([440, 60], [440, 190]), head: { x: 440, y: 208, angle: 90 } },
  pullPaper: { shaft: line([430, 206], [556, 238]), head: { x: 574, y: 243, angle: 14 } },
}

const OPEN_DEGREES = -64
// The loose end of a full roll hangs a little over its side: share of the paper's way.
const LOOSE_END = 0.22
const ROLL = { x: 305, y: 275, liftPx: 250 }

/** Draws the printer from the side, in a box of 640 × 600. `pulse` (0–1) is how far an arrow is drawn. */
export function drawPrinter(scene: Scene, pulse: number): string {
  return [
    '<ellipse cx="318" cy="502" rx="270" ry="18" fill="#15201c" opacity="0.08"/>',
    '<rect x="112" y="286" width="412" height="80" rx="14" fill="#26332e"/>',
    drawRoll(scene),
    drawPaper(scene),
    drawBody(scene),
    drawLid(scene),
    drawLabel(scene),
    scene.arrow ? drawArrow(scene.arrow, pulse) : '',
  ].join('')
}

function drawRoll({ rollLift, rollRadius }: Scene): string {
  const y = ROLL.y - rollLift * ROLL.liftPx
  const rings = [0.82, 0.66, 0.52]
    .map((share) => share * rollRadius)
    .filter((radius) => radius > 40)
    .map((radius) => `<circle cx="${ROLL.x}" cy="${y}" r="${radius}" fill="none" stroke="#e3e1d9" stroke-width="2"/>`)
  return `<g opacity="${fixed(Math.min(1, 3 * (1 - rollLift)))}">
    <circle cx="${ROLL.x}" cy="${y}" r="${rollRadius}" fill="#ffffff" stroke="#c9c6bb" stroke-width="3"/>${rings.join('')}
    <circle cx="${ROLL.x}" cy="${y}" r="34" fill="#c79a66" stroke="#a87d4c" stroke-width="3"/>
    <circle cx="${ROLL.x}" cy="${y}" r="22" fill="#26332e"/></g>`
}

function drawPaper({ paper, rollRadius, rollLift }: Scene): string {
  if (rollRadius <= EMPTY_ROLL_RADIUS || rollLift > 0.6) return ''
  const topY = ROLL.y - rollRadius - rollLift * ROLL.liftPx
  const way = [curve(`${ROLL.x},${topY + 3} 410,${topY + 3} 450,292 540,298`), curve('540,298 596,301 618,330 624,386')]
  const path = drawShare(way, LOOSE_END + (1 - LOOSE_END) * paper)
  return `<path d="${path}" fill="none" stroke="#9aa09b" stroke-width="13"/>
    <path d="${path}" fill="none" stroke="#ffffff" stroke-width="8"/>`
}

function drawBody({ power }: Scene): string {
  const vents = [0, 1, 2, 3].map(
    (row) => `<rect x="136" y="${372 + row * 20}" width="92" height="8" rx="4" fill="#d5d3c9"/>`,
  )
  return `<path d="M92 312 H552 V462 Q552 492 522 492 H122 Q92 492 92 462 Z" fill="#f3f2ec" stroke="#c9c6bb" stroke-width="3"/>
    <rect x="92" y="306" width="460" height="14" rx="7" fill="#d5d3c9"/>${vents.join('')}
    <circle cx="400" cy="410" r="22" fill="#ffffff" stroke="#868c87" stroke-width="3"/>
    <path d="M393 402 h14 M393 410 h14 M393 418 h14" stroke="#47534e" stroke-width="3" stroke-linecap="round"/>
    <circle cx="480" cy="410" r="22" fill="#ffffff" stroke="#868c87" stroke-width="3"/>
    <path d="M480 398 v12 M472 403 a11 11 0 1 0 16 0" fill="none" stroke="#47534e" stroke-width="3" stroke-linecap="round"/>
    <circle cx="480" cy="360" r="8" fill="#d5d3c9"/>
    <circle cx="480" cy="360" r="16" fill="#2fbf71" opacity="${fixed(power * 0.25)}"/>
    <circle cx="480" cy="360" r="8" fill="#2fbf71" opacity="${fixed(power)}"/>`
}

function drawLid({ lid }: Scene): string {
  return `<g transform="rotate(${fixed(OPEN_DEGREES * lid)} 108 306)">
    <path fill-rule="evenodd" fill="#0f6b57" d="M92 306 V276 Q96 160 214 156 H404 Q536 162 552 292 V306 Z
      M214 200 Q206 200 206 208 V262 Q206 270 214 270 H396 Q404 270 404 262 V208 Q404 200 396 200 Z"/>
    <rect x="206" y="200" width="198" height="70" rx="8" fill="#e0f0ea" opacity="0.35"/>
    <path d="M222 212 L262 212 L232 258 L222 258 Z" fill="#ffffff" opacity="0.35"/>
    <path d="M120 264 Q126 184 214 178" fill="none" stroke="#ffffff" stroke-width="5" opacity="0.25" stroke-linecap="round"/>
    <rect x="524" y="284" width="36" height="22" rx="6" fill="#e4572e"/></g>`
}

function drawLabel({ label }: Scene): string {
  if (label === 0) return ''
  const bars = [0, 7, 12, 22, 27, 37, 44, 49, 59, 66, 76, 81, 88, 98]
    .map((x, index) => `<rect x="${24 + x}" y="66" width="${index % 3 === 0 ? 5 : 3}" height="34" fill="#15201c"/>`)
    .join('')
  return `<g opacity="${fixed(label)}" transform="translate(${fixed(452 + 30 * label)} ${fixed(120 + 10 * (1 - label))})">
    <rect x="5" y="7" width="156" height="116" rx="12" fill="#15201c" opacity="0.10"/>
    <rect width="156" height="116" rx="12" fill="#ffffff" stroke="#c9c6bb" stroke-width="3"/>
    <text x="24" y="46" font-size="27" font-weight="700" fill="#15201c">TEST OK</text>${bars}</g>`
}

function drawArrow(name: ArrowName, pulse: number): string {
  const { shaft, head } = ARROWS[name]
  const path = `<path d="${drawShare([shaft], pulse)}" fill="none" stroke-linecap="round"`
  const tip = `<path d="M-14 -15 L14 0 L-14 15 Z" transform="translate(${head.x} ${head.y}) rotate(${head.angle})" stroke-linejoin="round"`
  const isTipShown = pulse > 0.9
  return `${path} stroke="#ffffff" stroke-width="20"/>
    ${isTipShown ? `${tip} fill="#ffffff" stroke="#ffffff" stroke-width="12"/>` : ''}
    ${path} stroke="#e4572e" stroke-width="11"/>
    ${isTipShown ? `${tip} fill="#e4572e" stroke="#e4572e" stroke-width="5"/>` : ''}`
}

function fixed(value: number): string {
  return value.toFixed(3)
}
