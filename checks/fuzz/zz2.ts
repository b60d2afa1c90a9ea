import { Session } from 'node:inspector'
import { isMainThread, Worker } from 'node:worker_threads'
import { damage } from '../../media/testing/fuzz/mutate-media.ts'
import { makePartSeeds } from '../../worker/domain/media/testing/part-seeds.ts'

if (isMainThread) {
  const w = new Worker(new URL(import.meta.url))
  const s = new Session()
  void s
  setTimeout(async () => {
    const i = await import('node:inspector/promises')
    void i
  }, 1)
  setTimeout(async () => {
    try {
      const p = await (w as any).startCpuProfile?.()
      await new Promise((r) => setTimeout(r, 2000))
      const prof = JSON.parse(await p.stop())
      const c: Record<string, number> = {}
      for (const id of prof.samples) {
        let n = prof.nodes.find((x: any) => x.id === id)
        const k = `${n.callFrame.functionName}:${n.callFrame.lineNumber} ${n.callFrame.url.split('/').slice(-2).join('/')}`
        c[k] = (c[k] ?? 0) + 1
      }
      console.log(
        Object.entries(c)
          .sort((a, b) => b[1] - a[1])
          .slice(0, 12),
      )
      const parent: Record<number, number> = {}
      for (const n of prof.nodes) for (const ch of n.children ?? []) parent[ch] = n.id
      let id = prof.samples.at(-5)
      const st = []
      while (id) {
        const n = prof.nodes.find((x: any) => x.id === id)
        st.push(
          `${n.callFrame.functionName}:${n.callFrame.lineNumber} ${n.callFrame.url.split('/').slice(-2).join('/')}`,
        )
        id = parent[id]
      }
      console.log(st)
    } catch (e) {
      console.log(e)
    }
    process.exit()
  }, 3000)
} else {
  const d = JSON.parse(
    '[{"kind":"number","at":822535,"other":421164,"value":2518939642},{"kind":"repeat","at":103550,"other":549531,"value":1},{"kind":"cut","at":365440,"other":504788,"value":4294967280},{"kind":"repeat","at":311139,"other":31610,"value":3647675499}]',
  )
  const s = makePartSeeds().find((x) => x.name.includes('mp4'))!
  await s.tryFile(damage(s.bytes, d))
  console.log('done')
}
