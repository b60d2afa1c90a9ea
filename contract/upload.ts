import { z } from 'zod'
import {
  AUDIO_CHUNK_MAX_BYTES,
  AUDIO_CHUNKS_MAX,
  AUDIO_PARTS_MAX,
  AUDIO_TRACKS_MAX,
  FILENAME_MAX_CHARS,
  UPLOAD_URLS_MAX,
  VIDEO_MAX_S,
} from './limits.ts'
import { Success } from './problem.ts'

const VIDEO_MAX_MS = VIDEO_MAX_S * 1_000
const lengthMs = z.number().int().positive().max(VIDEO_MAX_MS)
const placeMs = z.number().int().min(0).max(VIDEO_MAX_MS)
const audioChunk = z.number().int().min(0).lt(AUDIO_CHUNKS_MAX)

/** Body of `POST /api/presigned-upload/presigned-url`. */
export const PresignRequest = z.object({
  filename: z.string().trim().min(1).max(FILENAME_MAX_CHARS),
  /** A `video/*` type, with or without parameters; it is signed as it stands, so the PUT must repeat it to the letter. */
  contentType: z.string().max(100),
  /** Declared size; checked against the limit before a byte is sent. Required with `multipart`. */
  sizeBytes: z.number().int().min(0).optional(),
  /** Length of the video as the browser reads it; null when it cannot. */
  durationMs: z.number().int().min(0).nullable().optional(),
  /** Whether the file is going to be sent in parts. A plain client leaves it out. */
  multipart: z.boolean().optional(),
  /** Identifies the file when its upload is resumed later; never shown. */
  fingerprint: z.string().max(200).optional(),
  /** Whether anyone with the link can view, from the first byte on. Left out: they can. */
  shared: z.boolean().optional(),
  /** The caller's module of which this is a new recording. It is not shared, whatever `shared` says. */
  replaces: z.string().min(1).max(64).optional(),
})
export type PresignRequest = z.infer<typeof PresignRequest>

/** How a file is divided: parts of `partBytes` each but the last, numbered from 1 to `partCount`. */
export const PartPlan = z.object({ partBytes: z.number().int().positive(), partCount: z.number().int().positive() })
export type PartPlan = z.infer<typeof PartPlan>

/** `uploadUrl` takes one plain PUT of the file with its content type, for 15 minutes; empty for an upload in parts. */
export const PresignAnswer = Success.extend({
  uploadUrl: z.string(),
  key: z.string().min(1),
  moduleId: z.string().min(1),
  /** Present when parts were asked for; the addresses of the parts come from `POST /api/upload/{id}/part-urls`. */
  multipart: PartPlan.optional(),
})
export type PresignAnswer = z.infer<typeof PresignAnswer>

/** Body of `POST /api/upload/complete`. Parts that have been recorded are put together first. */
export const CompleteRequest = z.object({ moduleId: z.string().min(1).max(64), key: z.string().min(1).max(1024) })
export type CompleteRequest = z.infer<typeof CompleteRequest>

/** The same for the first call and for every repetition. */
export const CompleteAnswer = Success.extend({ moduleId: z.string(), trainingUrl: z.string() })
export type CompleteAnswer = z.infer<typeof CompleteAnswer>

/** Number of a part in a path. */
export const PartNumber = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, 'must be a number from 1 on')
  .transform(Number)

/** Body of `POST /api/upload/{id}/part-urls`: fresh addresses, each for one PUT of one part. */
export const PartUrlsRequest = z.object({ parts: z.array(z.number().int().positive()).min(1).max(UPLOAD_URLS_MAX) })
export type PartUrlsRequest = z.infer<typeof PartUrlsRequest>

/** Presigned URLs, each by the number of its upload part or audio chunk. */
export const UrlsAnswer = Success.extend({
  urls: z.array(z.object({ number: z.number().int(), url: z.string().min(1) })),
})
export type UrlsAnswer = z.infer<typeof UrlsAnswer>

