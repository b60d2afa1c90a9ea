import { z } from 'zod'
import { CutRanges } from './cuts.ts'
import { Success } from './problem.ts'

/**
 * Of which video something is that a browser made of it: the id of the module that the video was uploaded for. Left out:
 * of the one that its training was uploaded with.
 */
export const VideoId = z.string().min(1).max(64).optional()

/** The small copy of a video, which plays on slow lines and on phones, as everyone sees it. */
export const SmallCopy = z.object({
  sizeBytes: z.number().int().positive(),
  /** Codec string of its picture, by which browsers know whether they show it. */
  codec: z.string(),
})
export type SmallCopy = z.infer<typeof SmallCopy>

/** A copy that saves less than two fifths is not worth its making, nor its place. */
export const SMALL_COPY_SHARE_MAX = 0.6
/** A smaller video loads anywhere. */
export const SMALL_COPY_FROM_BYTES = 10_000_000
/** A video of fewer bits a second, on average, would hardly get smaller; screens have 200 to 400 kbit/s in a small copy. */
export const SMALL_COPY_FROM_BITS_PER_S = 500_000
/** Trainings without a small copy in one answer; the next ones come when these have theirs. */
export const SMALL_COPIES_LISTED_MAX = 100

/** Body of `POST /api/modules/{id}/small-copy`: an address for a copy of this size, made by the owner's browser. */
export const SmallCopyRequest = z.strictObject({ sizeBytes: z.number().int().positive(), videoId: VideoId })
export type SmallCopyRequest = z.infer<typeof SmallCopyRequest>

/** `url` takes one PUT with the type `video/mp4`, for 15 minutes. */
export const SmallCopyUrlAnswer = Success.extend({ url: z.string(), key: z.string() })
export type SmallCopyUrlAnswer = z.infer<typeof SmallCopyUrlAnswer>

/**
 * Body of `PUT /api/modules/{id}/small-copy`: the copy lies in the bucket and takes the place of the one before, or there
 * is to be none, because it would save too little.
 */
export const SmallCopyArrived = z.union([
  z.strictObject({
    videoId: VideoId,
    key: z.string().min(1).max(200),
    /** H.264, or VP9 of a browser without an encoder for it. */
    codec: z.string().regex(/^(avc[13]\.[\da-f]{6}|vp09(\.\d\d){3,8})$/i, 'must be the codec string of H.264 or VP9'),
    /** What the file does not have; left out where it has all. */
    cuts: CutRanges.optional(),
  }),
  z.strictObject({ videoId: VideoId, savesTooLittle: z.literal(true) }),
])
export type SmallCopyArrived = z.infer<typeof SmallCopyArrived>

/** Answer of `GET /api/modules/small-copies`: the caller's own trainings that lack a small copy, newest first. */
export const SmallCopiesAnswer = Success.extend({
  modules: z.array(z.object({ id: z.string(), title: z.string() })),
})
export type SmallCopiesAnswer = z.infer<typeof SmallCopiesAnswer>
