import { expect, it } from 'vitest'
import type { Gray } from './gray.ts'
import type { LineReading } from './line-text.ts'
import { readScreen, type SampledFrame } from './read-screen.ts'
import { blank, fill, write } from './testing/draw.ts'

const SIZE = [640, 240] as const

/** Frames half a second apart, each with lines of text at their places. */
async function* show(
  frames: readonly (readonly (readonly [text: string, y: number])[])[],
): AsyncGenerator<SampledFrame> {
  for (const [index, lines] of frames.entries()) {
    const image = blank(...SIZE)
    for (const [text, y] of lines) write(image, text, { x: 20, y })
    yield { timeMs: index * 500, image }
  }
}

/** An engine that knows a line by its width, which is all that {@link write} draws of it. */
function engineOf(texts: readonly string[], confidence = 95) {
  const calls: string[] = []
  const readLine = async ({ width }: Gray): Promise<LineReading> => {
    const letters = Math.round((width - 24) / (40 / 14) / 8)
    const text = texts.find((each) => Math.abs(each.length - letters) <= 1) ?? 'unknown'
    calls.push(text)
    const word = Array.from(text, (letter, at) => ({ text: letter, left: at * 10, right: at * 10 + 8 }))
    return { words: [{ letters: word, confidence }] }
  }
  return { readLine, calls }
}

it('reads a line once while it stays, and says how long it was there', async () => {
  const engine = engineOf(['documents'])
  const line = ['documents', 40] as const
  const { blocks, readMs } = await readScreen(show([[], [line], [line], [line], []]), engine)
  expect(engine.calls).toEqual(['documents'])
  expect(readMs).toBe(2_000)
  expect(blocks).toMatchObject([{ text: 'documents', startMs: 500, endMs: 1_500, kind: 'label' }])
})

it('reads only what changed', async () => {
  const engine = engineOf(['documents', 'a longer line below'])
  const first = ['documents', 40] as const
  const second = ['a longer line below', 120] as const
  await readScreen(show([[first], [first], [first, second], [first, second]]), engine)
  expect(engine.calls).toEqual(['documents', 'a longer line below'])
})

it('reads a line again to which letters are added, though its beginning stays as it is', async () => {
  const typed = ['$ m', '$ man', '$ man ls', '$ man ls'].map((text) => [[text, 40] as const])
  const { blocks } = await readScreen(show([...typed, []]), engineOf(['$ m', '$ man', '$ man ls']))
  expect(blocks).toMatchObject([{ text: 'man ls', kind: 'command', startMs: 1_000, endMs: 1_500 }])
})

it('keeps what was unsure only when it is read alike in two frames', async () => {
  const line = ['documents', 40] as const
  const frames = () => show([[line], [line], [line], []])
  const alike = await readScreen(frames(), engineOf(['documents'], 70))
  expect(alike.blocks.map(({ text }) => text)).toEqual(['documents'])
  let calls = 0
  const readLine = async () => ({
    words: [
      {
        letters: Array.from(calls++ === 0 ? 'documents' : 'dokuments', (text, at) => ({
          text,
          left: at * 10,
          right: at * 10 + 8,
        })),
        confidence: 70,
      },
    ],
  })
  expect((await readScreen(frames(), { readLine })).blocks).toEqual([])
  // Each frame in two sizes.
  expect(calls).toBe(4)
})

it('reads a line in another size where it is unsure, and keeps what is surer', async () => {
  const heights = new Set<number>()
  const readLine = async ({ height }: Gray): Promise<LineReading> => {
    heights.add(height)
    const isFirst = height === Math.max(...heights)
    const letters = Array.from(isFirst ? 'dokuments' : 'documents', (text, at) => {
      return { text, left: at * 10, right: at * 10 + 8 }
    })
    return { words: [{ letters, confidence: isFirst ? 50 : 95 }] }
  }
  const line = ['documents', 40] as const
  expect((await readScreen(show([[line], [line], []]), { readLine })).blocks).toMatchObject([
    { text: 'documents', confidence: 0.95 },
  ])
  expect(heights.size).toBe(2)
})

it('reads a line once more without its underscores, which the picture has', async () => {
  async function* underscored(): AsyncGenerator<SampledFrame> {
    for (let index = 0; index < 3; index++) {
      const image = blank(...SIZE)
      write(image, 'ls colors', { x: 20, y: 40 })
      fill(image, [34, 54, 9, 2], 0)
      yield { timeMs: index * 500, image }
    }
  }
  const word = (text: string, left: number) => ({
    letters: Array.from(text, (letter, at) => ({ text: letter, left: left + at * 20, right: left + at * 20 + 14 })),
    confidence: 95,
  })
  let calls = 0
  const readLine = async () => ({
    words: calls++ === 0 ? [word('lscolors', 12)] : [word('ls', 12), word('colors', 72)],
  })
  const { blocks } = await readScreen(underscored(), { readLine })
  expect(blocks.map(({ text }) => text)).toEqual(['ls_colors'])
  expect(calls).toBe(2)
})

it('leaves parts of the picture alone that move all the time', async () => {
  async function* moving(): AsyncGenerator<SampledFrame> {
    for (let index = 0; index < 40; index++) {
      const image = blank(...SIZE)
      for (let stripe = 0; stripe < 30; stripe++)
        fill(image, [20 + stripe * 12 + (index % 7), 100 + ((stripe * index) % 20), 4, 12], 0)
      yield { timeMs: index * 500, image }
    }
  }
  const engine = engineOf([])
  await readScreen(moving(), engine)
  expect(engine.calls.length).toBeLessThan(20)
})

it('stops when there is no time left, and keeps what it has', async () => {
  const line = ['documents', 40] as const
  const engine = engineOf(['documents'])
  let left = 3
  const reading = await readScreen(show([[line], [line], [line], [line], [line]]), {
    ...engine,
    hasTime: () => left-- > 0,
  })
  expect(reading).toMatchObject({ readMs: 1_000, blocks: [{ text: 'documents', endMs: 1_000 }] })
})

it('stores no line that looks like a secret, and says when it is visible', async () => {
  const line = ['password: hunter2', 40] as const
  const { blocks, secrets } = await readScreen(show([[line], [line]]), engineOf(['password: hunter2']))
  expect(blocks).toEqual([])
  expect(secrets).toEqual([{ startMs: 0, endMs: 500, kind: 'password' }])
})
