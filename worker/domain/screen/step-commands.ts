import { STEP_HARD_LIMITS } from '#contract/limits.ts'
import type { ScreenBlock } from '#contract/screen.ts'
import type { StepCommand } from '#contract/step.ts'

/** From which moment to which, the end excluded. */
export interface TimeRange {
  startMs: number
  endMs: number
}

/**
 * Lists what is typed in a range of the video, each once, in order of time. Of more than a step may have, code goes
 * first: much of it is only shown, a command is there to be typed.
 */
export function listCommands(blocks: readonly ScreenBlock[], { startMs, endMs }: TimeRange): StepCommand[] {
  const seen = new Set<string>()
  const typed = blocks
    .filter((block) => block.startMs >= startMs && block.startMs < endMs)
    .toSorted((a, b) => a.startMs - b.startMs || a.box.y - b.box.y)
    .flatMap((block): StepCommand[] => {
      const { kind, text } = block
      if ((kind !== 'command' && kind !== 'code') || seen.has(text) || !/\S/.test(text)) return []
      seen.add(text)
      return [{ kind, text, startMs: block.startMs }]
    })
  return limitCommands(typed)
}

/** Adds commands to those that a step has, which all stay. */
export function joinCommands(own: readonly StepCommand[], others: readonly StepCommand[]): StepCommand[] {
  const texts = new Set(own.map(({ text }) => text))
  const added = others.filter(({ text }) => !texts.has(text)).slice(0, STEP_HARD_LIMITS.maxCommands - own.length)
  return [...own, ...added].toSorted((a, b) => a.startMs - b.startMs)
}

function limitCommands(typed: readonly StepCommand[]): StepCommand[] {
  const commands = typed.filter(({ kind }) => kind === 'command')
  const code = typed.filter(({ kind }) => kind === 'code')
  const kept = new Set([...commands, ...code].slice(0, STEP_HARD_LIMITS.maxCommands))
  return typed.filter((command) => kept.has(command))
}
