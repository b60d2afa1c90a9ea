// The speech server as a process of its own: `node local/speech/main.ts [port] [folder for temporary files]`.
import { tmpdir } from 'node:os'
import { startSpeechServer } from './speech-server.ts'

const [port = '0', workDir = tmpdir()] = process.argv.slice(2)
const server = await startSpeechServer({ port: Number(port), workDir })
console.log(`Speech server is listening at ${server.baseUrl}`)
process.send?.({ port: server.port })

async function stop(): Promise<void> {
  await server.close()
  process.exit(0)
}

process.once('SIGTERM', stop).once('SIGINT', stop).once('SIGHUP', stop)
