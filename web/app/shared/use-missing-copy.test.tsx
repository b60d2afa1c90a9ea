import { act, render } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { copyQueue } from '#web/features/upload/small-copy/copy-queue.ts'
import { ApiContext, type CallApi } from '#web/lib/api.ts'
import { useMissingCopy } from './use-missing-copy.ts'

function Opened({ lacksSmallCopy }: { lacksSmallCopy: boolean }) {
  useMissingCopy({ id: 'm1', lacksSmallCopy })
  return null
}

/** Never answers, so that work stays where it is. */
const callApi: CallApi = () => new Promise(() => {})

function open(lacksSmallCopy = true) {
  return render(
    <ApiContext value={callApi}>
      <Opened lacksSmallCopy={lacksSmallCopy} />
    </ApiContext>,
  )
}

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const waiting = () => copyQueue.store.getState().moduleIds

function tell(name: 'connection' | 'getBattery', value: unknown): void {
  Object.defineProperty(navigator, name, { value, configurable: true })
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  copyQueue.stop()
  vi.useRealTimers()
  tell('connection', undefined)
  tell('getBattery', undefined)
})

describe('useMissingCopy', () => {
  it('begins once the page has been open for a while, for a training that lacks a copy', async () => {
    open()
    await wait(9_000)
    expect(waiting()).toEqual([])
    await wait(2_000)
    expect(waiting()).toEqual(['m1'])
  })

  it.each([
    ['the training needs none', false, {}, { charging: true, level: 1 }],
    ['data is to be spared', true, { saveData: true }, { charging: true, level: 1 }],
    ['the battery is low', true, {}, { charging: false, level: 0.4 }],
  ])('does not begin where %s', async (_, lacks, connection, battery) => {
    tell('connection', connection)
    tell('getBattery', async () => battery)
    open(lacks)
    await wait(20_000)
    expect(waiting()).toEqual([])
  })

  it('waits while the battery gets low, and goes on when it is charged', async () => {
    const battery = { charging: false, level: 0.9 }
    tell('getBattery', async () => battery)
    const add = vi.spyOn(copyQueue, 'add')
    open()
    await wait(11_000)
    const isSparing = add.mock.calls[0]?.[1].isSparing
    expect(isSparing?.()).toBe(false)
    battery.level = 0.4
    expect(isSparing?.()).toBe(true)
    battery.charging = true
    expect(isSparing?.()).toBe(false)
    add.mockRestore()
  })

  it('does not begin for a page that was left', async () => {
    open().unmount()
    await wait(20_000)
    expect(waiting()).toEqual([])
  })
})
