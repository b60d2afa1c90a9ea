import { DurableObject } from 'cloudflare:workers'
import { ROOM_DONE_CODE, ROOM_FULL_CODE } from '#contract/limits.ts'
import type { LiveEvent } from '#contract/live.ts'
import type { Context } from '#worker/core/context.ts'
import { faultOf } from '#worker/core/errors.ts'
import {
  type Announcement,
  hasPlace,
  OWNER_SOCKET_MAX_AGE_MS,
  type PublishedOf,
  WATCHER_HEADER,
  type Watcher,
} from '#worker/domain/live/publish.ts'
import type { AnsweredTurn, AnswerListener, Turn } from '#worker/domain/tutor/answer-turn.ts'
import { endTurn, type TurnKey } from '#worker/domain/tutor/turn-store.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { REQUEST_ID_HEADER } from '#worker/http/trace-request.ts'
import { logLine, withTrace } from '#worker/log/log.ts'
import { recover, WATCH_EVERY_MS } from '#worker/pipeline/recover.ts'
import { RunningAnswer } from './running-answer.ts'

/** A watcher that was away longer than this many events gets the newest ones; each carries the whole state. */
const LOG_LENGTH = 100
/** Events are for pages that reconnect. A page that was away for a day loads the state, as each does when it opens. */
export const EVENTS_KEPT_MS = 24 * 60 * 60_000
/** Close code "service restart": the browser comes back with its cursor. */
const GOING_AWAY = 1012

