// Runs the translation of this machine in a process of its own, and sends its address to the start command, then each line
// for the person who runs Adapt. Argument: port (0: any).
import { inspect } from 'node:util'
import { ensureTranslationTools, thisMachine } from '../start/install.ts'
import { startTranslationServer } from './translation-server.ts'

const port = Number(process.argv.at(-1))
const onFailure = (error: unknown) => console.error(inspect(error))
const say = (line: string) => void process.send?.(line)
const ensureApertium = () => ensureTranslationTools({ ...thisMachine, say })
const server = await startTranslationServer({ port, onFailure, ensureApertium })
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void server.close().then(() => process.exit(0)))
process.send?.(server.baseUrl)
