import type { FuzzReport, RouteTally } from '#worker/routes/testing/fuzz/run-fuzz.ts'

const CLASSES = [1, 2, 3, 4, 5]

/** A row for each route: how many cases, what became of them, and how long the slowest took. */
export function printFuzz({ routes, faults }: FuzzReport, run: { seed: number; cases: number; tookS: number }): void {
  const width = Math.max(...Object.keys(routes).map((route) => route.length))
  const heads = ['cases', ...CLASSES.map((each) => `${each}xx`), 'slowest ms']
  console.log(`${''.padEnd(width)}${heads.map((head) => head.padStart(11)).join('')}`)
  for (const [route, tally] of Object.entries(routes)) {
    console.log(
      `${route.padEnd(width)}${figuresOf(tally)
        .map((figure) => String(figure).padStart(11))
        .join('')}`,
    )
  }
  const end = faults.length === 0 ? 'nothing found' : `${faults.length} FAULTS`
  console.log(`fuzz: ${run.cases} cases in ${run.tookS.toFixed(0)} s, ${end} (seed ${run.seed})`)
}

function figuresOf({ cases, byStatus, slowestMs }: RouteTally): number[] {
  const all = Object.entries(byStatus)
  const sumOf = (hundreds: number) =>
    all.filter(([status]) => Math.floor(Number(status) / 100) === hundreds).reduce((sum, [, count]) => sum + count, 0)
  return [cases, ...CLASSES.map(sumOf), Math.round(slowestMs)]
}
