import { nanoid } from 'nanoid'
import { readyModule } from '#local/testing/ready-module.ts'
import { tokenOf } from '#local/testing/sign-in.ts'
import { openDb } from '#worker/db/db.ts'
import { insertCollection } from '#worker/domain/collection/collection-store.ts'
import { signSession, signVisitorToken } from '#worker/domain/learning/learner-token.ts'
import { writeTicket } from '#worker/domain/live/ticket.ts'
import { insertModule, type NewModule } from '#worker/domain/module/module-store.ts'
import { seedTranscript } from '#worker/domain/transcript/testing/seed-transcript.ts'
import { NARRATION, STEPS, saySegments } from '#worker/domain/tutor/testing/narration.ts'
import type { World } from './world.ts'

/** Longer than all cases about one world take. */
const TOKEN_LIVES_S = 3_600
const DURATION_MS = 120_000
const SENDING_BYTES = 20 * 1024 * 1024

interface Planting {
  env: Env
  fetch: (request: Request) => Promise<Response>
}

/** A person with a module of each kind, and one without any. */
export async function seedWorld({ env, fetch }: Planting): Promise<World> {
  const userId = `user_${nanoid(8)}`
  const exp = Math.floor(Date.now() / 1_000) + TOKEN_LIVES_S
  const tokens = {
    owner: await tokenOf(userId, { claims: { exp } }),
    stranger: await tokenOf(`user_${nanoid(8)}`, { claims: { exp } }),
  }
  const ready = await seedDone(env, { userId, shared: true })
  const hidden = await seedDone(env, { userId, shared: false })
  const sending = await seedSending(env, userId)
  const failed = await plant(env, { userId, status: 'FAILED', failureCode: 'no_audio', lastError: 'No audio.' })
  for (const id of [ready, hidden]) await saveSteps({ env, fetch }, id, tokens.owner)
  await seedProposals(env.DB, ready)
  const collection = { id: ready, userId, orgId: null, title: 'Wheels', createdAt: Date.now() }
  await insertCollection(openDb(env.DB), collection)
  const expiresAtMs = exp * 1_000
  const ticket = (kind: 'live' | 'video') =>
    writeTicket(env.TICKET_SECRET, { kind, moduleId: ready, role: 'viewer', userId: null, orgId: null, expiresAtMs })
  return {
    tokens,
    names: {
      ready,
      hidden,
      sending,
      failed,
      doomed: await seedDone(env, { userId, shared: true }),
      doomedUpload: await seedSending(env, userId),
      readyKey: `src/${ready}/source`,
      sendingKey: `src/${sending}/source`,
      segment: 'c-00003',
      segmentText: NARRATION[3] ?? '',
      liveTicket: await ticket('live'),
      videoTicket: await ticket('video'),
      session: await signSession(env.TICKET_SECRET, {
        moduleId: ready,
        learnerId: FUZZED_LEARNER,
        sessionId: 'session-of-the-world',
        startedAtMs: Date.now() - PLAYED_BEFORE_MS,
      }),
      learner: await signVisitorToken(env.TICKET_SECRET, { moduleId: ready, learnerId: FUZZED_LEARNER }),
      address: [10, ...crypto.getRandomValues(new Uint8Array(3))].join('.'),
    },
  }
}

const FUZZED_LEARNER = 'anyone:learner-of-the-world'
/** Time for a few hours of video. */
const PLAYED_BEFORE_MS = 4 * 60 * 60_000

async function plant(env: Env, fields: Partial<NewModule> & { userId: string }): Promise<string> {
  const module = readyModule(fields)
  await insertModule(openDb(env.DB), module)
  return module.id
}

async function seedDone(env: Env, fields: { userId: string; shared: boolean }): Promise<string> {
  const bytes = new TextEncoder().encode(`....ftypisom${'.'.repeat(500)}`)
  const { id, ...module } = readyModule({ ...fields, durationMs: DURATION_MS, sourceSizeBytes: bytes.byteLength })
  const object = await env.MEDIA.put(`src/${id}/source`, bytes)
  await insertModule(openDb(env.DB), { ...module, id, sourceEtag: object?.etag ?? null, sourceType: 'video/mp4' })
  await seedTranscript({ d1: env.DB, bucket: env.MEDIA }, id, saySegments(NARRATION))
  return id
}

/** Nothing is pinned before the last byte. */
const NOT_RECEIVED = { sourceEtag: null, sourceSizeBytes: null, sourceType: null }

async function seedSending(env: Env, userId: string): Promise<string> {
  const begun = { status: 'PROCESSING', progress: 0, run: 0, declaredSizeBytes: SENDING_BYTES } as const
  const { id, ...module } = readyModule({ userId, ...begun, ...NOT_RECEIVED })
  const { uploadId } = await env.MEDIA.createMultipartUpload(`src/${id}/source`)
  await insertModule(openDb(env.DB), { ...module, id, uploadId })
  return id
}

async function seedProposals(d1: D1Database, moduleId: string): Promise<void> {
  const insert = d1.prepare(`
    INSERT INTO step_proposals (module_id, id, position, title, description, start_ms, end_ms, original_text, segment_ids,
      is_draft, run) VALUES (?1, ?3, ?2, 'Check the pressure', 'A spare wheel needs 4 bar.', ?2 * 6000, ?2 * 6000 + 6000,
      '', '[]', 0, 1)`)
  await d1.batch([0, 1].map((position) => insert.bind(moduleId, position, `p${position}`)))
}

async function saveSteps({ fetch }: Planting, moduleId: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ steps: STEPS })
  const saved = await fetch(
    new Request(`http://localhost:8787/api/steps/${moduleId}`, { method: 'POST', headers, body }),
  )
  if (!saved.ok) throw new Error(`no steps were planted: ${await saved.text()}`)
}
