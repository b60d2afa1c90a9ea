// Runs the worker as `wrangler dev` does. Only `npm run dev` watches files: a reload ends the local queues, which live in
// memory, and with them every job that waits. Arguments: mode, port, data folder, site, variables.
import { unstable_startWorker } from 'wrangler'

const [mode, port, persist, assets, envFile] = process.argv.slice(2)
if (port === undefined || persist === undefined || assets === undefined || envFile === undefined) {
  throw new Error('serve-worker needs a mode, a port, a data folder, a site folder and a file of variables')
}

const worker = await unstable_startWorker({
  config: 'wrangler.toml',
  entrypoint: 'local/worker.ts',
  envFiles: [envFile],
  assets,
  dev: {
    remote: false,
    watch: mode === 'dev',
    persist,
    server: { hostname: 'localhost', port: Number(port) },
    ...(mode === 'dev' ? {} : { inspector: false }),
  },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void worker.dispose().then(() => process.exit(0)))
await worker.ready
