import type { ServedContext } from '#worker/core/context.ts'
import { openDb } from '#worker/db/db.ts'

/** What a task reaches outside itself: each is one call that may fail, before or after it has had its effect. */
export type Reach = 'd1' | 'r2' | 'queue' | 'speech' | 'writer'
/** Stands before everything that a task reaches, and decides whether it comes through. */
export type Gate = <T>(reach: Reach, act: () => Promise<T>) => Promise<T>

/** The same deps, with a gate before each call. */
export function gateDeps(deps: ServedContext, gate: Gate): ServedContext {
  const { speech, stepWriter } = deps.services
  const { outline } = stepWriter
  const d1 = gateD1(deps.d1, gate)
  return {
    ...deps,
    d1,
    db: openDb(d1),
    bucket: gateMethods(deps.bucket, ['get', 'put', 'list', 'delete'], (act) => gate('r2', act)),
    queues: {
      ingest: gateMethods(deps.queues.ingest, ['send'], (act) => gate('queue', act)),
      transcribe: gateMethods(deps.queues.transcribe, ['send'], (act) => gate('queue', act)),
      write_steps: gateMethods(deps.queues.write_steps, ['send'], (act) => gate('queue', act)),
      translate: gateMethods(deps.queues.translate, ['send'], (act) => gate('queue', act)),
      notify: gateMethods(deps.queues.notify, ['send'], (act) => gate('queue', act)),
    },
    services: {
      ...deps.services,
      speech: { name: speech.name, transcribe: (...args) => gate('speech', () => speech.transcribe(...args)) },
      stepWriter: {
        name: stepWriter.name,
        writeSteps: (...args) => gate('writer', () => stepWriter.writeSteps(...args)),
        ...(outline && { outline: (...args) => gate('writer', () => outline(...args)) }),
      },
    },
  }
}

type Through = <T>(act: () => Promise<T>) => Promise<T>

function gateMethods<Target extends object>(target: Target, names: string[], through: Through): Target {
  return new Proxy(target, {
    get: (inner, name) => {
      const value = Reflect.get(inner, name) as unknown
      if (typeof value !== 'function') return value
      const call = (...args: unknown[]) => (value as (...args: unknown[]) => Promise<unknown>).apply(inner, args)
      return names.includes(String(name)) ? (...args: unknown[]) => through(() => call(...args)) : call
    },
  })
}

/** A batch takes only statements that the database itself has made. */
const insides = new WeakMap<D1PreparedStatement, D1PreparedStatement>()

function gateD1(d1: D1Database, gate: Gate): D1Database {
  const through: Through = (act) => gate('d1', act)
  function wrap(inner: D1PreparedStatement): D1PreparedStatement {
    const gated = gateMethods(inner, ['first', 'run', 'all', 'raw'], through)
    const outer = new Proxy(gated, {
      get: (target, name) =>
        name === 'bind'
          ? (...values: unknown[]) => wrap(inner.bind(...values))
          : (Reflect.get(target, name) as unknown),
    })
    insides.set(outer, inner)
    return outer
  }
  const bare = (statement: D1PreparedStatement) => insides.get(statement) ?? statement
  return {
    prepare: (sql: string) => wrap(d1.prepare(sql)),
    batch: (statements: D1PreparedStatement[]) => through(() => d1.batch(statements.map(bare))),
  } as unknown as D1Database
}
