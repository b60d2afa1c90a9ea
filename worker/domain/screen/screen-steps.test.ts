import { describe, expect, it } from 'vitest'
import { makeBlock, makeReading } from '#contract/testing/examples.ts'
import { screenSteps } from './screen-steps.ts'

const step = (startMs: number, endMs: number) => ({ startMs, endMs, title: 'Do it', description: '', commands: [] })

describe('screenSteps', () => {
  it('gives each command to the step that is under way, in a pause and before the first step too', () => {
    const blocks = [
      makeBlock('first', 500),
      makeBlock('second', 9_999),
      makeBlock('third', 10_000),
      makeBlock('pause', 25_000),
    ]
    const reading = makeReading([...blocks, makeBlock('last', 59_000)])
    // In the order of their list, which a person may have changed.
    const steps = screenSteps([step(30_000, 40_000), step(2_000, 10_000), step(10_000, 20_000)], reading)
    expect(steps.map(({ commands }) => commands.map(({ text }) => text))).toEqual([
      ['last'],
      ['first', 'second'],
      ['third', 'pause'],
    ])
  })

  it('writes names as the screen does, as far as a title has room', () => {
    const shown = makeBlock('Speech to Text', 1_000, { kind: 'label' })
    const { title, description } = { title: 'Open speech-to-text slash', description: 'In speech to text.' }
    const [spelled] = screenSteps([{ ...step(0, 10_000), title, description }], makeReading([shown]))
    expect(spelled).toMatchObject({ title: 'Open Speech to Text', description: 'In Speech to Text.', commands: [] })
    const long = makeBlock('i-n-t-e-r-n-a-t-i-o-n-a-l-i-s-a-t-i-o-n', 1_000, { kind: 'label' })
    const full = `${'x'.repeat(70)} internationalisation`
    expect(screenSteps([{ ...step(0, 10_000), title: full }], makeReading([long]))).toMatchObject([{ title: full }])
  })
})
