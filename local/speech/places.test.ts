import { describe, expect, it } from 'vitest'
import { LineFull, openPlaces } from './places.ts'

const calm = new AbortController().signal

function openTask(name: string, log: string[]) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const task = async () => {
    log.push(`${name} begins`)
    await promise
    return name
  }
  return { task, finish: resolve }
}

describe('openPlaces', () => {
  it('runs no more tasks at once than there are places, in the order of their coming', async () => {
    const log: string[] = []
    const places = openPlaces(2)
    const tasks = ['a', 'b', 'c', 'd'].map((name) => openTask(name, log))
    const done = tasks.map(({ task }) => places.use(task, calm))
    await Promise.resolve()
    expect(log).toEqual(['a begins', 'b begins'])
    tasks[1]?.finish()
    await done[1]
    await new Promise(setImmediate)
    expect(log).toEqual(['a begins', 'b begins', 'c begins'])
    for (const { finish } of tasks) finish()
    expect(await Promise.all(done)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('lets one who gives up leave the line without taking a place', async () => {
    const log: string[] = []
    const places = openPlaces(1)
    const first = openTask('first', log)
    const impatient = new AbortController()
    const running = places.use(first.task, calm)
    const waiting = places.use(openTask('impatient', log).task, impatient.signal)
    const last = places.use(async () => 'last', calm)
    impatient.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    first.finish()
    expect(await running).toBe('first')
    expect(await last).toBe('last')
    expect(log).toEqual(['first begins'])
  })

  it('frees the place of a task that fails', async () => {
    const places = openPlaces(1)
    await expect(places.use(() => Promise.reject(new Error('broken')), calm)).rejects.toThrow('broken')
    expect(await places.use(async () => 'next', calm)).toBe('next')
  })

  it('turns away who finds the line full, until somebody has left it', async () => {
    const places = openPlaces(1, 2)
    const first = openTask('first', [])
    const impatient = new AbortController()
    const running = places.use(first.task, calm)
    const waiting = places.use(async () => 'impatient', impatient.signal)
    const second = places.use(async () => 'second', calm)
    await expect(places.use(async () => 'too late', calm)).rejects.toBeInstanceOf(LineFull)
    impatient.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    const third = places.use(async () => 'third', calm)
    first.finish()
    expect(await Promise.all([running, second, third])).toEqual(['first', 'second', 'third'])
  })
})
