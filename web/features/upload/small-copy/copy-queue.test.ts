import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CallApi } from '#web/lib/api.ts'
import { copyQueue } from './copy-queue.ts'
import type { CopyOutcome, CopyRequest } from './make-module-copy.ts'

const callApi: CallApi = () => Promise.reject(new Error('not asked'))

/** Work that the test ends, request by request. */
function watchWork() {
  const begun: (CopyRequest & { end: (outcome: CopyOutcome) => void; fail: (error: Error) => void })[] = []
  const makeModuleCopy = (request: CopyRequest) => {
    const { promise, resolve, reject } = Promise.withResolvers<CopyOutcome>()
    begun.push({ ...request, end: resolve, fail: reject })
    return promise
  }
  return { begun, deps: { callApi, isUploading: () => false, makeModuleCopy } }
}

const settle = () => new Promise((resolve) => setTimeout(resolve))
const state = () => copyQueue.store.getState()

afterEach(() => copyQueue.stop())

describe('the queue of small copies', () => {
  it('makes one after the other, each once, and shows how far it is', async () => {
    const { begun, deps } = watchWork()
    const file = new Blob(['picked'])
    copyQueue.add(['a'], deps, { file })
    copyQueue.add(['b', 'a'], deps)
    expect(state().moduleIds).toEqual(['a', 'b'])
    expect(begun.map(({ moduleId, file: of }) => [moduleId, of])).toEqual([['a', file]])
    begun[0]?.onProgress?.(40)
    begun[0]?.onWait('upload')
    expect(state()).toMatchObject({ percent: 40, wait: 'upload' })
    begun[0]?.end('made')
    await settle()
    expect(begun.map(({ moduleId, file: of }) => [moduleId, of])).toEqual([
      ['a', file],
      ['b', null],
    ])
    expect(state()).toEqual({ moduleIds: ['b'], percent: 0, wait: null, failedIds: [] })
    begun[1]?.end('not needed')
    await settle()
    expect(state().moduleIds).toEqual([])
  })

  it('counts what could not be made, and goes on', async () => {
    const info = vi.spyOn(console, 'info').mockImplementation(() => undefined)
    const { begun, deps } = watchWork()
    copyQueue.add(['a', 'b', 'c'], deps)
    begun[0]?.fail(new Error('no encoder'))
    await settle()
    begun[1]?.end('given up')
    await settle()
    expect(state()).toMatchObject({ moduleIds: ['c'], failedIds: ['a', 'b'] })
    expect(info).toHaveBeenCalledOnce()
  })

  it('asks for each what was said of it, also for one that waits anew before it has stopped', async () => {
    const { begun, deps } = watchWork()
    const cuts = [[10, 20]] as const
    copyQueue.add(['a', 'b'], deps)
    begun[0]?.end('made')
    await settle()
    copyQueue.stop()
    copyQueue.add(['a'], { ...deps, isUploading: () => true })
    copyQueue.add(['b'], deps, { cuts })
    begun[1]?.fail(new Error('stopped'))
    await settle()
    begun[2]?.end('made')
    await settle()
    expect(begun.map(({ moduleId, cuts: without }) => [moduleId, without])).toEqual([
      ['a', null],
      ['b', null],
      ['a', null],
      ['b', cuts],
    ])
    expect(begun.slice(2).map(({ findWait }) => findWait())).toEqual(['upload', null])
  })

  it('waits while a person watches, while a file is uploaded, and while something is to be spared', () => {
    const { begun, deps } = watchWork()
    const now = { isUploading: false, isSparing: false }
    const video = document.createElement('video')
    document.body.append(video)
    copyQueue.add(['a'], { ...deps, isUploading: () => now.isUploading, isSparing: () => now.isSparing })
    expect(begun[0]?.findWait()).toBeNull()
    now.isSparing = true
    expect(begun[0]?.findWait()).toBe('sparing')
    now.isUploading = true
    expect(begun[0]?.findWait()).toBe('upload')
    Object.defineProperty(video, 'paused', { value: false })
    expect(begun[0]?.findWait()).toBe('video')
    video.remove()
  })

  it('spares nothing any more once a person asks for copies, until all of them are made', async () => {
    const { begun, deps } = watchWork()
    const sparing = { ...deps, isSparing: () => true }
    copyQueue.add(['a'], sparing)
    expect(begun[0]?.findWait()).toBe('sparing')
    copyQueue.add(['a', 'b'], deps)
    expect(begun[0]?.findWait()).toBeNull()
    begun[0]?.end('made')
    await settle()
    begun[1]?.end('made')
    await settle()
    copyQueue.add(['c'], sparing)
    expect(begun[2]?.findWait()).toBe('sparing')
  })

  it('shows nothing more of what it has stopped', () => {
    const { begun, deps } = watchWork()
    copyQueue.add(['a'], deps)
    copyQueue.stop()
    begun[0]?.onWait('video')
    begun[0]?.onProgress?.(40)
    expect(state()).toEqual({ moduleIds: [], percent: 0, wait: null, failedIds: [] })
  })

  it('stops at once, and begins anew', async () => {
    const { begun, deps } = watchWork()
    copyQueue.add(['a', 'b'], deps)
    copyQueue.stop()
    expect(begun[0]?.signal.aborted).toBe(true)
    expect(state().moduleIds).toEqual([])
    begun[0]?.fail(new Error('stopped'))
    await settle()
    expect(begun).toHaveLength(1)
    copyQueue.add(['b'], deps)
    expect(begun.map(({ moduleId }) => moduleId)).toEqual(['a', 'b'])
  })
})
