import type { LearningAnswer } from '#contract/learning.ts'
import type { StepsAnswer } from '#contract/step.ts'
import type { Conversation } from '#contract/tutor.ts'
import type { Caller } from './caller.ts'
import { OWNER } from './planted.ts'
import type { Acknowledged } from './traffic.ts'

/** Looked for at the same time. */
const AT_ONCE = 8

/** What was acknowledged and is not there, a sentence each. */
export async function findLost(caller: Caller, acknowledged: Acknowledged): Promise<string[]> {
  const { edits, uploads, answers, feedback, learners } = acknowledged
  const lost: string[] = []
  const read = async <Body>(path: string, as?: string) =>
    JSON.parse(await caller.ask({ path, ...(as === undefined ? {} : { as }) })) as Body
  await forEach([...edits], async ([moduleId, { title, version }]) => {
    const { steps, meta } = await read<StepsAnswer>(`/api/steps/${moduleId}`, OWNER)
    if (steps[0]?.title !== title || meta.version !== version) lost.push(`edit ${version} of ${moduleId}`)
  })
  const sources = new Set(await read<string[]>('/api/bench/sources'))
  lost.push(...uploads.filter((id) => !sources.has(id)).map((id) => `upload ${id}`))
  const said = new Set(await read<string[]>('/api/bench/feedback'))
  lost.push(...feedback.filter((text) => !said.has(text)).map((text) => `feedback ${text}`))
  await forEach(answers, async ({ as, moduleId, turnId }) => {
    const { messages } = await read<Conversation>(`/api/ai/conversation/${moduleId}`, as)
    const answer = messages.find((message) => message.turnId === turnId && message.role === 'assistant')
    if (answer?.end !== 'complete') lost.push(`answer ${turnId}`)
  })
  await forEach(learners, async ({ moduleId, learner, seenS }) => {
    const { progress } = await read<LearningAnswer>(`/api/learning-metrics/${moduleId}/mine?learner=${learner}`)
    if (progress.seen[0]?.[1] !== seenS) lost.push(`what a learner of ${moduleId} has seen`)
  })
  return lost
}

async function forEach<Item>(items: readonly Item[], look: (item: Item) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) await Promise.all(items.slice(at, at + AT_ONCE).map(look))
}