/** Sockets, order and replay of one module, and the answers that are being given about it. The truth is in D1: losing this object loses nothing but liveness. */
export class ModuleRoom extends DurableObject<Env> {
  /**
   * Whether work was announced since the watchdog's check began: then a module that the check finds finished is in
   * progress again.
   */
  private hasNewWork = false
  /** The running answers, by person and turn: each is asked for once, and streamed to every client that wants it. */
  private readonly answers = new Map<string, RunningAnswer>()

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS log (seq INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL)')
    // Answered by the runtime, so that keep-alives do not wake the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'))
  }

  /** Opened for each call, because the bindings are read then: a room lives longer than one call. */
  private get context(): Context {
    return openContext(this.env)
  }

  /**
   * Appends to the log and sends to everyone; the same state twice is published once. The publisher read the database a
   * moment ago, so what is older than the last published state is left out.
   */
  publish(announcement: Announcement, { moduleId, run, requestId }: PublishedOf): Promise<void> {
    return withTrace({ requestId, moduleId, run }, () => this.append(announcement, { moduleId, run }))
  }

  private async append(announcement: Announcement, { moduleId, run }: PublishedOf): Promise<void> {
    if (isInProgress(announcement)) await this.watch(moduleId)
    const rank = rankOf(announcement, run)
    if (isBefore(rank, this.ctx.storage.kv.get<number[]>('rank') ?? [])) return
    this.ctx.storage.kv.put('rank', rank)
    const { newVersion: _newVersion, ...publicFields } = announcement
    const last = this.ctx.storage.kv.get<Last>('last')
    const atMs = this.context.nowMs()
    const next: Last = { body: JSON.stringify(announcement), shown: JSON.stringify(publicFields), atMs }
    if (last?.body === next.body) return
    this.ctx.storage.kv.put('last', next)
    // Only owners get the progress of a new version: nothing has changed for everyone else.
    const isForOwners = last?.shown === next.shown
    const body = isForOwners ? JSON.stringify({ ...announcement, isForOwners }) : next.body
    const logged = this.log(body)
    await this.wake(moduleId, atMs + EVENTS_KEPT_MS)
    const watchers = this.sendAll(textsOf(logged), { isOver: announcement.status !== 'PROCESSING' })
    const { seq } = logged
    const { progress } = announcement.newVersion ?? announcement
    logLine('info', 'announced', { seq, watchers, progress })
  }

  /** Sends an announcement to owners only, whatever was published before it. */
  async warn(announcement: Announcement, moduleId: string): Promise<void> {
    const logged = this.log(JSON.stringify({ ...announcement, isForOwners: true }))
    await this.wake(moduleId, this.context.nowMs() + EVENTS_KEPT_MS)
    this.sendAll(textsOf(logged), { isOver: false })
  }

  private log(body: string): Logged {
    const sql = this.ctx.storage.sql
    const { seq } = sql.exec<{ seq: number }>('INSERT INTO log (body) VALUES (?) RETURNING seq', body).one()
    sql.exec('DELETE FROM log WHERE seq <= ?', seq - LOG_LENGTH)
    return { seq, body }
  }

  /** Sends an event to each kind of watcher by its tag: what is attached to a thousand sockets is not read. */
  private sendAll({ owner, others }: Texts, { isOver }: { isOver: boolean }): number {
    const socketsOf = (watcher: Watcher) => this.ctx.getWebSockets(watcher)
    const [owners, viewers, anyone] = [socketsOf('owner'), socketsOf('viewer'), socketsOf('anyone')]
    const oldMs = this.context.nowMs() - OWNER_SOCKET_MAX_AGE_MS
    for (const socket of owners) {
      // An owner of then may have left the organization.
      if ((socket.deserializeAttachment() as Place).openedAtMs < oldMs) socket.close(GOING_AWAY, 'ticket expired')
      else sendText(socket, owner)
    }
    for (const socket of viewers) sendText(socket, others)
    for (const socket of anyone) {
      sendText(socket, others)
      // Pages of anyone with the link only watch modules in progress.
      if (isOver) socket.close(ROOM_DONE_CODE, 'finished')
    }
    return owners.length + viewers.length + anyone.length
  }

  private async watch(moduleId: string): Promise<void> {
    this.hasNewWork = true
    await this.wake(moduleId, this.context.nowMs() + WATCH_EVERY_MS)
  }

  /** Sets the alarm, unless it comes sooner. */
  private async wake(moduleId: string, atMs: number): Promise<void> {
    const setMs = await this.ctx.storage.getAlarm()
    if (setMs !== null && setMs <= atMs) return
    this.ctx.storage.kv.put('moduleId', moduleId)
    await this.ctx.storage.setAlarm(atMs)
  }

  /**
   * The watchdog: recovers lost work while its module is in progress, and deletes the events a day after the last one.
   */
  override async alarm(): Promise<void> {
    const moduleId = this.ctx.storage.kv.get<string>('moduleId')
    if (moduleId === undefined) return
    this.hasNewWork = false
    // The alarm is set first so that a crash during the check does not end the watchdog.
    await this.ctx.storage.setAlarm(this.context.nowMs() + WATCH_EVERY_MS)
    const againMs = await withTrace({ requestId: crypto.randomUUID(), moduleId }, () => recover(this.context, moduleId))
    if (againMs !== null) await this.ctx.storage.setAlarm(this.context.nowMs() + againMs)
    else if (!this.hasNewWork) await this.forgetEvents()
  }

  /** Deletes the events, or has that done when the last one is a day old. */
  private async forgetEvents(): Promise<void> {
    const { atMs = 0 } = this.ctx.storage.kv.get<Last>('last') ?? {}
    const dueMs = atMs + EVENTS_KEPT_MS
    if (this.context.nowMs() < dueMs) return this.ctx.storage.setAlarm(dueMs)
    // AUTOINCREMENT continues with higher numbers, so the cursor of an open page stays valid.
    this.ctx.storage.sql.exec('DELETE FROM log')
    this.ctx.storage.kv.delete('last')
    await this.ctx.storage.deleteAlarm()
  }

  /** Ends every socket, because who may watch has changed; a client that still may reconnects with a new ticket. */
  endWatching(): void {
    for (const socket of this.ctx.getWebSockets()) socket.close(GOING_AWAY, 'permissions changed')
  }

  /** Ends every socket and deletes the log, because the module is erased. */
  async forget(): Promise<void> {
    this.endWatching()
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  /** Has a question answered, and streams the answer. */
  streamAnswer(turn: Turn): ReadableStream<Uint8Array> {
    return this.answer(turn).listen()
  }

  /** Has a question answered, within a time. Null when the answer was interrupted. */
  waitForAnswer(turn: Turn, withinMs: number): Promise<AnsweredTurn | null> {
    return this.answer(turn).waitFor(withinMs)
  }

  /** Starts the answer to a question, or finds it when it is running already. */
  private answer(turn: Turn): RunningAnswer {
    const runningAnswer = this.answers.get(keyOf(turn))
    if (runningAnswer !== undefined) return runningAnswer
    const { requestId, moduleId } = turn
    const answer = withTrace(
      { requestId, moduleId },
      () =>
        new RunningAnswer(
          async (listener) => {
            const { TutorRunner } = this.ctx.exports as unknown as Loopback
            const { text, meta, end, ms } = await TutorRunner.answer(turn, listener)
            // The caller of an RPC must dispose of its result; a copy needs no disposal.
            return { text, meta, end, ms }
          },
          (text) => endTurn(this.context.d1, turn, { answer: text, end: 'broken', endedAt: this.context.nowMs() }),
        ),
    )
    this.answers.set(keyOf(turn), answer)
    void answer.ended.then(() => this.answers.delete(keyOf(turn)))
    return answer
  }

  /** An answer that is being given, from its first piece on. Null: none is. */
  resumeAnswer(key: TurnKey): ReadableStream<Uint8Array> | null {
    return this.answers.get(keyOf(key))?.listen() ?? null
  }

  /** Ends an answer, and waits until its text so far is stored. */
  async stopAnswer(key: TurnKey): Promise<void> {
    const answer = this.answers.get(keyOf(key))
    answer?.halt('stopped')
    await answer?.ended
  }

  /** Lists the answers that are being given to one user. */
  listAnswers(userId: string): { turnId: string; text: string }[] {
    return [...this.answers].flatMap(([key, { text }]) => {
      const [owner, turnId = ''] = JSON.parse(key) as string[]
      return owner === userId ? [{ turnId, text }] : []
    })
  }

  /** For the health probe: whether an object can be reached and read. */
  isWell(): boolean {
    return this.ctx.storage.sql.exec('SELECT 1 FROM log LIMIT 1').toArray().length <= 1
  }

  /** Opens a socket and replays what came after `cursor`. The route has checked the ticket. */
  override fetch(request: Request): Response {
    const cursor = Number(new URL(request.url).searchParams.get('cursor') ?? 0)
    const { 0: client, 1: server } = new WebSocketPair()
    const answer = new Response(null, { status: 101, webSocket: client })
    const watcher = (request.headers.get(WATCHER_HEADER) ?? 'anyone') as Watcher
    const owners = this.ctx.getWebSockets('owner').length
    if (!hasPlace(watcher, { owners, all: this.ctx.getWebSockets().length })) {
      // The socket is accepted before it is closed, because browsers only see the reason of an open socket.
      server.accept()
      server.close(ROOM_FULL_CODE, 'room full')
      return answer
    }
    this.ctx.acceptWebSocket(server, [watcher])
    if (watcher === 'owner') server.serializeAttachment({ openedAtMs: this.context.nowMs() } satisfies Place)
    const missed = this.eventsAfter(Number.isSafeInteger(cursor) ? cursor : 0)
    for (const event of missed) sendText(server, textsOf(event)[watcher === 'owner' ? 'owner' : 'others'])
    const requestId = request.headers.get(REQUEST_ID_HEADER) ?? undefined
    withTrace({ requestId }, () => logLine('info', 'watched', { watchers: this.ctx.getWebSockets().length }))
    return answer
  }

  private eventsAfter(cursor: number): Logged[] {
    return this.ctx.storage.sql.exec<Logged>('SELECT seq, body FROM log WHERE seq > ? ORDER BY seq', cursor).toArray()
  }

  override webSocketMessage(): void {
    // Watchers only listen, so their messages are ignored.
  }

  override webSocketClose(socket: WebSocket): void {
    socket.close()
  }

  override webSocketError(socket: WebSocket): void {
    socket.close(GOING_AWAY, 'error')
  }
}