/** Body of `PUT /api/upload/{id}/parts/{part}`: the part lies in the bucket. Repeating it is harmless. */
export const PartArrived = z.object({ etag: z.string().min(1).max(200), sizeBytes: z.number().int().positive() })
export type PartArrived = z.infer<typeof PartArrived>

/** An upload that has not been completed. */
export const Upload = z.object({
  moduleId: z.string(),
  key: z.string(),
  filename: z.string(),
  contentType: z.string(),
  sizeBytes: z.number().int(),
  /** Null when the client gave none. */
  fingerprint: z.string().nullable(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  plan: PartPlan,
  /** What has arrived, by number. */
  parts: z.array(PartArrived.extend({ part: z.number().int() })),
})
export type Upload = z.infer<typeof Upload>

/**
 * Body of `PATCH /api/upload/{id}`: another file than the declared one is going to be sent, such as one that the browser
 * has converted meanwhile. Good until the first part has arrived.
 */
export const UploadPatch = z.object({
  sizeBytes: z.number().int().positive(),
  fingerprint: PresignRequest.shape.fingerprint,
})
export type UploadPatch = z.infer<typeof UploadPatch>

/** Answer of `GET /api/upload/{id}` and of `PATCH /api/upload/{id}`. */
export const UploadAnswer = Success.extend({ upload: Upload })
export type UploadAnswer = z.infer<typeof UploadAnswer>

/** Answer of `GET /api/upload`: the caller's own resumable uploads, newest first. */
export const UploadListAnswer = Success.extend({
  uploads: z.array(Upload),
  /** Size of the largest file that is taken. */
  maxBytes: z.number().int().positive().nullable().default(null),
})
export type UploadListAnswer = z.infer<typeof UploadListAnswer>

/**
 * Body of `POST /api/upload/{id}/audio-urls`: addresses for the video's audio, cut by the browser. They take one PUT
 * each with exactly this content type and size.
 */
export const AudioUrlsRequest = z.object({
  chunks: z
    .array(
      z.object({
        chunk: audioChunk,
        sizeBytes: z
          .number()
          .int()
          .positive()
          .max(AUDIO_CHUNK_MAX_BYTES * AUDIO_TRACKS_MAX),
      }),
    )
    .min(1)
    .max(UPLOAD_URLS_MAX),
  contentType: z.enum(['audio/mp4', 'audio/ogg', 'audio/mpeg', 'audio/wav']),
})
export type AudioUrlsRequest = z.infer<typeof AudioUrlsRequest>

/** A file with a part of the audio; all times in the video. */
const AudioPart = z.object({
  contentType: AudioUrlsRequest.shape.contentType,
  sizeBytes: z.number().int().positive(),
  /** Where its audio begins and how long it lasts, overlap included. */
  audioStartMs: placeMs,
  audioDurationMs: lengthMs,
})

/**
 * A chunk of the audio that lies in the bucket. Where speakers have tracks of their own it is a file of each, one after
 * the other: `sizeBytes` is that of all, and the other fields of `AudioPart` are those of the first.
 */
export const ClientAudioChunk = AudioPart.extend({
  chunk: audioChunk,
  /** The files behind the first. */
  parts: z.array(AudioPart).max(AUDIO_PARTS_MAX).optional(),
  /** The span that its words are taken from; the next chunk starts where it ends. */
  startMs: placeMs,
  endMs: lengthMs,
})
export type ClientAudioChunk = z.infer<typeof ClientAudioChunk>

/**
 * Body of `POST /api/upload/{id}/audio`: chunks of the audio have arrived and can be transcribed while the video is
 * still uploading. Repeating it is harmless, and without effect once the video has arrived. Answers 409 `audio_refused`
 * when the server is to cut the audio itself.
 */
export const AudioArrived = z.object({
  /** Length of the video as the browser reads it. */
  durationMs: lengthMs,
  chunks: z.array(ClientAudioChunk).max(UPLOAD_URLS_MAX),
  /** Number of all chunks; null until the last has been cut. */
  chunkCount: z.number().int().positive().max(AUDIO_CHUNKS_MAX).nullable(),
})
export type AudioArrived = z.infer<typeof AudioArrived>
