import { median } from '../shared/statistics.ts'
import { CONDITIONS } from './conditions.ts'
import type { Trainer } from './open-browser.ts'

export interface ListApi {
  fewMs: number
  manyMs: number
  ratio: number
  /** The same between two lists of the few: what the measurement itself makes of no difference. */
  noiseRatio: number
  searchFewMs: number
  searchManyMs: number
}

const WARM_UPS = 20
/** Tokens are good for a minute. */
const TOKEN_MS = 30_000

/** The dashboard's first page with few and with many modules: in turns, so that the machine's moods hit all alike. */
export async function measureApi(
  url: string,
  { few, fewToo, many }: Record<'few' | 'fewToo' | 'many', Trainer>,
): Promise<ListApi> {
  const lists = [openList(url, few), openList(url, many), openList(url, fewToo)] as const
  const page = await measureInTurns(lists, '/api/modules?limit=60')
  const search = await measureInTurns(lists, '/api/modules?limit=60&search=no+title+says+this')
  const [fewMs, manyMs, fewTooMs] = page
  return {
    fewMs,
    manyMs,
    ratio: manyMs / fewMs,
    noiseRatio: Math.max(fewMs, fewTooMs) / Math.min(fewMs, fewTooMs),
    searchFewMs: search[0],
    searchManyMs: search[1],
  }
}

type List = (path: string) => Promise<number>

async function measureInTurns(lists: readonly [List, List, List], path: string): Promise<[number, number, number]> {
  const times: [number[], number[], number[]] = [[], [], []]
  for (let pair = -WARM_UPS; pair < CONDITIONS.callPairs; pair += 1) {
    for (const [index, call] of lists.entries()) {
      const ms = await call(path)
      if (pair >= 0) times[index as 0 | 1 | 2].push(ms)
    }
  }
  return [median(times[0]), median(times[1]), median(times[2])]
}

function openList(url: string, trainer: Trainer): List {
  let token = ''
  let tokenAt = Number.NEGATIVE_INFINITY
  return async (path) => {
    if (performance.now() - tokenAt > TOKEN_MS) {
      token = await trainer.token()
      tokenAt = performance.now()
    }
    const startedAt = performance.now()
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })
    await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return performance.now() - startedAt
  }
}
