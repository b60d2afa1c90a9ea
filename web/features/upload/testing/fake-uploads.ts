import type { Upload } from '#contract/upload.ts'
import { fakeApi } from '#web/testing/render-app.tsx'
import type { InspectedVideo } from '../file-worker/run-file-task.ts'
import type { PutAnswer, PutFile } from '../put-file.ts'
import { type ManagerDeps, UploadManager } from '../upload-manager.ts'

export const PRESIGN = 'POST /api/presigned-upload/presigned-url'
export const COMPLETE = 'POST /api/upload/complete'
export const DISCARD = 'DELETE /api/upload/m1'

const DONE = { success: true }

/** A server that takes uploads in one piece. */
export const ANSWERS: Record<string, () => unknown> = {
  [PRESIGN]: () => ({ success: true, uploadUrl: 'u', key: 'k', moduleId: 'm1' }),
  'POST /api/captions?durationMs=9000': () => ({ success: true, cues: 1 }),
  'POST /api/captions': () => ({ success: true, cues: 1 }),
  'PUT /api/captions/m1': () => ({ success: true, cues: 1 }),
  [COMPLETE]: () => ({ success: true, moduleId: 'm1', trainingUrl: '/training/m1' }),
  [DISCARD]: () => DONE,
  'GET /api/upload': () => ({ success: true, uploads: [] }),
}

export const MIB = 1024 * 1024
export const PLAN = { partBytes: 8 * MIB, partCount: 3 }

/** The same server for a video of 20 MiB: two whole parts and a half one. */
export const PART_ANSWERS: Record<string, () => unknown> = {
  ...ANSWERS,
  [PRESIGN]: () => ({ success: true, uploadUrl: 'u', key: 'k', moduleId: 'm1', multipart: PLAN }),
  'POST /api/upload/m1/part-urls': () => ({
    success: true,
    urls: [1, 2, 3].map((number) => ({ number, url: `p${number}` })),
  }),
  'PUT /api/upload/m1/parts/1': () => DONE,
  'PUT /api/upload/m1/parts/2': () => DONE,
  'PUT /api/upload/m1/parts/3': () => DONE,
}

export function makeVideo(name = 'talk.mp4', sizeBytes = 2048): File {
  return new File([new Uint8Array(sizeBytes)], name, { type: 'video/mp4' })
}

export function makeUpload(change: Partial<Upload> = {}): Upload {
  return {
    moduleId: 'm1',
    key: 'k',
    filename: 'talk.mp4',
    contentType: 'video/mp4',
    sizeBytes: 20 * MIB,
    fingerprint: 'talk.mp4',
    createdAt: '2026-11-21T09:00:00.000Z',
    plan: PLAN,
    parts: [{ part: 1, etag: '"1"', sizeBytes: 8 * MIB }],
    ...change,
  }
}

/** A storage that takes bytes when the test says so. */
export function heldStorage() {
  const puts: Parameters<PutFile>[0][] = []
  const ends: ((answer: PutAnswer) => void)[] = []
  const putFile: PutFile = (put) =>
    new Promise((resolve, reject) => {
      puts.push(put)
      ends.push(resolve)
      put.signal.addEventListener('abort', () => reject(put.signal.reason))
    })
  return {
    putFile,
    puts,
    end: (status: number, index = puts.length - 1) => ends[index]?.({ status, etag: `"${index}"` }),
  }
}

/** A storage that takes everything at once. */
export function quickStorage(answer: (url: string) => Partial<PutAnswer> = () => ({})) {
  const urls: string[] = []
  const putFile: PutFile = async ({ url, file, onProgress }) => {
    urls.push(url)
    await Promise.resolve()
    onProgress(file.size)
    return { status: 200, etag: '"e"', ...answer(url) }
  }
  return { putFile, urls }
}

export const UNREMARKABLE: InspectedVideo = {
  durationMs: 9_000,
  audioCodec: 'aac',
  container: 'video/mp4',
  videoCodec: 'avc1.64001f',
  hasPicture: true,
  conversion: null,
  problem: null,
  picture: null,
}

export const hasty = { minTimeout: 0, whenOnline: async () => {} }

/** A manager whose server, storage and clockwork are the test's own. A file's fingerprint is its name. */
export function fakeUploads(answers = ANSWERS, change: Partial<ManagerDeps> = {}) {
  const storage = heldStorage()
  const { callApi, calls } = fakeApi(answers)
  const kept = new Map<string, File>()
  const manager = new UploadManager({
    callApi,
    putFile: storage.putFile,
    sendParts: async (transfer, deps) => (await import('../send-parts.ts')).sendParts(transfer, deps),
    readFingerprint: async (file) => file.name,
    timing: hasty,
    findFileFault: async () => null,
    inspectVideo: async () => UNREMARKABLE,
    sendAudioFirst: async ({ onVideoMayStart }) => {
      onVideoMayStart()
      return 0
    },
    sendImages: async () => {},
    convertFile: async ({ file }) => new File([file.slice(0, 1024)], file.name, { type: 'video/mp4' }),
    removeConverted: async () => {},
    keptFiles: {
      keep: async (moduleId, file) => void kept.set(moduleId, file),
      find: async (moduleId) => {
        const file = kept.get(moduleId)
        return file ? { kind: 'file', getFile: async () => file } : null
      },
      forget: async (moduleId) => void kept.delete(moduleId),
    },
    locks: { hold: () => () => {}, list: async () => new Set<string>() },
    ...change,
  })
  const item = () => manager.getState().items[0]
  const state = () => item()?.state
  return { manager, item, state, storage, calls, callApi, kept }
}
