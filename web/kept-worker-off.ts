import type { WorkerScope } from './kept-worker.ts'

// What devices get in place of `kept-worker.ts` from a deployment that switches keeping off (docs/operations.md): it answers
// nothing, removes what is kept and then itself.

const worker = self as unknown as WorkerScope

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))
worker.addEventListener('activate', (event) => event.waitUntil(endKeeping()))

async function endKeeping(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith('adapt_kept')).map((name) => caches.delete(name)))
  await worker.registration.unregister()
}
