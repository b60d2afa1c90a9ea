import { makeRandom, type Random } from '#media/testing/random.ts'
import type { AlignedStep, SpokenLine } from '../align-steps.ts'

/** Two recordings of one procedure, as they are transcribed, and where each step of the first is in the second. */
export interface Rerecording {
  topic: string
  language: string
  steps: AlignedStep[]
  before: SpokenLine[]
  after: SpokenLine[]
  /** When each step begins in the second; null where it is not said there. */
  truth: Map<string, number | null>
  /** When the steps begin that only the second has. */
  added: number[]
}

interface Scripted {
  title: string
  isAdded: boolean
  before: string[]
  after: string[]
}

const LANGUAGES: Record<string, string> = {
  'drucker warten': 'de',
  'spülmaschine gastro': 'de',
  'configurar router': 'es',
  'changer un filtre': 'fr',
}

function readScript(script: string) {
  const [head = '', ...lines] = script.split('\n')
  const [topic = '', order = ''] = head.split(': ')
  const steps: Scripted[] = []
  for (const line of lines) {
    if (line.startsWith('= ')) {
      steps.push({ title: line.replace(/^= (\+ )?/, ''), isAdded: line.startsWith('= + '), before: [], after: [] })
      continue
    }
    const [before = '', after = ''] = line.split('|').map((text) => text.trim())
    if (before !== '') steps.at(-1)?.before.push(before)
    if (after !== '') steps.at(-1)?.after.push(after)
  }
  return { topic, order: order.split(' ').map(Number), steps }
}

/** What recognisers make of some words. */
function mishear(word: string, random: Random): string {
  const at = Math.floor(random() * word.length)
  const kind = random()
  if (kind < 0.3) return ''
  if (kind < 0.6) return word.slice(0, at) + word.slice(at + 1)
  if (kind < 0.8) return `${word.slice(0, at)} ${word.slice(at)}`.trim()
  return word.slice(0, at) + 'aeiorst'.charAt(Math.floor(random() * 7)) + word.slice(at + 1)
}

interface Style {
  noise: number
  isPunctuated: boolean
  /** How long a narrator waits between steps, at most. */
  pauseMs: number
  random: Random
}

function sayWords(text: string, { noise, isPunctuated, random }: Style): string {
  const heard = text.split(' ').map((word) => (random() < noise ? mishear(word, random) : word))
  const said = heard.filter((word) => word !== '').join(' ')
  return isPunctuated ? said : said.replace(/[.,;!?]/g, '').toLowerCase()
}

/** Speaks steps one after the other; some sentences come as one line, as recognisers give them. */
function speak(steps: readonly string[][], style: Style) {
  const { random } = style
  const lines: SpokenLine[] = []
  const starts: number[] = []
  let atMs = Math.floor(random() * 4_000)
  for (const sentences of steps) {
    starts.push(atMs)
    let isOpen = false
    for (const sentence of sentences) {
      const text = sayWords(sentence, style)
      const endMs = atMs + Math.floor(text.length * (55 + random() * 25))
      const last = lines.at(-1)
      if (isOpen && last !== undefined && random() < 0.3) {
        last.text += ` ${text}`
        last.endMs = endMs
      } else lines.push({ id: `${lines.length}`, startMs: atMs, endMs, text })
      isOpen = true
      atMs = endMs + Math.floor(200 + random() * 900)
    }
    atMs += Math.floor(random() * style.pauseMs)
  }
  return { lines, starts, endMs: atMs }
}

/** Records a script twice, with what recognisers mishear. The same seed gives the same. */
export function reRecord(script: string, seed: number): Rerecording {
  const { topic, order, steps: scripted } = readScript(script)
  const random = makeRandom(seed)
  const styleOf = (pauseMs: number): Style => ({
    noise: 0.03 + random() * 0.09,
    isPunctuated: seed % 3 !== 0,
    pauseMs,
    random,
  })
  const old = scripted.filter(({ isAdded }) => !isAdded)
  const first = speak(
    old.map(({ before }) => before),
    styleOf(4_000),
  )
  // The order counts the steps that only the second recording has at their place in the script.
  const inOrder = order.map((number) => scripted[number - 1]).filter((step) => step !== undefined)
  const said = inOrder.filter(({ after }) => after.length > 0)
  const filler = () => (random() < 0.25 ? ['Okay.'] : [])
  const second = speak(
    said.map(({ after }) => [...filler(), ...after]),
    styleOf(9_000),
  )
  const steps = old.map(({ title }, index) => {
    const startMs = first.starts[index] ?? 0
    return { id: title, startMs, endMs: (first.starts[index + 1] ?? first.endMs) - 1 }
  })
  const startOf = (step: Scripted) => second.starts[said.indexOf(step)] ?? null
  return {
    topic,
    language: LANGUAGES[topic] ?? 'en',
    steps,
    before: first.lines,
    after: second.lines,
    truth: new Map(old.map((step) => [step.title, startOf(step)])),
    added: said.filter(({ isAdded }) => isAdded).map((step) => startOf(step) ?? 0),
  }
}
