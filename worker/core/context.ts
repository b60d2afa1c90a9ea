import type { QuotaKind } from '#contract/problem.ts'
import type { Db } from '#worker/db/db.ts'
import type { TaskKind } from '#worker/db/task-tables.ts'
import type { EdgeCache } from '#worker/ports/edge-cache.ts'
import type { Services } from './services.ts'

/** The dependencies of all work, whether a request, a message, a task, the cron or a room began it. */
export interface Context {
  db: Db
  /** The same database, for statements that the query builder cannot express. */
  d1: D1Database
  /** The search index of steps, speech and screens; it can be rebuilt from the database and the bucket. */
  search: D1Database
  bucket: R2Bucket
  /** A queue for each kind of task, so that none holds up another. */
  queues: Record<TaskKind, Pick<Queue<Doorbell>, 'send'>>
  /** Takes the purges that can wait or are retried. */
  purges: Pick<Queue<PurgeMessage>, 'send'>
  rooms: Env['MODULE_ROOM']
  quotas: Quotas
  uploads: UploadConfig
  /** How often the tutor's model may be asked about one module on one day. */
  modelAnswersPerDay: number
  /** Signs tickets and tokens; after a change the text names the old secret too. */
  secrets: string
  /** Finds the token by which a visitor has unlocked the link of this id. Missing where there is no visitor. */
  linkTokenOf?: (linkId: string) => string | null
  /** The visitor's token of who the device belongs to. Missing where there is no visitor. */
  personToken?: string | null
  nowMs: () => number
}

/** Adds what requests, tasks and tutor answers need. */
export interface ServedContext extends Context {
  services: Services
  edge: EdgeCache
}

/** The context of work on many items, which stops before its invocation runs out of D1 queries. */
export interface BoundedContext extends Context {
  /** Whether enough D1 queries remain for one more item; another invocation does the remaining items. */
  hasQueriesLeft: () => boolean
  /** How many this invocation has made. */
  queries: () => number
}

/** A message that says that there is work of this kind; which, the database says. */
export interface Doorbell {
  kind: TaskKind
}

/** Asks for the page of a module, or of a collection, to be purged with whatever else has changed by then. */
export interface PurgeMessage {
  moduleId: string
}

/** The most of each kind on one day; null for no limit. Modules, milliseconds of video, millionths of a US dollar, bytes, counts. */
export type Limits = Readonly<Record<Exclude<QuotaKind, 'rows'>, number | null>>

/** The limits of one person, and of all members of one organization together. */
export interface Quotas {
  user: Limits
  organization: Limits
  /** The limit of all together, which protects the operator's bill. */
  everyone: Pick<Limits, 'ai'>
  /** Mails of one organization, and of all together. */
  mails: { organization: number | null; everyone: number | null }
  /** Rows of the database that one person may write. */
  rows: number | null
}

/** The bucket's S3 side and how large an object may become. */
export interface UploadConfig {
  /** S3 endpoint including the bucket. */
  endpoint: string
  accessKeyId: string
  secretAccessKey: string
  maxBytes: number
}
