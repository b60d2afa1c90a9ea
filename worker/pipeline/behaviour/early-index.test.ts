// Behaviour: a video whose index stands behind its media is served with its index first.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { readMediaFacts } from '#media/read-facts.ts'
import { pickMedia } from '#media/testing/cut-all.ts'
import { removeModuleObjects } from '#worker/domain/lifecycle/erase-module.ts'
import { getSource, openSource, serveSource } from '#worker/domain/module/serve-source.ts'
import { beginUpload, pickFile } from '../testing/browser-upload.ts'
import { openDriver } from '../testing/drive.ts'
import { moduleOf } from '../testing/outcome.ts'
import { holdTasks } from '../testing/seed-tasks.ts'

holdTasks()

const AUDIO_MS = 20_000

async function makeModule({ isAudioFirst }: { isAudioFirst: boolean }) {
  const driver = openDriver()
  const file = await pickFile(AUDIO_MS, 0, 'avc', 'late')
  const upload = await beginUpload(driver, file)
  if (isAudioFirst) await upload.sendAllAudio()
  await upload.sendVideo()
  await driver.drain()
  const module = await moduleOf(driver, upload)
  if (module?.earlyIndex == null) throw new Error('The index was not moved')
  return { driver, file, module, earlyIndex: module.earlyIndex }
}

describe('a video whose index stands behind its media', () => {
  it.each([true, false])('is served with the index first, audio first: %s', async (isAudioFirst) => {
    const { file, module, earlyIndex } = await makeModule({ isAudioFirst })
    expect(module.status).toBe('READY')
    const grant = getSource(module)
    const served = await new Response(await openSource(env.MEDIA, grant, null)).bytes()
    expect(served.byteLength).toBe(file.bytes.byteLength)
    const nameAt = earlyIndex.insertAt + 4
    expect(new TextDecoder().decode(served.subarray(nameAt, nameAt + 4))).toBe('moov')
    expect((await readMediaFacts(pickMedia(served)())).durationMs).toBe(file.durationMs)
    // The very file that was sent stays as it is.
    const sent = await env.MEDIA.get(module.sourceKey)
    expect(await sent?.bytes()).toEqual(file.bytes)
  })

  it('is READY only once its index is in place', async () => {
    const driver = openDriver()
    const { bucket } = driver.deps
    const stored: string[] = []
    const put = async (...[key, ...rest]: Parameters<R2Bucket['put']>) => {
      if (key.startsWith('early/')) {
        // What this task makes ready meanwhile, other consumers do.
        for (let look = 0; look < 200; look += 1) await driver.drain()
      }
      stored.push(key.replace(/\/.*/, ''))
      return bucket.put(key, ...rest)
    }
    driver.deps.bucket = new Proxy(bucket, {
      get: (target, name) => {
        if (name === 'put') return put
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const upload = await beginUpload(driver, await pickFile(AUDIO_MS, 0, 'avc', 'late'))
    await upload.sendVideo()
    await driver.drain()
    expect([...new Set(stored)]).toEqual(['early', 'chunks', 'transcripts'])
  })

  it('answers ranges over the seams with a tag of their own', async () => {
    const { module, earlyIndex } = await makeModule({ isAudioFirst: false })
    const { insertAt, indexBytes } = earlyIndex
    const all = await serveSource(env.MEDIA, getSource(module), new Request('https://adapt.test/video'))
    const whole = await all.bytes()
    const range = `bytes=${insertAt - 1}-${insertAt + indexBytes}`
    const part = await serveSource(
      env.MEDIA,
      getSource(module),
      new Request('https://adapt.test/video', { headers: { range } }),
    )
    expect(part.status).toBe(206)
    expect(await part.bytes()).toEqual(whole.slice(insertAt - 1, insertAt + indexBytes + 1))
    expect(part.headers.get('etag')).toBe(`"${module.sourceEtag}-early"`)
    expect(all.headers.get('etag')).toBe(part.headers.get('etag'))
  })

  it('goes with all that is kept for it', async () => {
    const { module } = await makeModule({ isAudioFirst: false })
    expect((await env.MEDIA.list({ prefix: `early/${module.id}` })).objects).toHaveLength(1)
    await removeModuleObjects(env.MEDIA, module)
    expect((await env.MEDIA.list({ prefix: `early/${module.id}` })).objects).toHaveLength(0)
  })
})
