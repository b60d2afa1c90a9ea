import { spawnSync } from 'node:child_process'
import { makeRandom } from './random.ts'

const WIDTH = 160
const HEIGHT = 90
const FPS = 4
const LENGTH_S = 80

type Rgb = readonly [number, number, number]

class Picture {
  readonly data = new Uint8Array(WIDTH * HEIGHT * 3)

  fill(x: number, y: number, width: number, height: number, [red, green, blue]: Rgb): this {
    for (let row = Math.max(0, Math.round(y)); row < Math.min(HEIGHT, Math.round(y + height)); row++) {
      for (let column = Math.max(0, Math.round(x)); column < Math.min(WIDTH, Math.round(x + width)); column++) {
        this.data.set([red, green, blue], (row * WIDTH + column) * 3)
      }
    }
    return this
  }

  /** Each value as `change` makes it of the one that is there. */
  map(change: (value: number, at: number) => number): this {
    for (let at = 0; at < this.data.length; at++) {
      this.data[at] = Math.max(0, Math.min(255, change(this.data[at] ?? 0, at)))
    }
    return this
  }
}

/** Lines of text, grey as they look from afar. */
function drawText(picture: Picture, random: () => number, lines: number): Picture {
  for (let line = 0; line < lines; line++) {
    picture.fill(14, 24 + line * 8, 30 + random() * 100, 4, [90, 90, 96])
  }
  return picture
}

function drawSlide(random: () => number): Picture {
  const picture = new Picture().fill(0, 0, WIDTH, HEIGHT, [250, 250, 250]).fill(0, 0, WIDTH, 14, [40, 80, 160])
  drawText(picture, random, 2 + Math.floor(random() * 6))
  const image: Rgb = [random() * 255, random() * 255, random() * 255]
  if (random() < 0.6) picture.fill(80 + random() * 30, 24 + random() * 20, 40, 34, image)
  return picture
}

function drawWindow(random: () => number): Picture {
  const dark: Rgb = random() < 0.5 ? [32, 34, 40] : [236, 236, 240]
  const side: Rgb = [random() * 90, random() * 90, 60 + random() * 90]
  const picture = new Picture().fill(0, 0, WIDTH, HEIGHT, dark).fill(0, 0, 30 + random() * 20, HEIGHT, side)
  return drawText(picture, random, 3 + Math.floor(random() * 5)).fill(0, 0, WIDTH, 8, [random() * 255, 120, 120])
}

/** A room, larger than what the camera shows: patches of any colour. */
function drawRoom(random: () => number) {
  const patches = Array.from({ length: 60 }, () => ({
    x: random() * 2 * WIDTH,
    y: random() * HEIGHT,
    size: 8 + random() * 40,
    colour: [random() * 255, random() * 255, random() * 255] as Rgb,
  }))
  return (x: number, y: number) => {
    const picture = new Picture().fill(0, 0, WIDTH, HEIGHT, [120, 110, 100])
    for (const patch of patches) picture.fill(patch.x - x, patch.y - y, patch.size, patch.size, patch.colour)
    return picture
  }
}

/** Seconds at which scenes begin, 6 to 20 s apart. */
function pickCuts(random: () => number): number[] {
  const cuts: number[] = []
  for (let at = 6 + random() * 14; at < LENGTH_S - 6; at += 6 + random() * 14) cuts.push(Math.round(at * FPS) / FPS)
  return cuts
}

const sceneAt = (cuts: readonly number[], timeS: number) => cuts.filter((cut) => cut <= timeS).length

function mix(one: Picture, other: Picture, share: number): Picture {
  const mixed = new Picture()
  return mixed.map((_, at) => (one.data[at] ?? 0) * (1 - share) + (other.data[at] ?? 0) * share)
}

interface Script {
  cuts: number[]
  draw: (timeS: number) => Picture
}

const FADE_S = 1

/** What trainers record without a word, by name. */
const KINDS = {
  slides(random) {
    const cuts = pickCuts(random)
    const pictures = [0, ...cuts].map(() => drawSlide(random))
    return { cuts, draw: (timeS) => pictures[sceneAt(cuts, timeS)] ?? new Picture() }
  },
  fades(random) {
    const cuts = pickCuts(random)
    const pictures = [0, ...cuts].map(() => drawSlide(random))
    const at = (scene: number) => pictures[scene] ?? new Picture()
    return {
      cuts,
      draw(timeS) {
        const scene = sceneAt(cuts, timeS)
        const sinceS = timeS - (cuts[scene - 1] ?? Number.NEGATIVE_INFINITY)
        return mix(at(scene - 1), at(scene), Math.min(1, sinceS / FADE_S))
      },
    }
  },
  screen(random) {
    const cuts = pickCuts(random)
    const pictures = [0, ...cuts].map(() => drawWindow(random))
    return {
      cuts,
      draw(timeS) {
        const typedS = timeS - ([0, ...cuts][sceneAt(cuts, timeS)] ?? 0)
        const shown = mix(pictures[sceneAt(cuts, timeS)] ?? new Picture(), new Picture(), 0)
        shown.fill(60, 70, Math.min(80, typedS * 5), 4, [140, 140, 140])
        return shown.fill(60 + 50 * Math.sin(timeS), 40 + 20 * Math.cos(timeS * 0.7), 3, 5, [255, 255, 255])
      },
    }
  },
  hands(random) {
    const cuts = pickCuts(random)
    const rooms = [0, ...cuts].map(() => ({ draw: drawRoom(random), x: random() * WIDTH }))
    return {
      cuts,
      draw(timeS) {
        const room = rooms[sceneAt(cuts, timeS)]
        const shown = room?.draw(room.x + 2 * Math.sin(timeS * 3), 2 * Math.cos(timeS * 2.3)) ?? new Picture()
        shown.fill(60 + 40 * Math.sin(timeS * 1.7), 40 + 15 * Math.cos(timeS * 2.1), 34, 26, [205, 160, 140])
        return shown.map((value) => value * (1 + 0.1 * Math.sin(timeS / 9)) + (random() - 0.5) * 24)
      },
    }
  },
  pan(random) {
    const draw = drawRoom(random)
    return { cuts: [], draw: (timeS) => draw(timeS * 2, 0).map((value) => value + (random() - 0.5) * 24) }
  },
  flashes(random) {
    const picture = drawSlide(random)
    const flashes = new Set(pickCuts(random))
    return { cuts: [], draw: (timeS) => (flashes.has(timeS) ? mix(picture, new Picture(), 0.8) : picture) }
  },
} satisfies Record<string, (random: () => number) => Script>

