import type { Step } from '#contract/step.ts'

/** A legal step named after its id. */
export function makeStep(id: string, start: number, fields: Partial<Step> = {}): Step {
  const end = fields.end ?? start + 10
  return {
    id,
    title: `Title ${id}`,
    description: `What to do in step ${id}.`,
    start,
    end,
    duration: end - start,
    aliases: [],
    notes: '',
    isManual: false,
    originalText: `What is said in ${id}.`,
    aiRewrite: null,
    isDraft: false,
    ...fields,
  }
}

export function idsOf(steps: readonly Step[]): string {
  return steps.map((step) => step.id).join('')
}
