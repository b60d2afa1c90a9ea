import { readFileSync } from 'node:fs'
import { type CheckedClaim, checkClaim } from '#worker/domain/tutor/check-claim.ts'
import { judgePrompt } from '#worker/domain/tutor/prompts/judge-sentences.v1.ts'
import { gate, type Row, round } from '../scenario.ts'
import { hashPrompt, keepPrompt } from '../steps/answered-model.ts'
import { type GoldItem, readSegments } from '../steps/predict-steps.ts'

/** A sentence of ours about lines of a recording: faithful, or planted with what is false in it. */
interface WrittenClaim {
  item: string
  /**
   * The rules were written with both halves in view. `unseen` and `fresh` are by somebody who did not know them; a limit
   * was chosen on the former.
   */
  half: 'chosen' | 'held_out' | 'unseen' | 'fresh'
  lines: number[]
  /** `faithful`, or what was planted. */
  kind: string
  sentence: string
}

/** What answered the judge's prompts, by their hash; the prompts hold transcripts and are not kept. */
interface Judged {
  answeredBy: string
  answers: Record<string, 'yes' | 'no'>
}

const FAITHFUL_DROPPED_MAX = 0.05
const PLANTED_PASSED_MAX = 0.15
/** Of sentences that the rules were not written for. */
const UNSEEN_DROPPED_MAX = 0.04

function readOwn<Written>(name: string): Written {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as Written
}

/** A claim with what the rules say, and the judge where they do not decide; null where it has not answered. */
interface Settled extends Pick<WrittenClaim, 'half' | 'kind'> {
  verdict: CheckedClaim['verdict']
  isShown: boolean | null
  hash: string
}

/** What the rules say of a claim. */
function check({ item: id, lines, sentence }: WrittenClaim, gold: readonly GoldItem[]): CheckedClaim {
  const item = gold.find((each) => each.id === id)
  if (item === undefined) throw new Error(`There is no recording "${id}".`)
  const segments = readSegments(item)
  // A model quotes a part of what it cites; the first line that it cites is such a part.
  const quote = segments[lines[0] ?? 0]?.text ?? ''
  const segmentIds = lines.map((line) => `s${line}`)
  return checkClaim({ text: sentence, segmentIds, quote }, segments)
}

function settle(claim: WrittenClaim, gold: readonly GoldItem[], { answers }: Judged): Settled {
  const { half, kind, sentence } = claim
  const { verdict, source } = check(claim, gold)
  const messages = judgePrompt([{ text: sentence, source }])
  const hash = hashPrompt(messages)
  const judged = answers[hash] === undefined ? null : answers[hash] === 'yes'
  const isShown = verdict === 'unsure' ? judged : verdict === 'supported'
  if (isShown === null) keepPrompt(hash, messages)
  return { half, kind, verdict, isShown, hash }
}

function share<Each>(all: readonly Each[], is: (each: Each) => boolean): number {
  return all.filter(is).length / all.length
}

/**
 * Measures the checks of answers on sentences of ours: what share of faithful ones is dropped, and of planted false
 * ones shown. What the judge has not answered is dropped, counted and named.
 */
export function measureClaims(gold: readonly GoldItem[]) {
  const judged = readOwn<Judged>('./judged.json')
  const all = readOwn<WrittenClaim[]>('./claims.json').map((claim) => settle(claim, gold, judged))
  const unjudged = all.filter(({ isShown }) => isShown === null)
  const scores = Object.fromEntries(
    (['chosen', 'held_out'] as const).flatMap((half) => Object.entries(scoreHalf(all, half))),
  )
  const unseen = scoreUnseen('unseen', gold)
  const fresh = scoreUnseen('fresh', gold)
  return {
    scores: { ...scores, ...unseen.scores, ...fresh.scores, claims_unjudged_count: unjudged.length },
    rows: [...unseen.rows, ...fresh.rows, ...listRows(scores, judged, unjudged)],
  }
}

/** What the rules alone make of sentences that they were not written for. */
function scoreUnseen(half: 'unseen' | 'fresh', gold: readonly GoldItem[]) {
  const claims = readOwn<WrittenClaim[]>(`./${half}-claims.json`)
  const shareRefused = (some: readonly WrittenClaim[]) =>
    share(some, (claim) => check(claim, gold).verdict === 'unsupported')
  const planted = claims.filter(({ kind }) => kind !== 'faithful')
  const faithful = claims.filter(({ kind }) => kind === 'faithful')
  const [refused, dropped] = [shareRefused(planted), shareRefused(faithful)]
  return {
    scores: {
      [`claims_${half}_count`]: claims.length,
      [`claims_${half}_planted_refused_by_rules_ratio`]: round(refused, 3),
      [`claims_${half}_faithful_dropped_by_rules_ratio`]: round(dropped, 3),
    },
    rows: [
      {
        what: `${half}: planted by somebody who did not know the rules, refused by these alone (${planted.length})`,
        value: refused.toFixed(3),
      },
      gate(
        `… faithful, dropped by them (${faithful.length})`,
        dropped,
        { atMost: UNSEEN_DROPPED_MAX },
        dropped.toFixed(3),
      ),
    ],
  }
}

function scoreHalf(all: readonly Settled[], half: Settled['half']): Record<string, number> {
  const claims = all.filter((claim) => claim.half === half)
  const faithful = claims.filter(({ kind }) => kind === 'faithful')
  const planted = claims.filter(({ kind }) => kind !== 'faithful')
  const ratios = {
    faithful_dropped: share(faithful, ({ isShown }) => isShown !== true),
    planted_passed: share(planted, ({ isShown }) => isShown === true),
    faithful_dropped_by_rules: share(faithful, ({ verdict }) => verdict === 'unsupported'),
    planted_passed_by_rules: share(planted, ({ verdict }) => verdict === 'supported'),
    decided_by_rules: share(claims, ({ verdict }) => verdict !== 'unsure'),
  }
  const named = Object.entries(ratios).map(
    ([name, ratio]) => [`claims_${half}_${name}_ratio`, round(ratio, 3)] as const,
  )
  return { ...Object.fromEntries(named), [`claims_${half}_count`]: claims.length }
}

function listRows(scores: Record<string, number>, judged: Judged, unjudged: readonly Settled[]): (Row | string)[] {
  const of = (name: string) => scores[`claims_held_out_${name}_ratio`] ?? Number.NaN
  const row = (name: string, limit: number, what: string) =>
    gate(`${what} (held-out half)`, of(name), { atMost: limit }, of(name).toFixed(3))
  return [
    row('faithful_dropped', FAITHFUL_DROPPED_MAX, 'faithful sentences dropped'),
    row('planted_passed', PLANTED_PASSED_MAX, 'planted false sentences shown'),
    row('faithful_dropped_by_rules', FAITHFUL_DROPPED_MAX, '… faithful, dropped by the rules alone'),
    row('planted_passed_by_rules', PLANTED_PASSED_MAX, '… planted, shown by the rules alone'),
    `The judge’s prompts were answered by ${judged.answeredBy}.`,
    { what: '… decided without the judge', value: of('decided_by_rules').toFixed(3) },
    gate('prompts of the judge without an answer', unjudged.length, { atMost: 0 }, String(unjudged.length)),
    ...unjudged.map(({ hash }) => `no answer: ${hash}`),
  ]
}
