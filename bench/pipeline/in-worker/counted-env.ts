import { tally } from './tally.ts'

/** The same bindings, with every statement, operation and message counted. */
export function countedEnv(env: Env): Env {
  const queues = Object.entries(env).filter(([, binding]) => isQueue(binding))
  return {
    ...env,
    DB: countedD1(env.DB),
    MEDIA: countedR2(env.MEDIA),
    ...Object.fromEntries(queues.map(([name, queue]) => [name, countedQueue(queue)])),
  }
}

function isQueue(binding: unknown): binding is Queue {
  return typeof binding === 'object' && binding !== null && 'sendBatch' in binding
}

function countedQueue(queue: Queue): Queue {
  return intercept(queue, {
    send: (send, ...args) => {
      tally.queueMessages++
      return send(...args)
    },
    sendBatch: (sendBatch, ...args) => {
      tally.queueMessages += [...(args[0] as Iterable<unknown>)].length
      return sendBatch(...args)
    },
  })
}

const R2_METHODS = ['get', 'put', 'head', 'delete', 'list', 'createMultipartUpload', 'resumeMultipartUpload']

function countedR2(bucket: R2Bucket): R2Bucket {
  const counted: Method = (call, ...args) => {
    tally.r2Operations++
    return call(...args)
  }
  return intercept(bucket, Object.fromEntries(R2_METHODS.map((name) => [name, counted])))
}

/** What `batch` needs is the binding's own statement. */
const originals = new WeakMap<object, D1PreparedStatement>()

/** A database or a session of one. */
function countedD1<T extends object>(database: T): T {
  return intercept(database, {
    prepare: (prepare, ...args) => countedStatement(prepare(...args) as D1PreparedStatement),
    batch: (batch, ...args) => {
      const statements = args[0] as D1PreparedStatement[]
      tally.d1Statements += statements.length
      return batch(statements.map((statement) => originals.get(statement) ?? statement))
    },
    exec: (exec, ...args) => {
      tally.d1Statements++
      return exec(...args)
    },
    withSession: (withSession, ...args) => countedD1(withSession(...args) as D1DatabaseSession),
  })
}

function countedStatement(statement: D1PreparedStatement): D1PreparedStatement {
  const counted: Method = (call, ...args) => {
    tally.d1Statements++
    return call(...args)
  }
  const bind: Method = (call, ...args) => countedStatement(call(...args) as D1PreparedStatement)
  const proxy = intercept(statement, { bind, all: counted, raw: counted, run: counted, first: counted })
  originals.set(proxy, statement)
  return proxy
}

type Call = (...args: unknown[]) => unknown
type Method = (call: Call, ...args: unknown[]) => unknown

/** An object whose methods pass through ours; bindings refuse to be called on anything but themselves. */
function intercept<T extends object>(target: T, methods: Record<string, Method>): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      const call: Call = (...args) => Reflect.apply(value, target, args)
      const method = methods[String(name)]
      return method === undefined ? call : (...args: unknown[]) => method(call, ...args)
    },
  })
}
