import { expect, it } from 'vitest'
import { makeBlock } from '#contract/testing/examples.ts'
import { countInSteps, writeScreened } from './screened-steps.ts'

it('counts the commands that stand in a step of their time', () => {
  const ls = { kind: 'command' as const, text: 'ls', startMs: 12_000 }
  const steps = [
    { startMs: 10_000, commands: [ls] },
    { startMs: 0, commands: [] },
    { startMs: 20_000, commands: [] },
  ]
  const shown = (text: string, fromMs: number, untilMs: number) => ({ text, fromMs, untilMs })
  expect(countInSteps([shown('ls', 12_000, 14_000), shown('ls', 9_000, 10_000)], steps)).toBe(2)
  expect(
    countInSteps([shown('ls -a', 12_000, 14_000), shown('ls', 2_000, 4_000), shown('ls', 20_000, 21_000)], steps),
  ).toBe(0)
})

it('puts what a screen shows into steps that are written from captions', async () => {
  const cue = (at: number, text: string) => `00:00:${at}.000 --> 00:00:${at + 9}.000\n${text}`
  const captions = ['WEBVTT', cue(10, 'Now list the files of the folder.'), cue(20, 'Then print your path.')].join(
    '\n\n',
  )
  const steps = await writeScreened(captions, { readMs: 40_000, blocks: [makeBlock('ls', 12_000)] })
  expect(steps.flatMap(({ commands }) => commands.map(({ text }) => text))).toEqual(['ls'])
})
