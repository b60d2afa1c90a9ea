// Runs the worker as `wrangler dev` does, with the options that its argument holds as JSON, and notifies its parent when it
// answers.
import { unstable_startWorker } from 'wrangler'

const worker = await unstable_startWorker(JSON.parse(process.argv[2] ?? ''))
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void worker.dispose().then(() => process.exit(0)))
await worker.ready
const { status } = await worker.fetch('http://localhost/api/health')
// 503 is the health check's own word for a part that is not well; the worker is up.
if (status < 500 || status === 503) process.send?.('ready')
