import { AiUseAnswer, DebugTimelineAnswer } from '#contract/debug.ts'
import { StreamError, StreamMeta } from '#contract/tutor.ts'
import { AI_PRICES } from '#worker/domain/quota/prices.ts'
import type { CatalogueModel } from '../../models.ts'
import { type Check, call, expectOk, LeftOut, read, readHealth, requireUpload, seconds, type Visit } from '../visit.ts'

const QUESTION = 'What do I press?'

async function readUse(visit: Visit): Promise<{ modelAnswers: number; estimatedUsd: number }> {
  const { moduleId } = requireUpload(visit)
  const { rows } = await read(AiUseAnswer, await call(visit, '/api/debug/usage'))
  return rows.find((row) => row.moduleId === moduleId) ?? { modelAnswers: 0, estimatedUsd: 0 }
}

async function askTutor(visit: Visit): Promise<string> {
  const { moduleId } = requireUpload(visit)
  const json = { moduleId, userMessage: QUESTION, turnId: crypto.randomUUID() }
  const answer = await expectOk(await call(visit, '/api/ai/contextual-response/stream', { json }))
  const lines = (await answer.text()).split('\n').flatMap((line) => /^data: ?(.+)$/.exec(line)?.[1] ?? [])
  if (lines.at(-1) !== '[DONE]') throw new Error(`the stream ended with ${lines.at(-1) ?? 'nothing'}`)
  const pieces = lines.slice(0, -1).map((line): unknown => JSON.parse(line))
  const failure = pieces.map((piece) => StreamError.safeParse(piece).data).find((error) => error !== undefined)
  if (failure !== undefined) throw new Error(failure.error)
  const meta = pieces.map((piece) => StreamMeta.safeParse(piece).data).find((each) => each !== undefined)
  if (meta === undefined) throw new Error('the stream had no answer')
  const { modelAnswers } = await readUse(visit)
  const quoted = 'the tutor quoted the video'
  if (modelAnswers === 0)
    throw visit.isHere ? new LeftOut(`${quoted}: no language model answers here`) : new Error(quoted)
  return `answered within ${seconds(meta.ms)}: ${meta.answer.slice(0, 80)}`
}

export const jsonMode: Check = {
  name: 'Model, JSON mode',
  advice: 'The steps are drafts of rules. Ask Workers AI › Models whether the account may use the model of Llama.',
  run: async (visit) => {
    const answer = await call(visit, `/api/debug/modules/${requireUpload(visit).moduleId}`)
    const { done = 0, drafts = 0 } = (await read(DebugTimelineAnswer, answer)).runs[0]?.steps ?? {}
    if (done === 0) throw new Error('no section was written')
    const { ai } = await readHealth(visit)
    if (drafts > 0) throw new Error(`${drafts} of ${done} sections were written without the model; ai: ${ai}`)
    return `none of ${done} sections had to be written without the model`
  },
}

export const stream: Check = {
  name: 'Model, stream',
  advice: 'Look for `tutor_model_failed` in the log.',
  run: askTutor,
}

export const cost: Check = {
  name: 'Cost',
  advice: 'The page /debug shows the same; docs/deploy.md says what a month costs.',
  run: async (visit) => `about $${(await readUse(visit)).estimatedUsd.toFixed(4)} of models by list price`,
}

const DAY_MS = 24 * 60 * 60_000
/** Long enough to try another model and deploy it. */
const RETIRED_SOON_DAYS = 90
/** Catalogues round. */
const DEARER = 1.02

/** Finds a price of the catalogue that is above the one that Adapt counts with; null where none is. */
function findDearer({ name, prices }: CatalogueModel): string | null {
  const counted: [RegExp, number][] = [
    [/audio minute/i, AI_PRICES.perMinute],
    [/input token/i, AI_PRICES.perTokenIn * 1e6],
    [/output token/i, AI_PRICES.perTokenOut * 1e6],
  ]
  for (const { unit, price } of prices) {
    const ours = counted.find(([names]) => names.test(unit))?.[1] ?? null
    if (ours !== null && price > ours * DEARER) return `${name} costs $${price} ${unit}, and is counted as $${ours}`
  }
  return null
}

export const catalogue: Check = {
  name: 'Models',
  advice:
    'Choose another model (WORKERS_AI_… in `vars` of the settings; its name stands in the catalogue of Workers AI) and deploy. Where it is dearer, the limits in US dollars let more pass: change AI_PRICES of worker/domain/quota/prices.ts.',
  run: async ({ models, listModels }) => {
    const names = [...models.speech, ...models.language]
    if (names.length === 0) throw new LeftOut('no model of Workers AI is asked')
    const listed = listModels === null ? null : await listModels()
    if (listed === null) throw new LeftOut('no credentials: set CLOUDFLARE_API_TOKEN or run `npx wrangler login`')
    const problems = names.flatMap((name) => {
      const model = listed.find((each) => each.name === name)
      if (model === undefined) return [`${name} is not in the catalogue`]
      const { retiredOn } = model
      const isSoon = retiredOn !== null && Date.parse(retiredOn) - Date.now() <= RETIRED_SOON_DAYS * DAY_MS
      return [...(isSoon ? [`${name} is to be retired on ${retiredOn}`] : []), findDearer(model) ?? []].flat()
    })
    if (problems.length > 0) throw new Error(problems.join('; '))
    const later = listed.filter(({ name, retiredOn }) => names.includes(name) && retiredOn !== null)
    const dates = later.map(({ name, retiredOn }) => `; ${name} until ${retiredOn}`).join('')
    return `${names.length} models are in the catalogue, none to be retired within ${RETIRED_SOON_DAYS} days${dates}`
  },
}
