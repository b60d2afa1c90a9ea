import type { FuzzReport, RouteTally } from '#worker/routes/testing/fuzz/run-fuzz.ts'

interface Run {
  seed: number
  cases: number
  tookS: number
}

interface FileReport {
  ends: Record<string, number>
  slowestMs: number
  largestBytes?: number
  faults: string[]
}

const CLASSES = [1, 2, 3, 4, 5]

/** A row for each route: how many cases, what became of them, and how long the slowest took. */
export function printFuzz({ routes, faults }: FuzzReport, run: Run): void {
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
  printEnd(faults.length, run)
}

/** What became of damaged files. */
export function printFiles({ ends, slowestMs, largestBytes, faults }: FileReport, run: Run): void {
  for (const fault of faults) console.log(`  ${fault}`)
  for (const [end, count] of Object.entries(ends)) console.log(`${end.padEnd(20)}${String(count).padStart(8)}`)
  console.log(`${'slowest, ms'.padEnd(20)}${String(Math.round(slowestMs)).padStart(8)}`)
  if (largestBytes !== undefined)
    console.log(`${'largest piece, kB'.padEnd(20)}${String(largestBytes >> 10).padStart(8)}`)
  printEnd(faults.length, run)
}

function printEnd(faults: number, { seed, cases, tookS }: Run): void {
  const end = faults === 0 ? 'nothing found' : `${faults} FAULTS`
  console.log(`fuzz: ${cases} cases in ${tookS.toFixed(0)} s, ${end} (seed ${seed})`)
}

function figuresOf({ cases, byStatus, slowestMs }: RouteTally): number[] {
  const all = Object.entries(byStatus)
  const sumOf = (hundreds: number) =>
    all.filter(([status]) => Math.floor(Number(status) / 100) === hundreds).reduce((sum, [, count]) => sum + count, 0)
  return [cases, ...CLASSES.map(sumOf), Math.round(slowestMs)]
}