/** The last event as it was published, whole and as everyone sees it. */
interface Last {
  body: string
  shown: string
  /** Missing in events that an earlier version has stored. */
  atMs?: number
}

/** Attachment of an owner's socket, which outlasts hibernation. */
interface Place {
  openedAtMs: number
}

/** The entry's own `TutorRunner`, called as an invocation of its own. */
interface Loopback {
  TutorRunner: { answer(turn: Turn, listener: AnswerListener): Promise<AnsweredTurn> }
}

function keyOf({ userId, turnId }: Pick<TurnKey, 'userId' | 'turnId'>): string {
  return JSON.stringify([userId, turnId])
}

/** Whether a run is in progress, of a module that is READY or of one that is not. */
function isInProgress({ status, newVersion }: Announcement): boolean {
  return (newVersion?.status ?? status) === 'PROCESSING'
}

/** Within a run all of these only grow, and an end is an end until the steps are edited. */
function rankOf(announcement: Announcement, run: number): number[] {
  const { stepsVersion, newVersion, uploadPercent = 0 } = announcement
  const { progress } = newVersion ?? announcement
  return [run, stepsVersion, isInProgress(announcement) ? 0 : 1, progress, uploadPercent]
}

function isBefore(rank: number[], other: number[]): boolean {
  const index = rank.findIndex((value, i) => value !== (other[i] ?? value))
  return index !== -1 && (rank[index] ?? 0) < (other[index] ?? 0)
}

/** A stored event. Its body says whether only owners get it. */
type Logged = { seq: number; body: string }

/**
 * The texts of an event for owners and for everyone else, null if only owners get it. They are written once for all
 * watchers.
 */
interface Texts {
  owner: string
  others: string | null
}

function textsOf({ seq, body }: Logged): Texts {
  const {
    isForOwners = false,
    newVersion,
    ...publicFields
  } = JSON.parse(body) as Announcement & { isForOwners?: boolean }
  const event: LiveEvent = { seq, ...publicFields }
  const owner = JSON.stringify({ ...event, ...(newVersion && { newVersion }) } satisfies LiveEvent)
  return { owner, others: isForOwners ? null : JSON.stringify(event) }
}

/** One dead socket must not keep the event from the others. */
function sendText(socket: WebSocket, text: string | null): void {
  if (text === null) return
  try {
    socket.send(text)
  } catch (error) {
    logLine('warn', 'socket_dropped', faultOf(error))
    socket.close(GOING_AWAY, 'unreachable')
  }
}