export type RecordingKind = keyof typeof KINDS
export const RECORDING_KINDS = Object.keys(KINDS) as RecordingKind[]

/** A recording as a browser would show it, with what compressing it has done to it. */
export interface Recording {
  durationMs: number
  cutsMs: number[]
  /** Four bytes per pixel. */
  frameAt: (timeMs: number) => { data: Uint8Array; width: number; height: number }
}

/** Draws a recording, compresses it with ffmpeg, and reads it again. */
export function makeRecording(kind: RecordingKind, seed: number): Recording {
  return record(KINDS[kind](makeRandom(seed)), LENGTH_S)
}

function record({ cuts, draw }: Script, lengthS: number): Recording {
  const drawn = Buffer.concat(Array.from({ length: lengthS * FPS }, (_, index) => draw(index / FPS).data))
  const size = `${WIDTH}x${HEIGHT}`
  const raw = ['-f', 'rawvideo', '-s', size, '-r', String(FPS)]
  const packed = run(
    [...raw, '-pix_fmt', 'rgb24', '-i', '-', '-c:v', 'libx264', '-crf', '30', '-f', 'matroska', '-'],
    drawn,
  )
  const frames = run(['-i', '-', '-f', 'rawvideo', '-pix_fmt', 'rgba', '-'], packed)
  const frameBytes = WIDTH * HEIGHT * 4
  return {
    durationMs: lengthS * 1000,
    cutsMs: cuts.map((cut) => cut * 1000),
    frameAt(timeMs) {
      const index = Math.min(lengthS * FPS - 1, Math.floor((timeMs * FPS) / 1000))
      const data = frames.subarray(index * frameBytes, (index + 1) * frameBytes)
      return { data, width: WIDTH, height: HEIGHT }
    },
  }
}

/** A recording that was made again: with a scene more, and two in another order. */
export interface MadeAgain {
  before: Recording
  after: Recording
  /** Where each scene of the first begins in the second. */
  startsMs: number[]
}

/** Records the scenes of a recording again, each for another time and with the pointer elsewhere. */
export function makeAgain(kind: RecordingKind, seed: number): MadeAgain {
  const random = makeRandom(seed + 1_000)
  const [first, other] = [seed, seed + 500].map((each) => KINDS[kind](makeRandom(each))) as [Script, Script]
  const order = [0, ...first.cuts].map((_, index) => index)
  const swapped = Math.floor(random() * (order.length - 1))
  order.splice(swapped, 2, ...order.slice(swapped, swapped + 2).toReversed())
  // Of another recording.
  order.splice(1 + Math.floor(random() * (order.length - 1)), 0, -1)
  const lengths = order.map(() => 6 + Math.floor(random() * 10))
  const starts = lengths.map((_, index) => lengths.slice(0, index).reduce((sum, each) => sum + each, 0))
  const draw = (timeS: number) => {
    const index = starts.findLastIndex((start) => start <= timeS)
    const [scene, sinceS] = [order[index] ?? 0, timeS - (starts[index] ?? 0)]
    if (scene < 0) return other.draw((other.cuts.at(-1) ?? 0) + sinceS / 4)
    const [fromS, toS] = [[0, ...first.cuts][scene] ?? 0, first.cuts[scene] ?? LENGTH_S]
    // Past the middle first: the scene itself is the same, what moves in it is not.
    return first.draw(fromS + ((sinceS + (toS - fromS) / 2) % (toS - fromS)))
  }
  const lengthS = lengths.reduce((sum, each) => sum + each, 0)
  return {
    before: record(first, LENGTH_S),
    after: record({ cuts: starts.slice(1), draw }, lengthS),
    startsMs: [0, ...first.cuts].map((_, scene) => (starts[order.indexOf(scene)] ?? 0) * 1_000),
  }
}

function run(args: string[], input: Buffer): Buffer {
  const { stdout, stderr, status } = spawnSync('ffmpeg', ['-v', 'error', ...args], { input, maxBuffer: 1 << 30 })
  if (status !== 0) throw new Error(`ffmpeg failed: ${stderr}`)
  return stdout
}
