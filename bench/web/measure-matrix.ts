import type { BrowserContext } from 'playwright-core'
import { MATRIX_PEOPLE } from '#contract/records/matrix.ts'
import { runSql, seedModules } from '../../e2e/seed-modules.ts'
import { activate } from '../../e2e/team.ts'
import type { Trainer } from '../browser.ts'
import { ratioOfRounds, spreadOf } from '../scenario.ts'
import { openFreshPage, PAGES, takeLongest, UNLIMITED } from './measure-pages.ts'

interface MatrixSize {
  people: number
  trainings: number
}

const PEOPLE = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < CAST(?2 AS INTEGER))
  INSERT INTO people (org_id, id, name, commitment, names, created_at, updated_at)
  SELECT ?1, 'person-' || n, printf('Person %04d', n), '', '[]', 0, 0 FROM numbers`
/** Each is asked for each training, and a third of them was done. */
const FACTS = `INSERT INTO person_trainings (org_id, person_id, module_id, known, seq, timeline)
  SELECT p.org_id, p.id, m.id,
    iif(p.rowid % 3 = 0, '{"done":{"time":"2026-03-01T09:00:00.000Z","version":{"number":1}}}', '{}'), 1,
    CASE p.rowid % 3 WHEN 0 THEN '[[0,"done"]]' WHEN 1 THEN '[[0,"overdue"]]' ELSE '[[0,"assigned"]]' END
  FROM people AS p JOIN modules AS m ON m.org_id = p.org_id WHERE p.org_id = ?1`

/** Founds an organization in which so many people are asked for so many trainings. */
export async function seedMatrix(url: string, { context, userId }: Trainer, size: MatrixSize): Promise<void> {
  const orgId = await foundOrganization(context)
  const titles = Array.from({ length: size.trainings }, (_, index) => ({ title: `Training number ${index}` }))
  const ids = await seedModules(url, userId, titles)
  const move = 'UPDATE modules SET org_id = ?1 WHERE id IN (SELECT value FROM json_each(?2))'
  await runSql(url, move, [orgId, JSON.stringify(ids)])
  await runSql(url, PEOPLE, [orgId, String(size.people)])
  await runSql(url, FACTS, [orgId])
}

async function foundOrganization({ request }: BrowserContext): Promise<string> {
  const made = await request.post('/__clerk/v1/organizations', { form: { name: 'North Works' } })
  const orgId = ((await made.json()) as { response: { id: string } }).response.id
  await activate(request, orgId)
  return orgId
}

interface MatrixOf {
  trainer: Trainer
  people: number
}

/** A trainer opens a large matrix and uses it, each time beside a small one. */
export async function measureMatrix(large: MatrixOf, small: MatrixOf) {
  const rounds = []
  for (let run = 0; run < PAGES.runs; run += 1)
    rounds.push({
      own: await measureVisit(large.trainer, large.people),
      other: await measureVisit(small.trainer, small.people),
    })
  return {
    /** From the link to it until an arrow key has moved to the second cell. */
    usableMs: spreadOf(rounds.map(({ own }) => own.usableMs)),
    usableToSmall: ratioOfRounds(rounds.map(({ own, other }) => ({ own: own.usableMs, other: other.usableMs }))),
    /** The slowest of the keys that go through all of it, once everybody is there. */
    interactionMs: spreadOf(rounds.map(({ own }) => own.interactionMs)),
  }
}

const placeOf = (place: string) => `[data-place="${place}"]`

type TimedWindow = { benchTimes: { openedMs: number; movedMs: Promise<number> } }

/**
 * Notes when a link was pressed, puts the focus on the first cell in the frame in which there is one, and notes when an
 * arrow key has moved it. All of it in the page: waiting from outside looks there every half second.
 */
function watchOpening([first, second]: readonly [string, string]): void {
  const times = { openedMs: Number.NaN, movedMs: Promise.resolve(Number.NaN) }
  Object.assign(window, { benchTimes: times })
  addEventListener('click', ({ timeStamp }) => Object.assign(times, { openedMs: timeStamp }), {
    capture: true,
    once: true,
  })
  const watchFrames = () => {
    const cell = document.querySelector<HTMLElement>(first)
    if (cell === null) requestAnimationFrame(watchFrames)
    else cell.focus()
  }
  requestAnimationFrame(watchFrames)
  times.movedMs = new Promise((resolve) => {
    addEventListener('focusin', ({ target, timeStamp }) => {
      if (target instanceof Element && target.matches(second)) resolve(timeStamp)
    })
  })
}

async function measureVisit({ context }: Trainer, people: number) {
  const { page, devtools } = await openFreshPage(context)
  await page.goto('/team/people')
  await page.waitForLoadState('networkidle')
  // What the size of the matrix costs is asked of processor and server; how large its files are, others tell.
  await devtools.send('Network.emulateNetworkConditions', UNLIMITED)
  await page.evaluate(watchOpening, [placeOf('0 0'), placeOf('0 1')] as const)
  await page.getByRole('link', { name: 'Matrix' }).click()
  await page.waitForFunction((first) => document.activeElement?.matches(first), placeOf('0 0'))
  await page.keyboard.press('ArrowRight')
  const usableMs = await page.evaluate(async () => {
    const { openedMs, movedMs } = (window as unknown as TimedWindow).benchTimes
    return (await movedMs) - openedMs
  })
  for (let loaded = MATRIX_PEOPLE; loaded < people; loaded += MATRIX_PEOPLE) {
    await page.getByRole('button', { name: 'More people' }).click()
    await page.locator(`[aria-rowcount="${Math.min(loaded + MATRIX_PEOPLE, people) + 1}"]`).waitFor()
  }
  await page.locator(placeOf('0 1')).focus()
  await takeLongest(page)
  for (const key of ['ArrowDown', 'End', 'ArrowDown', 'Home', 'ArrowRight']) await page.keyboard.press(key)
  const { interactionMs } = await takeLongest(page)
  await page.close()
  return { usableMs, interactionMs }
}
