import { APP_PAGES } from '#contract/app-pages.ts'

/**
 * Who may call a route.
 * - `anyone`: also without the id of a module
 * - `ticket`: anyone with a ticket, signed in or not; no caller in these tests has one
 * - `link`: anyone with the id of a shared module
 * - `user`: every signed-in user, about themselves
 * - `viewer`: every signed-in user with the id of a shared module, and its owners
 * - `owner`: the uploader and the members of the organization that was active at the upload
 * - `member`: members of the organization whose collection it is, while that one is active
 * - `manager`: those who manage that organization's modules, by the role admin or by the permission for it
 * - `admin`: those who manage the modules of whichever organization is active
 * - `inspector`: the uploader, these managers, and operators
 * - `deleter`: the uploader and these managers
 */
export type Access =
  | 'anyone'
  | 'ticket'
  | 'link'
  | 'user'
  | 'viewer'
  | 'owner'
  | 'inspector'
  | 'deleter'
  | 'manager'
  | 'admin'
  | 'member'

/** A route with the least that it takes. */
export interface Route {
  access: Access
  /** Status for who may; what is asked for makes sense, so it is no refusal. */
  ok: number
  /** Parameters of the path; `moduleId` is the planted module's. */
  params?: Record<string, string>
  query?: string
  json?: unknown
  headers?: Record<string, string>
  body?: string
  /** Whether a token is read at all. One that does not hold is refused only where it is. */
  readsToken?: false
}

const STEP = { id: 'a', title: 'Secure the car', description: 'Park on level ground.', start: 6, end: 18 }
const QUESTION = { userMessage: "What's the next step?", turnId: 'turn-of-the-matrix' }
const WATCHED = {
  session: 'a-session-that-was-never-started',
  seq: 1,
  segments: [[0, 5]],
  position: 5,
}

