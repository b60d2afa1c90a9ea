import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureTools, orEnd } from '#local/start/ensure-tools.ts'
import { tell } from '../shared/tell.ts'
import { ALLOWED } from './allowed.ts'
import { judge } from './gates.ts'
import { measureOurs, type Plan } from './measure-ours.ts'
import { measureSerial } from './measure-serial.ts'
import { isProfileName, PROFILES, type ProfileName } from './profiles.ts'
import { printReport } from './report.ts'

const { values } = parseArgs({
  options: {
    profile: { type: 'string' },
    minutes: { type: 'string', default: '10,60' },
    'skip-serial': { type: 'boolean' },
    json: { type: 'boolean' },
  },
})

function readPlan(): Plan {
  const minutes = values.minutes.split(',').map(Number)
  if (!minutes.every((each) => Number.isInteger(each) && each > 0)) throw new Error('--minutes takes e.g. 10,60')
  const profiles = values.profile?.split(',') ?? Object.keys(PROFILES)
  if (!profiles.every(isProfileName)) throw new Error(`--profile takes ${Object.keys(PROFILES).join(', ')}`)
  return { minutes: minutes.toSorted((a, b) => a - b), profiles: profiles as ProfileName[] }
}

const plan = readPlan()
await orEnd(ensureTools(['ffmpeg', 'flite']))
const folder = await mkdtemp(join(tmpdir(), 'adapt-bench-pipeline-run-'))
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    // Gigabytes; the worker's own process goes with this one.
    rmSync(folder, { recursive: true, force: true })
    process.exit(1)
  })
}
try {
  const ours = await measureOurs(plan, folder, tell)
  const serial = values['skip-serial'] ? [] : await measureSerial(plan, folder, tell)
  const gates = judge(ours.rows, serial)
  if (values.json)
    console.log(JSON.stringify({ profiles: PROFILES, allowed: ALLOWED, ...ours, serial, gates }, null, 2))
  else printReport({ ours, serial, gates })
  if (gates.some((gate) => gate.decides && gate.verdict === 'missed')) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
