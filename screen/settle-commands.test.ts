import { expect, it } from 'vitest'
import { settleCommands } from './settle-commands.ts'

const PROMPT = 'mila@lab:~$'

function line(text: string, startMs: number, endMs: number, y = 100) {
  return {
    box: { x: 10, y, width: 200, height: 20 },
    startMs,
    endMs,
    timesAlike: 1,
    text: { text, confidences: Array.from(text, () => 0.9) },
  }
}

function commandsOf(lines: ReturnType<typeof line>[]): string[] {
  return settleCommands(lines).flatMap(({ kind, text }) => (kind === 'command' ? [text.text] : []))
}

it('keeps the last form of a line that is typed, without its prompt', () => {
  const typed = [
    line(PROMPT, 0, 1_000),
    line(`${PROMPT} ls`, 1_500, 2_000),
    line(`${PROMPT} ls -`, 2_500, 2_500),
    line(`${PROMPT} ls -a`, 3_000, 6_000),
    line('total 72', 4_000, 6_000, 130),
  ]
  expect(commandsOf(typed)).toEqual(['ls -a'])
  expect(settleCommands(typed).map(({ text }) => text.text)).toEqual(['ls -a', 'total 72'])
})

it('keeps what is left after deleting', () => {
  expect(commandsOf([line(`${PROMPT} lss`, 0, 500), line(`${PROMPT} ls`, 1_000, 3_000)])).toEqual(['ls'])
})

it('does not count a command again that a terminal shows after another window', () => {
  const shown = [line(`${PROMPT} ls`, 1_000, 3_000), line(`${PROMPT} ls`, 20_000, 30_000, 60)]
  expect(commandsOf(shown)).toEqual(['ls'])
})

it('counts a command again that is typed again', () => {
  const typed = [
    line(`${PROMPT} clear`, 1_000, 3_000),
    line(PROMPT, 3_500, 9_000),
    line(`${PROMPT} clear`, 9_500, 11_000),
  ]
  expect(commandsOf(typed)).toEqual(['clear', 'clear'])
})
