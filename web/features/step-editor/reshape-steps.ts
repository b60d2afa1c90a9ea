import { STEP_RULES } from '#contract/limits.ts'
import type { Step } from '#contract/step.ts'

/** A sentence for the person, where a step cannot be split or merged. */
export interface Refusal {
  problem: string
}

/** Cuts a step in two at a moment of the video; both halves obey the rules. The new half is the later one. */
export function splitStep(step: Step, atS: number, newId: string): readonly [Step, Step] | Refusal {
  if (atS <= step.start || atS >= step.end) {
    return { problem: 'The video is not inside this step. Move it to where the second half begins.' }
  }
  if (atS - step.start < STEP_RULES.minDurationS || step.end - atS < STEP_RULES.minDurationS) {
    return { problem: `Each half must be at least ${STEP_RULES.minDurationS} seconds long.` }
  }
  const suffix = ' (part 2)'
  const title = step.title.slice(0, STEP_RULES.titleMaxChars - suffix.length).trimEnd() + suffix
  return [
    { ...step, end: atS, duration: atS - step.start },
    { ...step, id: newId, title, start: atS, duration: step.end - atS, aliases: [], notes: '', aiRewrite: null },
  ]
}

/** Makes one step of two neighbours; it keeps the id and the title of the first. */
export function mergeSteps(first: Step, second: Step): Step | Refusal {
  const start = Math.min(first.start, second.start)
  const end = Math.max(first.end, second.end)
  if (end - start >= STEP_RULES.maxDurationS) return { problem: 'Together they would not be under 5 minutes long.' }
  const description = join(' ', first.description, second.description)
  if (description.length > STEP_RULES.descriptionMaxChars) {
    return { problem: 'Together their descriptions are too long. Shorten one of them first.' }
  }
  const aliases = [...new Set([...first.aliases, ...second.aliases])]
  if (aliases.length > STEP_RULES.maxAliases) return { problem: 'Together they have too many aliases (max 10).' }
  return {
    ...first,
    description,
    start,
    end,
    duration: end - start,
    aliases,
    notes: join('\n\n', first.notes, second.notes),
    originalText: join(' ', first.originalText, second.originalText),
    isManual: first.isManual && second.isManual,
    isDraft: false,
    aiRewrite: null,
  }
}

function join(separator: string, ...texts: string[]): string {
  return [...new Set(texts)].filter((text) => text.trim() !== '').join(separator)
}

/** A step that a person adds by hand. */
export function makeManualStep(fields: Partial<Step> & Pick<Step, 'start' | 'end'>): Step {
  return {
    id: crypto.randomUUID(),
    title: '',
    description: '',
    aliases: [],
    notes: '',
    isManual: true,
    originalText: '',
    aiRewrite: null,
    isDraft: false,
    duration: fields.end - fields.start,
    ...fields,
  }
}
