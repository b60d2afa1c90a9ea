import { describe, expect, it } from 'vitest'
import { IsolateCache } from './isolate-cache.ts'

/** A loader that counts its calls and ends when it is released. */
function makeLoader() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let count = 0
  const load = async () => {
    count += 1
    await promise
    return count
  }
  return { load, release: resolve, countLoads: () => count }
}

describe('a cache of an isolate', () => {
  it('loads a value once, and again when it is too old or the clock was set back', async () => {
    const cache = new IsolateCache<number>({ maxAgeMs: 100, maxWeight: 5 })
    const { load, release } = makeLoader()
    release()
    expect(await cache.load('a', 1_000, load)).toBe(1)
    expect(await cache.load('a', 1_099, load)).toBe(1)
    expect(await cache.load('a', 1_100, load)).toBe(2)
    expect(await cache.load('a', 900, load)).toBe(3)
  })

  it('loads a value once for callers that ask at the same time', async () => {
    const cache = new IsolateCache<number>({ maxWeight: 5 })
    const { load, release, countLoads } = makeLoader()
    const values = [1, 2, 3].map(() => cache.load('a', 0, load))
    release()
    expect(await Promise.all(values)).toEqual([1, 1, 1])
    expect(countLoads()).toBe(1)
  })

  it('keeps one value of a key: that of the version which was asked for last', async () => {
    const weights: string[] = []
    const weigh = (value: string) => weights.push(value) && 1
    const cache = new IsolateCache<string>({ maxWeight: 5, weigh })
    const load = (version: string) => cache.load('a', 0, async () => `of ${version}`, version)
    expect([await load('1'), await load('2'), await load('2')]).toEqual(['of 1', 'of 2', 'of 2'])
    // The older one weighs nothing any more.
    expect(weights).toEqual(['of 1', 'of 2'])
    expect([cache.get('a', 0, '1'), cache.get('a', 0, '2')]).toEqual([undefined, 'of 2'])
  })

  it('does not wait for the load of another version', async () => {
    const cache = new IsolateCache<number>({ maxWeight: 5 })
    const { load } = makeLoader()
    void cache.load('a', 0, load, '1')
    expect(await cache.load('a', 0, async () => 7, '2')).toBe(7)
  })

  it('keeps nothing of a load that failed, and the next caller loads', async () => {
    const cache = new IsolateCache<number>({ maxWeight: 5 })
    const failed = cache.load('a', 0, () => Promise.reject(new Error('away')))
    const next = cache.load('a', 0, async () => 2)
    await expect(failed).rejects.toThrow('away')
    expect(await next).toBe(2)
  })

  it('answers with a value that it has while another caller loads', async () => {
    const cache = new IsolateCache<number>({ maxWeight: 5 })
    const { load, countLoads } = makeLoader()
    void cache.load('a', 0, load)
    cache.set('a', 7, 0)
    expect(await cache.load('a', 0, load)).toBe(7)
    expect(countLoads()).toBe(1)
  })

  it('waits no more for a load that began long ago', async () => {
    const cache = new IsolateCache<number>({ maxWeight: 5 })
    const { load, countLoads } = makeLoader()
    void cache.load('a', 0, load)
    void cache.load('a', 4_999, load)
    expect(countLoads()).toBe(1)
    void cache.load('a', 5_000, load)
    expect(countLoads()).toBe(2)
  })

  it('goes on waiting for a load while an earlier one fails late', async () => {
    const cache = new IsolateCache<number>({ maxWeight: 5 })
    const late = Promise.withResolvers<number>()
    const { load, release, countLoads } = makeLoader()
    const first = cache.load('a', 0, () => late.promise)
    const second = cache.load('a', 5_000, load)
    late.reject(new Error('away'))
    await expect(first).rejects.toThrow('away')
    const third = cache.load('a', 5_000, load)
    release()
    expect([await second, await third, countLoads()]).toEqual([1, 1, 1])
  })

  it('drops the least recently used values beyond its weight', () => {
    const cache = new IsolateCache<string>({ maxWeight: 6, weigh: ({ length }) => length })
    cache.set('a', 'xxx', 0)
    cache.set('b', 'xxx', 0)
    cache.get('a', 0)
    cache.set('c', 'xx', 0)
    expect(['a', 'b', 'c'].map((key) => cache.get(key, 0))).toEqual(['xxx', undefined, 'xx'])
    cache.set('d', 'x'.repeat(7), 0)
    expect(['a', 'b', 'c', 'd'].filter((key) => cache.get(key, 0) !== undefined)).toEqual([])
  })

  it('does not age a value by default', () => {
    const cache = new IsolateCache<string>({ maxWeight: 1 })
    cache.set('a', 'x', 0)
    expect(cache.get('a', Number.MAX_SAFE_INTEGER)).toBe('x')
  })
})
