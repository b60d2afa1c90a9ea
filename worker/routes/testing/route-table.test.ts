import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { createApp } from '#worker/create-worker.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { CALL_LIMITS } from '#worker/http/call-limits.ts'
import { mountLimits } from '#worker/http/limits.ts'
import { isOpen } from './route-row.ts'
import { ROUTES } from './route-table.ts'

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** The routes that the app serves, by method and path. What counts the calls of a route is a handler of it too. */
function findServedRoutes(): string[] {
  const limits = new Hono<AppEnv>()
  mountLimits(limits)
  const names = createApp(() => ({}) as never)
    .routes.filter(({ method }) => method !== 'ALL')
    .map(nameOf)
  for (const counting of limits.routes.filter(({ method }) => method !== 'ALL').map(nameOf))
    names.splice(names.indexOf(counting), 1)
  return [...new Set(names)].sort()
}

const SERVED = findServedRoutes()
const rows = Object.entries(ROUTES)
/** The names of the rows that break a rule. */
const breaking = (isBroken: (name: string, row: (typeof ROUTES)[string]) => boolean) =>
  rows.filter(([name, row]) => isBroken(name, row)).map(([name]) => name)
const isWriting = (name: string) => !/^(?:GET|HEAD|OPTIONS) /.test(name)

describe('the table of routes', () => {
  it('has a row for each route of the app, and no other', { tags: ['guarantee-G8', 'threat-1', 'threat-19'] }, () => {
    expect(SERVED.length).toBeGreaterThan(90)
    expect(Object.keys(ROUTES).sort()).toEqual(SERVED)
  })

  it('has the schema of each body that a row has an example of', { tags: 'threat-19' }, () => {
    expect(breaking((_name, { json, body }) => json !== undefined && body === undefined)).toEqual([])
  })
})

describe('the limits of calls', () => {
  it('belong to routes of the app', { tags: 'attack-4' }, () => {
    expect(Object.keys(CALL_LIMITS).filter((name) => !SERVED.includes(name))).toEqual([])
  })

  it('cover every route that writes or needs no sign-in, except those that say why not', { tags: 'attack-4' }, () => {
    const isUncounted = (name: string) => CALL_LIMITS[name] === undefined
    const needsLimit = breaking((name, row) => (isWriting(name) || isOpen(row)) && isUncounted(name))
    expect(breaking((_name, { uncounted }) => uncounted !== undefined)).toEqual(needsLimit)
    expect(needsLimit.filter(isWriting)).toEqual([])
  })

  it('bound the rows of a day for every route that writes, except those that say what else does', {
    tags: 'attack-50',
  }, () => {
    const reservesNone = breaking((name) => isWriting(name) && CALL_LIMITS[name]?.rowsMax === undefined)
    expect(breaking((_name, row) => row.rows !== undefined)).toEqual(reservesNone)
  })
})