/** Every route of the worker, by method and path. */
export const ACCESS: Record<string, Route> = {
  'GET /api/health': { access: 'anyone', ok: 200, readsToken: false },
  'GET /api/oembed': { access: 'link', ok: 200, query: 'url=http://localhost:8787/share/:moduleId', readsToken: false },
  'GET /assets/*': { access: 'anyone', ok: 404, readsToken: false },
  ...Object.fromEntries(APP_PAGES.map((page) => [`GET ${page}`, { access: 'anyone', ok: 200, readsToken: false }])),

  'GET /api/modules': { access: 'user', ok: 200 },
  'GET /api/modules/search': { access: 'user', ok: 200, query: 'query=tyre' },
  'GET /api/modules/processing': { access: 'user', ok: 200 },
  'GET /api/modules/:moduleId': { access: 'viewer', ok: 200 },
  'PATCH /api/modules/:moduleId': { access: 'owner', ok: 200, json: { title: 'Another' } },
  'DELETE /api/modules/:moduleId': { access: 'deleter', ok: 200 },
  'GET /api/modules/:moduleId/languages': { access: 'owner', ok: 200 },
  'GET /api/modules/:moduleId/translations/:language': { access: 'owner', ok: 200, params: { language: 'es' } },
  'PUT /api/modules/:moduleId/translations/:language': {
    access: 'owner',
    ok: 200,
    params: { language: 'es' },
    json: { item: 'title', texts: ['Cambiar el filtro'] },
  },
  'GET /api/modules/deleted': { access: 'user', ok: 200 },
  'POST /api/modules/:moduleId/take-over': { access: 'manager', ok: 200 },
  'POST /api/modules/:moduleId/restore': { access: 'deleter', ok: 200 },
  'PUT /api/modules/:moduleId/images/:name': {
    access: 'owner',
    ok: 415,
    params: { name: 'poster' },
    body: 'no picture',
  },
  'GET /api/modules/:moduleId/transcript.txt': { access: 'owner', ok: 200 },
  'GET /api/modules/:moduleId/files.zip': { access: 'owner', ok: 200 },
  'POST /api/modules/:moduleId/live-ticket': { access: 'viewer', ok: 200 },
  'GET /api/modules/:moduleId/live': { access: 'ticket', ok: 426, readsToken: false },

  'GET /api/opened-modules': { access: 'user', ok: 200 },
  'PUT /api/opened-modules/:moduleId': { access: 'viewer', ok: 200 },
  // Takes a training off the caller's own list, whatever has become of it.
  'DELETE /api/opened-modules/:moduleId': { access: 'user', ok: 200 },

  'GET /api/collections': { access: 'user', ok: 200 },
  'POST /api/collections': { access: 'user', ok: 200, json: { title: 'Line 4' } },
  'GET /api/collections/:collectionId': { access: 'member', ok: 200 },
  'PATCH /api/collections/:collectionId': { access: 'member', ok: 200, json: { title: 'Another' } },
  'DELETE /api/collections/:collectionId': { access: 'manager', ok: 200 },
  'GET /share/c/:collectionId': { access: 'link', ok: 200, readsToken: false },

  'GET /api/steps/:moduleId': { access: 'viewer', ok: 200 },
  'POST /api/steps/:moduleId': { access: 'owner', ok: 200, json: { steps: [STEP] } },
  'DELETE /api/steps/:moduleId': { access: 'owner', ok: 200 },
  'POST /api/steps/:moduleId/rewrite': { access: 'owner', ok: 200, json: { text: 'um so you loosen the nuts' } },
  'GET /api/steps/:moduleId/proposals': { access: 'owner', ok: 200 },
  // The planted module is ready.
  'PUT /api/steps/:moduleId/proposals': { access: 'owner', ok: 409, json: { starts: [0, 12] } },
  'POST /api/steps/:moduleId/proposals': { access: 'owner', ok: 404, json: { ids: ['a'], decision: 'reject' } },
  'POST /api/steps/:moduleId/proposals/:stepId': {
    access: 'owner',
    ok: 404,
    params: { stepId: 'a' },
    json: { decision: 'reject' },
  },

  'GET /api/transcript/:moduleId': { access: 'viewer', ok: 200 },
  'PATCH /api/transcript/:moduleId': { access: 'owner', ok: 200, json: { edits: [] } },
  'PATCH /api/transcript/:moduleId/:segmentId': {
    access: 'owner',
    ok: 404,
    params: { segmentId: 'none' },
    json: { text: 'Another' },
  },
  'DELETE /api/transcript/:moduleId/orphaned': { access: 'owner', ok: 200 },
  'PUT /api/captions/:moduleId': {
    access: 'owner',
    ok: 422,
    body: 'no captions',
    headers: { 'content-type': 'text/vtt' },
  },

  'GET /api/video-url/module/:moduleId': { access: 'viewer', ok: 200 },
  'GET /api/video-url/url/:moduleId': { access: 'viewer', ok: 200 },
  'GET /api/video-url/:moduleId': { access: 'link', ok: 200, readsToken: false },
  'GET /media/:moduleId/video': { access: 'ticket', ok: 404, readsToken: false },
  'GET /media/:moduleId/images/:name': { access: 'ticket', ok: 404, params: { name: 'poster' }, readsToken: false },

  'GET /api/share/:moduleId': { access: 'link', ok: 200, readsToken: false },
  // The planted module is ready.
  'POST /api/share/:moduleId/live-ticket': { access: 'link', ok: 409, readsToken: false },
  // The planted module's owner does not let people with the link ask.
  'POST /api/share/:moduleId/questions': {
    access: 'link',
    ok: 401,
    json: { question: 'What is it?' },
    readsToken: false,
  },
  'GET /share/:moduleId': { access: 'link', ok: 200, readsToken: false },
  'GET /embed/:moduleId': { access: 'link', ok: 200, readsToken: false },
  'GET /share/:moduleId/captions.vtt': { access: 'link', ok: 200, readsToken: false },
  'GET /share/:moduleId/captions.srt': { access: 'link', ok: 200, readsToken: false },
  'GET /share/:moduleId/chapters.vtt': { access: 'link', ok: 200, readsToken: false },
  'GET /share/:moduleId/print': { access: 'link', ok: 200, readsToken: false },
  'GET /share/:moduleId/steps.md': { access: 'link', ok: 200, readsToken: false },
  'GET /share/:moduleId/video': { access: 'link', ok: 404, readsToken: false },
  'GET /share/:moduleId/images/:name': { access: 'link', ok: 404, params: { name: 'poster' }, readsToken: false },

  'POST /api/learning-metrics': { access: 'link', ok: 403, json: WATCHED },
  'POST /api/learning-metrics/account': { access: 'user', ok: 200 },
  'POST /api/learning-metrics/:moduleId/sessions': { access: 'link', ok: 200, json: {} },
  'GET /api/learning-metrics/:moduleId/mine': { access: 'link', ok: 200 },
  'DELETE /api/learning-metrics/:moduleId/learners/:pseudonym': {
    access: 'owner',
    ok: 404,
    params: { pseudonym: '0'.repeat(32) },
  },
  'GET /api/learning-metrics/:moduleId': { access: 'owner', ok: 200 },
  'GET /api/learning-metrics/:moduleId/export': { access: 'owner', ok: 200, query: 'format=csv' },

  'GET /api/questions/:moduleId': { access: 'owner', ok: 200 },
  'POST /api/questions/:moduleId/settle': { access: 'owner', ok: 200, json: { ids: ['none'] } },
  'POST /api/questions/:moduleId/reopen': { access: 'owner', ok: 200, json: { ids: ['none'] } },

  'GET /api/debug/modules/debug': { access: 'user', ok: 200 },
  'GET /api/debug/modules/:moduleId': { access: 'inspector', ok: 200 },
  'GET /api/debug/usage': { access: 'user', ok: 200 },

  'POST /api/reprocess/:moduleId': { access: 'owner', ok: 200 },

  'POST /api/feedback/submit': { access: 'viewer', ok: 200, json: { type: 'step_generation', action: 'worked' } },
  'POST /api/feedback/improvement': {
    access: 'viewer',
    ok: 200,
    json: { type: 'ai_improvement', feedback: 'Show the jack.' },
  },
  'GET /api/feedback/stats': { access: 'user', ok: 200 },

  'GET /api/account/export': { access: 'user', ok: 200 },
  'GET /api/account/glossary': { access: 'user', ok: 200 },
  'PUT /api/account/glossary': { access: 'admin', ok: 200, json: { words: 'Klaro' } },
  'DELETE /api/account': { access: 'user', ok: 200, json: { confirm: 'erase' } },

  'POST /api/ai/contextual-response': { access: 'viewer', ok: 200, json: QUESTION },
  'POST /api/ai/contextual-response/stream': { access: 'viewer', ok: 200, json: QUESTION },
  'POST /api/ai/contextual-response/stop': { access: 'viewer', ok: 200, json: { turnId: QUESTION.turnId } },
  'GET /api/ai/contextual-response/stream/:moduleId/:turnId': {
    access: 'viewer',
    ok: 404,
    params: { turnId: 'turn-that-is-not-there' },
  },
  'GET /api/ai/conversation/:moduleId': { access: 'viewer', ok: 200 },
  'DELETE /api/ai/conversation/:moduleId': { access: 'viewer', ok: 200 },
  'POST /api/qa/ask': { access: 'viewer', ok: 200, json: { question: QUESTION.userMessage, turnId: QUESTION.turnId } },
  'POST /api/qa/transcribe': {
    access: 'viewer',
    ok: 400,
    query: 'moduleId=:moduleId',
    body: '',
    headers: { 'content-type': 'audio/webm' },
  },

  'POST /api/presigned-upload/presigned-url': {
    access: 'user',
    ok: 200,
    json: { filename: 'a.mp4', contentType: 'video/mp4' },
  },
  'GET /api/upload': { access: 'user', ok: 200 },
  'POST /api/upload/complete': { access: 'owner', ok: 200, json: { key: 'src/:moduleId/source' } },
  // The planted module's upload has ended, which only its owners see.
  'GET /api/upload/:moduleId': { access: 'owner', ok: 404 },
  'PATCH /api/upload/:moduleId': { access: 'owner', ok: 404, json: { sizeBytes: 1 } },
  'DELETE /api/upload/:moduleId': { access: 'deleter', ok: 200 },
  'POST /api/upload/:moduleId/part-urls': { access: 'owner', ok: 404, json: { parts: [1] } },
  'PUT /api/upload/:moduleId/parts/:part': {
    access: 'owner',
    ok: 404,
    params: { part: '1' },
    json: { etag: 'e', sizeBytes: 1 },
  },
  'POST /api/upload/:moduleId/audio-urls': {
    access: 'owner',
    ok: 409,
    json: { chunks: [{ chunk: 0, sizeBytes: 1 }], contentType: 'audio/mp4' },
  },
  'POST /api/upload/:moduleId/audio': {
    access: 'owner',
    ok: 409,
    json: { durationMs: 1_000, chunks: [], chunkCount: null },
  },
}
