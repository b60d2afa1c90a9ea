import { expect, it } from 'vitest'
import { DebugListRequest, listIll } from './debug.ts'

it('reads a status in either case, and the name that READY had', () => {
  const read = (status: string) => DebugListRequest.parse({ status }).status
  expect(['failed', 'Orphaned', 'completed', 'COMPLETED'].map(read)).toEqual(['FAILED', 'orphaned', 'READY', 'READY'])
  expect(DebugListRequest.safeParse({ status: 'gone' }).success).toBe(false)
})

it('lists fifty rows where nothing else is asked for', { tags: 'spec-9.7' }, () => {
  expect(DebugListRequest.parse({})).toEqual({ limit: 50 })
})

it('lists the parts that are not well, and no model that was not called yet', () => {
  const well = { d1: 'ok', r2: 'ok', queues: 'ok', durableObjects: 'ok', ai: 'not called yet' }
  expect(listIll(well)).toEqual([])
  expect(listIll({ ...well, queues: 'late' })).toEqual([['queues', 'late']])
})
