import { STEP_HARD_LIMITS, STEP_RULES } from '#contract/limits.ts'
import type { Step, StepCommand } from '#contract/step.ts'
import * as m from '#messages'

/** A sentence for the person, where a step cannot be split or merged. */
export interface Refusal {
  problem: string
}

const NO_REWRITE = { aiRewrite: null, beforeRewrite: null } as const
/** What only the first half of a step keeps. */
const NOT_REPEATED = {
  aliases: [],
  notes: '',
  notesQuotable: false,
  notesEdited: false,
  callouts: [],
  proposedCallouts: [],
  beforeScreen: null,
  imageAt: null,
  focus: null,
  image: null,
  imageText: '',
  ...NO_REWRITE,
}

/** Cuts a step in two at a moment of the video; both halves obey the rules. The new half is the later one. */
export function splitStep(step: Step, atS: number, newId: string): readonly [Step, Step] | Refusal {
  if (atS <= step.start || atS >= step.end) {
    return { problem: m.the_video_is_not_inside() }
  }
  if (atS - step.start < STEP_RULES.minDurationS || step.end - atS < STEP_RULES.minDurationS) {
    return { problem: m.each_half_must_be_at({ minDurationS: STEP_RULES.minDurationS }) }
  }
  const suffixLength = m.second_part_of({ title: '' }).length
  const title = m.second_part_of({ title: step.title.slice(0, STEP_RULES.titleMaxChars - suffixLength).trimEnd() })
  const isEarlier = ({ startMs }: StepCommand) => startMs < atS * 1_000
  const commands = step.commands.filter(isEarlier)
  const laterCommands = step.commands.filter((command) => !isEarlier(command))
  return [
    { ...step, commands, end: atS, duration: atS - step.start },
    { ...step, ...NOT_REPEATED, commands: laterCommands, id: newId, title, start: atS, duration: step.end - atS },
  ]
}

/** Makes one step of two neighbours; it keeps the id and the title of the first. */
export function mergeSteps(first: Step, second: Step): Step | Refusal {
  const start = Math.min(first.start, second.start)
  const end = Math.max(first.end, second.end)
  if (end - start >= STEP_RULES.maxDurationS) return { problem: m.together_they_would_not_be() }
  const description = join(' ', first.description, second.description)
  if (description.length > STEP_RULES.descriptionMaxChars) {
    return { problem: m.together_their_descriptions_are_too() }
  }
  const aliases = [...new Set([...first.aliases, ...second.aliases])]
  if (aliases.length > STEP_RULES.maxAliases) return { problem: m.together_they_have_too_many() }
  const callouts = [...first.callouts, ...second.callouts]
  if (callouts.length > STEP_HARD_LIMITS.maxCallouts) return { problem: m.together_they_have_too_many_callouts() }
  const commands = [...first.commands, ...second.commands.filter((command) => !hasCommand(first, command))]
  if (commands.length > STEP_HARD_LIMITS.maxCommands) return { problem: m.together_they_have_too_many_commands() }
  const notes = join('\n\n', first.notes, second.notes)
  return {
    ...first,
    description,
    start,
    end,
    duration: end - start,
    aliases,
    callouts,
    proposedCallouts: [...first.proposedCallouts, ...second.proposedCallouts].slice(0, STEP_HARD_LIMITS.maxCallouts),
    commands: commands.toSorted((a, b) => a.startMs - b.startMs),
    beforeScreen: null,
    notes,
    // The tutor quotes no more than was ticked.
    notesQuotable: [first, second].every((step) => step.notes === '' || step.notesQuotable) && notes !== '',
    notesEdited: first.notesEdited || notes !== first.notes,
    originalText: join(' ', first.originalText, second.originalText),
    isManual: first.isManual && second.isManual,
    isDraft: false,
    ...NO_REWRITE,
  }
}

function hasCommand({ commands }: Step, { kind, text }: StepCommand): boolean {
  return commands.some((command) => command.kind === kind && command.text === text)
}

function join(separator: string, ...texts: string[]): string {
  return [...new Set(texts)].filter((text) => text.trim() !== '').join(separator)
}
