// Runs the speech recognition of this machine in a process of its own, and sends its address to the start command.
// Arguments: folder for temporary files, port (0: any).
import { inspect } from 'node:util'
import { startSpeechServer } from './speech-server.ts'

const [workDir, port] = process.argv.slice(2)
if (workDir === undefined || port === undefined) throw new Error('serve-speech needs a folder and a port')

const onFailure = (error: unknown) => console.error(inspect(error))
const server = await startSpeechServer({ workDir, port: Number(port), onFailure })
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void server.close().then(() => process.exit(0)))
process.send?.(server.baseUrl)
