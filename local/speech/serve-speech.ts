// Runs the speech recognition of this machine in a process of its own, and sends its address to the start command, then
// each line for the person who runs Adapt. Arguments: folder for temporary files, port (0: any).
import { inspect } from 'node:util'
import { type Preparation, prepareRecogniser } from './prepare-recogniser.ts'
import type { Readiness } from './recogniser.ts'
import { startSpeechServer } from './speech-server.ts'

const [workDir, port] = process.argv.slice(2)
if (workDir === undefined || port === undefined) throw new Error('serve-speech needs a folder and a port')

const NOT_BEGUN: Readiness = { state: 'preparing', doneBytes: 0, totalBytes: 0 }
let preparation: Preparation | null = null
const server = await startSpeechServer({
  workDir,
  port: Number(port),
  onFailure: (error) => console.error(inspect(error)),
  readiness: () => preparation?.readiness() ?? NOT_BEGUN,
})
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void Promise.all([preparation?.close(), server.close()]).then(() => process.exit(0)))
process.send?.(server.baseUrl)
preparation = prepareRecogniser({
  env: process.env,
  workDir,
  onLine: console.error,
  say(line) {
    console.log(line)
    process.send?.(line)
  },
})
